"""A small study that is judged, its draft, and a place for the files of its releases."""

import pytest

from common import leases
from releases.services import drafts
from tests.annotation import judged, make


@pytest.fixture(autouse=True)
def _place(db, settings, tmp_path, monkeypatch):
    settings.RELEASES_DIR = tmp_path / "releases"
    # A test’s own transaction would keep the thread that renews the lease from writing.
    monkeypatch.setattr(leases, "BEAT_SECONDS", 600.0)


@pytest.fixture(scope="module")
def project(module_db):
    """Three pairs, on each of which five people agree."""
    project = make.study()
    make.pairs(project, 3)
    judged.all_that_is_open(project, [1] * 5)
    return project


@pytest.fixture
def draft(project):
    return drafts.create_draft(project, version="1.0", dev=0, test=0, unlabeled_dev=0)
