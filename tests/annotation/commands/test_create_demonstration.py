"""The first start shows real work, and a finished study with everything in it."""

import shutil

import pytest
from django.core.management import call_command

from annotation.dataset.verification import verify
from annotation.models import Membership, Project, Release
from annotation.selectors import progress
from annotation.selectors.releases import folder_of
from annotation.services import demonstration
from generation.models import GenerationRun, Method

pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def releases_dir(settings, tmp_path):
    settings.RELEASES_DIR = tmp_path


def test_the_demonstration_is_made_once_and_complete(capsys):
    call_command("create_demonstration")
    release = Release.objects.get(project__name=demonstration.FINISHED_STUDY)
    shutil.rmtree(folder_of(release))  # as if the first start had ended before
    call_command("create_demonstration")
    assert "is there already" in capsys.readouterr().out

    run = GenerationRun.objects.get(method=Method.WORD_SWAP)
    assert run.state == GenerationRun.State.DONE
    left = progress.of_project(Project.objects.get(name=demonstration.OPEN_STUDY))
    assert left.to_correct == left.candidates - left.pairs > 100
    assert left.to_judge == 5 * left.pairs > 0

    assert verify(folder_of(release)) == []
    counts = release.manifest["counts"]
    assert counts["recombined"] > 0
    assert all(counts["subsets"]["labeled_final"][split]["pairs"] for split in ("dev", "test"))
    assert release.manifest["simulated"] is True
    managed = Membership.objects.filter(role=Membership.Role.MANAGER)
    assert managed.filter(user__is_superuser=True).count() == 2


def test_an_interrupted_start_leaves_nothing_half(monkeypatch):
    def fail(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(demonstration.simulation, "work", fail)
    with pytest.raises(KeyboardInterrupt):
        demonstration.create()
    assert not Project.objects.exists()
    assert not GenerationRun.objects.exists()
