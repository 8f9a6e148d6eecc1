"""A judged project, its draft and its frozen release, and who looks at them."""

import pytest

from annotation.models import Membership, Release
from annotation.services import releases
from annotation.services.releases import leasing
from tests.annotation import cast
from tests.annotation import judged as judging
from tests.annotation.views.study.releases.visiting import signed_in

Role = Membership.Role


@pytest.fixture(autouse=True)
def _place(settings, tmp_path, monkeypatch):
    settings.RELEASES_DIR = tmp_path / "releases"
    monkeypatch.setattr(leasing, "BEAT_SECONDS", 600.0)


@pytest.fixture
def judged(project):
    cast.pairs(project, 3)
    judging.all_that_is_open(project, [1] * 5)
    return project


@pytest.fixture
def draft(judged):
    return releases.draft(judged, version="1.0", dev=0, test=0, unlabeled_dev=0)


@pytest.fixture
def frozen(draft):
    releases.queue(draft)
    assert releases.build_next()
    return Release.objects.get(pk=draft.pk)


@pytest.fixture
def manager(project):
    return signed_in(project, Role.MANAGER)


@pytest.fixture
def researcher(project):
    return signed_in(project, Role.RESEARCHER)
