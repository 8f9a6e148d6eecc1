"""A draft may be changed and thrown away until it is built."""

import pytest
from django.core.exceptions import ValidationError

from annotation.models import Project, Release
from annotation.services import releases
from annotation.services.releases import Unchangeable

State = Release.State
SIZES = {"dev": 0, "test": 0, "unlabeled_dev": 0}


@pytest.fixture
def draft(project):
    return releases.draft(project, version="1.0", **SIZES)


def test_a_draft_holds_settings_and_no_rows(draft):
    assert (draft.state, draft.settings["dev"], draft.examples.count()) == (State.DRAFT, 0, 0)


def test_the_project_decides_what_decides_a_pair(draft):
    assert (draft.settings["annotators_per_pair"], draft.settings["consensus_min_votes"]) == (5, 4)


def test_a_draft_takes_other_settings_and_another_version(draft):
    releases.change(draft, version="1.1", seed=7, dev=1)
    draft.refresh_from_db()
    assert (draft.version, draft.seed, draft.settings["dev"]) == ("1.1", 7, 1)


def test_a_version_is_drafted_once(draft):
    with pytest.raises(ValidationError):
        releases.draft(draft.project, version="1.0")


def test_settings_that_contradict_themselves_are_no_draft(project):
    with pytest.raises(ValueError, match="share"):
        releases.draft(project, version="1.0", paraphrase_share=2.0)


def test_a_draft_is_thrown_away(draft):
    releases.discard(draft)
    assert not Release.objects.exists()


@pytest.mark.parametrize(
    "state", [State.QUEUED, State.BUILDING, State.FAILED, State.FROZEN, State.WITHDRAWN]
)
def test_nothing_but_a_draft_is_changed_or_thrown_away(draft, state):
    dates = {"frozen_at": draft.created_at}
    if state == State.WITHDRAWN:
        dates["withdrawn_at"] = draft.created_at
    Release.objects.update(state=state, **dates)
    for step in (releases.discard, lambda row: releases.change(row, version="2.0")):
        with pytest.raises(Unchangeable):
            step(draft)
    assert Release.objects.get().version == "1.0"


def test_a_draft_is_queued_once(draft):
    releases.queue(draft)
    with pytest.raises(Unchangeable):
        releases.queue(draft)


def test_what_waits_is_taken_back(draft):
    releases.queue(draft)
    releases.take_back(draft)
    assert Release.objects.get().state == State.DRAFT
    assert not releases.build_next()


def test_what_failed_after_it_was_frozen_is_a_draft_without_rows_again(draft):
    releases.freeze_draft(draft)
    Release.objects.update(state=State.FAILED)
    releases.take_back(draft)
    draft.refresh_from_db()
    assert (draft.state, draft.frozen_at, draft.facts) == (State.DRAFT, None, {})
    assert draft.examples.count() == draft.pseudonyms.count() == 0


def test_a_draft_is_frozen_at_once_where_no_worker_is_asked(draft):
    releases.freeze_draft(draft)
    draft.refresh_from_db()
    assert (draft.state, draft.examples.count()) == (State.FROZEN, 6)


def test_what_decides_a_pair_is_asked_of_the_project_when_it_is_built(draft):
    Project.objects.update(decides_early=True)
    freshly_read = Release.objects.get()
    releases.freeze_draft(freshly_read)
    assert Release.objects.get().settings["decides_early"] is True
