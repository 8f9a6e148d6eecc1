"""Releases without pages: built at once, withdrawn, and built by the embedded worker."""

from threading import Event

import pytest
from django.core.management import CommandError, call_command

from annotation.management.commands import worker
from annotation.models import Project, Release
from annotation.selectors import published
from annotation.selectors.releases import folder_of
from annotation.services import releases
from annotation.services.releases import leasing
from tests.annotation import cast, judged

State = Release.State


@pytest.fixture(autouse=True)
def _place(settings, tmp_path, monkeypatch):
    settings.RELEASES_DIR = tmp_path / "releases"
    # A test’s own transaction would keep the thread that renews the lease from writing.
    monkeypatch.setattr(leasing, "BEAT_SECONDS", 600.0)


def study() -> Project:
    project = cast.study()
    judged.pairs(project, [[1, 1, 1, 1, 0]] * 2, by=judged.people(project, 5))
    return project


def build(project: Project, **options: object) -> None:
    call_command("build_release", project=project.name, release="1.0", **options)


class UntilIdle(Event):
    """Set by whoever waits for it: a worker stops as soon as it finds nothing to do."""

    def wait(self, timeout: float | None = None) -> bool:
        self.set()
        return True


@pytest.mark.django_db
def test_a_new_version_is_frozen_and_written_to_its_place():
    build(study(), dev=0, test=0)
    release = Release.objects.get()
    assert release.state == State.FROZEN
    assert published.is_whole(release)
    assert published.archive_entry(release)


@pytest.mark.django_db
@pytest.mark.parametrize("state", [State.DRAFT, State.QUEUED, State.FAILED])
def test_what_no_worker_holds_is_built_at_once(state):
    project = study()
    releases.draft(project, version="1.0", dev=0, test=0)
    Release.objects.update(state=state)
    build(project)
    assert Release.objects.get().state == State.FROZEN


@pytest.mark.django_db
def test_what_a_worker_holds_is_left_to_it():
    project = study()
    releases.draft(project, version="1.0", dev=0, test=0)
    Release.objects.update(state=State.BUILDING)
    with pytest.raises(CommandError, match="worker is building"):
        build(project)


@pytest.mark.django_db
def test_a_withdrawn_version_is_not_built_again(tmp_path):
    project = study()
    build(project, dev=0, test=0)
    call_command("withdraw_release", project=project.name, release="1.0", reason="Not free.")
    assert not folder_of(Release.objects.get()).exists()
    with pytest.raises(CommandError, match="Not free"):
        build(project, output=tmp_path / "again")


@pytest.mark.django_db
def test_only_what_is_frozen_is_withdrawn():
    project = study()
    releases.draft(project, version="1.0")
    with pytest.raises(CommandError, match="no longer as you saw it"):
        call_command("withdraw_release", project=project.name, release="1.0", reason="Why not.")
    with pytest.raises(CommandError, match="no release '2'"):
        call_command("withdraw_release", project=project.name, release="2", reason="Why not.")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("queues", "state"), [([], State.FROZEN), (["--queue", "gpu"], State.QUEUED)]
)
def test_the_embedded_worker_builds_what_is_queued(monkeypatch, queues, state):
    monkeypatch.setattr(worker, "_stop_on_signals", UntilIdle)
    releases.queue(releases.draft(study(), version="1.0", dev=0, test=0))
    call_command("worker", *queues)
    assert Release.objects.get().state == state


@pytest.mark.django_db
@pytest.mark.parametrize(("queues", "state"), [([], "made"), (["--queue", "gpu"], "waiting")])
def test_the_embedded_worker_looks_at_drafts(monkeypatch, queues, state):
    monkeypatch.setattr(worker, "_stop_on_signals", UntilIdle)
    draft = releases.draft(study(), version="1.0", dev=0, test=0)
    call_command("worker", *queues)
    draft.preview.refresh_from_db()
    assert draft.preview.state == state
