"""A release from its draft to its freeze; its files stay the same until it is withdrawn."""

import json
from functools import partial

import pytest
from django.core.exceptions import ValidationError

from annotation.errors import AnnotationError, Refused
from annotation.models import Project
from annotation.stats.labels import SAME_OR_DIFFERENT
from generation.models import GenerationRun
from releases.models import Example, Release
from releases.selectors import releases as published
from releases.selectors.releases import folder_of
from releases.services import drafts, frozen, publication
from releases.services.builds import BUILDS
from releases.services.frozen import LostRelease
from releases.services.publication import ChangedRelease, Unwritable
from releases.services.steps import Unchangeable
from support.studies import freeze_version
from tests.annotation import judged, make
from tests.releases.dataset.studies import contents

State = Release.State
WHY = "Two sentences were not free."


def test_a_draft_holds_settings_and_no_rows_and_takes_other_settings(draft):
    assert (draft.state, draft.settings["dev"], draft.examples.count()) == (State.DRAFT, 0, 0)
    # What decides a pair comes from the project.
    assert (draft.settings["judgments_per_pair"], draft.settings["consensus_min_votes"]) == (5, 4)
    drafts.change_draft(draft, version="1.1", seed=7, dev=1)
    draft.refresh_from_db()
    assert (draft.version, draft.seed, draft.settings["dev"]) == ("1.1", 7, 1)


def test_versions_that_are_used_or_no_folder_and_contradicting_settings_are_refused(draft):
    for version in ("1.0", "", "../1", "a b", ".hidden", "x" * 60):
        for begin in (drafts.create_draft, freeze_version):
            with pytest.raises(ValidationError):
                begin(draft.project, version=version)
    with pytest.raises(ValueError, match="share"):
        drafts.create_draft(draft.project, version="1.1", paraphrase_share=2.0)
    assert Release.objects.get() == draft


def test_a_release_cannot_choose_what_the_project_decides(draft):
    for choice in (
        {"consensus_min_votes": 3},
        {"scheme": SAME_OR_DIFFERENT},
        {"decides_early": True},
    ):
        for begin in (
            drafts.create_draft,
            freeze_version,
            partial(drafts.change_draft, draft),
        ):
            values = {"version": "2.0"} | choice
            with pytest.raises(ValueError, match="The project determines"):
                begin(**values) if begin.__class__ is partial else begin(draft.project, **values)


def test_only_a_draft_is_changed_discarded_or_queued(draft):
    drafts.queue_draft(draft)
    with pytest.raises(Unchangeable):
        drafts.queue_draft(draft)
    drafts.return_to_draft(draft)
    assert (Release.objects.get().state, BUILDS.do_next()) == (State.DRAFT, False)
    for state in (State.QUEUED, State.BUILDING, State.FAILED, State.FROZEN, State.WITHDRAWN):
        gone = draft.created_at if state == State.WITHDRAWN else None
        Release.objects.update(state=state, frozen_at=draft.created_at, withdrawn_at=gone)
        for step in (drafts.discard, lambda row: drafts.change_draft(row, version="2.0")):
            with pytest.raises(Unchangeable):
                step(draft)
        assert Release.objects.get().version == "1.0", state


def test_a_build_that_failed_after_its_freeze_is_taken_back_without_rows(draft):
    Project.objects.update(decides_early=True)
    draft = Release.objects.get()
    frozen.freeze_draft(draft)
    draft.refresh_from_db()
    assert (draft.state, draft.examples.count()) == (State.FROZEN, 6)
    assert draft.settings["decides_early"] is True  # as the project is when it is built
    Release.objects.update(state=State.FAILED)
    drafts.return_to_draft(draft)
    draft.refresh_from_db()
    assert (draft.state, draft.frozen_at, draft.facts) == (State.DRAFT, None, {})
    assert draft.examples.count() == draft.pseudonyms.count() == 0
    assert draft.preview.state == "waiting"


def lines(folder, name):
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


def test_a_later_build_gives_the_same_bytes_or_is_refused(project, tmp_path):
    release = freeze_version(project, version="1.0", seed=5)
    publication.write_files(release, tmp_path / "a")
    make.pairs(project, 1)
    judged.all_that_is_open(project, [1] * 5)
    publication.write_files(release, tmp_path / "b")
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    Example.objects.filter(release=release, label=1).first().delete()
    with pytest.raises(ChangedRelease, match=r"pairs\.jsonl"):
        publication.write_files(release, tmp_path / "c")


def test_a_run_that_gave_no_candidate_is_not_among_the_models(project, tmp_path):
    with_pairs = project.runs.get()
    for run in project.runs.all():
        run.model_identities = {"scorer": {"name": "one that gave candidates"}}
        run.save()
    idle = GenerationRun.objects.create(
        corpus=with_pairs.corpus,
        method=with_pairs.method,
        seed=1,
        settings={},
        model_identities={"scorer": {"name": "one that gave none"}},
    )
    project.runs.add(idle)
    publication.write_files(freeze_version(project, version="1.0"), tmp_path / "a")
    [model] = json.loads((tmp_path / "a" / "manifest.json").read_text())["models"]
    assert model["name"] == "one that gave candidates"


def test_people_appear_under_other_pseudonyms_in_each_release(project, tmp_path):
    release, later = (freeze_version(project, version=version) for version in ("1.0", "1.1"))
    publication.write_files(release, tmp_path / "a")
    judges = {line["annotator"] for line in lines(tmp_path / "a", "judgments.jsonl")}
    assert judges == set(release.pseudonyms.values_list("name", flat=True))
    assert len(judges) == 5
    assert judges.isdisjoint(later.pseudonyms.values_list("name", flat=True))
    everything = b"".join(contents(tmp_path / "a").values())
    for member in project.memberships.select_related("user"):
        assert member.user.username.encode() not in everything
        assert str(member.user.public_id).encode() not in everything


def test_a_draft_is_not_written_nor_frozen_once_somebody_else_queued_it(draft, tmp_path):
    with pytest.raises(ValueError, match="is not frozen"):
        publication.write_files(draft, tmp_path / "a")
    drafts.queue_draft(Release.objects.get())
    with pytest.raises(LostRelease):
        frozen.freeze_draft(draft)
    assert not Example.objects.exists()


def test_a_withdrawn_release_loses_its_files_and_is_never_written_again(draft, tmp_path):
    with pytest.raises(Refused, match="Only a frozen release can be withdrawn"):
        publication.withdraw(draft, by=None, reason=WHY)
    drafts.queue_draft(draft)
    assert BUILDS.do_next()
    release, manager = Release.objects.get(), make.person(draft.project).user
    for reason in (" ", "x" * 501):
        with pytest.raises(AnnotationError, match="a reason of at most 500 characters"):
            publication.withdraw(release, by=manager, reason=reason)
    assert published.is_whole(release)
    publication.withdraw(release, by=manager, reason=WHY)
    gone = Release.objects.get()
    assert (gone.state, gone.withdrawal_reason, gone.withdrawn_by) == ("withdrawn", WHY, manager)
    assert gone.manifest["files"]
    assert not folder_of(release).exists()
    assert published.archive_entry(release) is None
    assert not published.archive_of(release).exists()
    with pytest.raises(ValidationError, match="already exists"):
        drafts.create_draft(release.project, version="1.0")
    with pytest.raises(Unwritable, match="not free"):
        publication.write_files(release, tmp_path / "again")
    folder_of(release).mkdir()  # as if its files had not all been deleted
    publication.withdraw(release, by=None, reason="Another.")
    assert Release.objects.get().withdrawal_reason == WHY
    assert not folder_of(release).exists()
