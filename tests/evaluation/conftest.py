"""Releases in a folder, and of a project; and how tests run an experiment."""

import shutil

import pytest

from common import leases
from evaluation.contract import silent
from evaluation.experiments import fits
from evaluation.experiments.fits import Kept
from releases.models import Release
from releases.services import drafts
from releases.services.builds import BUILDS
from tests.annotation import judged, make
from tests.annotation.pages import release_folder
from tests.releases.dataset.studies import study, write
from tests.releases.dataset.translated.conftest import german, made, source

__all__ = ["german", "made", "source"]
SAME, OTHER = [1] * 5, [0] * 5


@pytest.fixture(scope="module")
def project(module_db):
    """Forty pairs, half of them paraphrases by everybody's answer."""
    project = make.study()
    judged.pairs(project, [SAME, OTHER] * 20, by=judged.people(project, 5))
    return project


@pytest.fixture(scope="module")
def built(project, tmp_path_factory):
    """A release of the project, and the folder of its files."""
    folder = tmp_path_factory.mktemp("releases")
    draft = drafts.create_draft(project, version="1.0", dev=10, test=10, unlabeled_dev=0)
    drafts.queue_draft(draft)
    with release_folder(folder):
        assert BUILDS.do_next()
    return draft, folder


@pytest.fixture
def release(db, built, settings, tmp_path, monkeypatch):
    draft, folder = built
    settings.RELEASES_DIR = shutil.copytree(folder, tmp_path / "releases")
    # A test’s own transaction would keep the thread that renews the lease from writing.
    monkeypatch.setattr(leases, "BEAT_SECONDS", 600.0)
    return Release.objects.get(pk=draft.pk)


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("releases") / "trial"
    write(folder, study(3, families=60))
    return folder


@pytest.fixture
def trial(written, tmp_path):
    """The folder of a release of no project."""
    return shutil.copytree(written, tmp_path / "trial")


@pytest.fixture
def manager(project):
    return make.person(project, role="manager").user


@pytest.fixture
def run(tmp_path):
    """Fit what an experiment plans, and return its figures."""

    def fitted(experiment, study, *models):
        by_name = {model.name: model for model in models}
        kept = Kept(tmp_path / "parts")
        done = fits.run(experiment.fits(study), models=by_name, kept=kept, tell=silent)
        return experiment.figures(study, {fit.key: part for fit, part in done})

    return fitted
