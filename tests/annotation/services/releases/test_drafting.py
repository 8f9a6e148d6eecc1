"""A draft may be changed and discarded until it is built."""

import pytest
from django.core.exceptions import ValidationError

from annotation.models import Project, Release
from annotation.services import releases
from annotation.services.releases import Unchangeable

State = Release.State


def test_a_draft_holds_settings_and_no_rows(draft):
    assert (draft.state, draft.settings["dev"], draft.examples.count()) == (State.DRAFT, 0, 0)
    # What decides a pair comes from the project.
    assert (draft.settings["annotators_per_pair"], draft.settings["consensus_min_votes"]) == (5, 4)


def test_a_draft_takes_other_settings_and_is_discarded(draft):
    releases.change(draft, version="1.1", seed=7, dev=1)
    draft.refresh_from_db()
    assert (draft.version, draft.seed, draft.settings["dev"]) == ("1.1", 7, 1)
    releases.discard(draft)
    assert not Release.objects.exists()


def test_a_used_version_and_contradicting_settings_are_refused(draft):
    with pytest.raises(ValidationError):
        releases.draft(draft.project, version="1.0")
    with pytest.raises(ValueError, match="share"):
        releases.draft(draft.project, version="1.1", paraphrase_share=2.0)
    assert Release.objects.get() == draft


def test_only_a_draft_is_changed_or_discarded(draft, subtests):
    for state in (State.QUEUED, State.BUILDING, State.FAILED, State.FROZEN, State.WITHDRAWN):
        withdrawn_at = draft.created_at if state == State.WITHDRAWN else None
        Release.objects.update(state=state, frozen_at=draft.created_at, withdrawn_at=withdrawn_at)
        with subtests.test(state=state):
            for step in (releases.discard, lambda row: releases.change(row, version="2.0")):
                with pytest.raises(Unchangeable):
                    step(draft)
            assert Release.objects.get().version == "1.0"


def test_a_draft_is_queued_once_and_taken_back(draft):
    releases.queue(draft)
    with pytest.raises(Unchangeable):
        releases.queue(draft)
    releases.take_back(draft)
    assert Release.objects.get().state == State.DRAFT
    assert not releases.build_next()


def test_a_build_that_failed_after_its_freeze_is_taken_back_without_rows(draft):
    releases.freeze_draft(draft)
    draft.refresh_from_db()
    assert (draft.state, draft.examples.count()) == (State.FROZEN, 6)
    Release.objects.update(state=State.FAILED)
    releases.take_back(draft)
    draft.refresh_from_db()
    assert (draft.state, draft.frozen_at, draft.facts) == (State.DRAFT, None, {})
    assert draft.examples.count() == draft.pseudonyms.count() == 0
    assert draft.preview.state == "waiting"


def test_what_decides_a_pair_is_read_from_the_project_when_it_is_built(draft):
    Project.objects.update(decides_early=True)
    freshly_read = Release.objects.get()
    releases.freeze_draft(freshly_read)
    assert Release.objects.get().settings["decides_early"] is True
