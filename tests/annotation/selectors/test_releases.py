"""What stands in the files of a release besides its pairs, and whether they are in their place."""

import pytest

from annotation.dataset.content import AdjudicationRow, GuestRow
from annotation.models import Guest, GuestJudgment
from annotation.selectors import published
from annotation.selectors import releases as frozen
from annotation.services import adjudication, releases
from annotation.services.releases import Unwritable
from tests.annotation import cast, judged

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    """One pair on which too few people agree."""
    project = cast.study()
    cast.pairs(project, 1)
    judged.all_that_is_open(project, [1, 1, 1, 0, 0])
    return project


def test_of_what_experts_said_until_it_was_frozen_the_latest_is_released(project):
    pair, expert = project.pairs.get(), cast.person(project).user
    for label in (1, 0):
        adjudication.decide(pair, by=expert, label=label)
    release = releases.freeze(project, version="1.0", dev=0, test=0)
    adjudication.decide(pair, by=expert, label=None)
    assert list(frozen.adjudications_of(release)) == [AdjudicationRow(str(pair.public_id), 0)]


def test_guests_that_came_before_it_was_frozen_are_released_with_what_they_said(project):
    pair = project.pairs.get()
    guest = Guest.objects.create(project=project, name="large-judge", revision="7")
    GuestJudgment.objects.create(guest=guest, pair=pair, label=1, score=0.75)
    release = releases.freeze(project, version="1.0", dev=0, test=0)
    late = Guest.objects.create(project=project, name="later-judge", revision="8")
    GuestJudgment.objects.create(guest=late, pair=pair, label=0, score=0.5)

    expected = GuestRow(str(pair.public_id), "large-judge", "7", 1, 0.75)
    assert list(frozen.guests_of(release)) == [expected]


def test_a_release_whose_names_were_forgotten_is_not_written_again(project, tmp_path):
    release = releases.freeze(project, version="1.0", dev=0, test=0)
    release.names_forgotten_at = release.frozen_at
    with pytest.raises(Unwritable, match="forgotten"):
        releases.write(release, tmp_path / "a")


def test_without_its_files_a_release_is_not_whole(project, tmp_path, settings):
    settings.RELEASES_DIR = tmp_path / "releases"
    release = releases.freeze(project, version="1.0", dev=0, test=0)
    releases.write(release, tmp_path / "elsewhere")
    assert not published.is_whole(release)
