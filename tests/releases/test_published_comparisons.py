"""Non-experts on a set that was published elsewhere (PARADE 5.3, Table 10)."""

import io

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotation.projects.labels import GRADES
from generation.models import Candidate
from releases.models import Release
from releases.selectors.comparisons import comparison_results
from releases.selectors.releases import scheme_of
from releases.services import comparisons
from tests.annotation import judged, pages
from tests.releases.dataset.published.sets import PAIRS, SETS
from tests.releases.published import STATED

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]


@pytest.fixture
def release(tmp_path):
    """A set with grades, all of whose pairs are test."""
    [content] = list(SETS["PARADE"].files.values())[:1]
    (tmp_path / "PARADE.txt").write_bytes(content)
    stated = (*STATED, "--split=test=PARADE.txt")
    with pages.release_folder(tmp_path / "releases"):
        call_command("import_release", str(tmp_path / "PARADE.txt"), *stated, stdout=io.StringIO())
        yield Release.objects.get()


def test_people_are_compared_with_the_labels_of_others(release):
    assert scheme_of(release) == GRADES
    comparison = comparisons.create(release, name="Non-experts", people=3)
    people = judged.people(comparison.project, 3)
    for pair in comparison.project.pairs.select_related("candidate"):
        judged.give(pair, [2, 2, 2], by=people, at=timezone.now())
    results = comparison_results(comparison)
    positives = sum(label for *_texts, label in PAIRS)
    assert (results.pairs, results.positives, results.decided) == (5, positives, 5)
    assert results.majority.scores.recall == 1
    assert results.majority.scores.precision == positives / 5


def test_a_second_comparison_has_the_same_candidates(release):
    for name in ("One", "Two"):
        comparisons.create(release, name=name)
    assert Candidate.objects.count() == 5
