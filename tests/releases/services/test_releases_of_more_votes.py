"""Releases of studies that ask more people where the first disagree."""

import json

import pytest

from annotation.agreement import selectors, services
from annotation.models import Consensus
from annotation.quality.services import interventions
from releases.dataset.verification import verify
from releases.selectors.releases import folder_of
from releases.services import publication
from support.studies import freeze_version
from tests.annotation import judged, make, pages
from tests.annotation.pages import client_of, page
from tests.releases.dataset.studies import describe_again
from tests.releases.dataset.test_verification import sign

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
MORE = {"judgments_per_pair": 3, "consensus_min_votes": 3, "judgments_at_most": 7}


@pytest.fixture
def project(tmp_path):
    """Twenty pairs: on every fourth, two of five people disagree, and others are to be asked."""
    project = make.study(**MORE)
    make.pairs(project, 20)
    people = judged.people(project, 5)
    for place, member in enumerate(people):
        while (slot := make.claim(member)) is not None:
            number = slot.item_id % 4
            make.submit(
                member, item=slot.item.public_id, label=int(number > 0 or place not in (1, 3))
            )
    with pages.release_folder(tmp_path):
        yield project


def closed(project):
    """The project, whose disputed pairs would need more people than there are."""
    manager = make.person(project, role="manager")
    assert services.decide_with_votes(project, by=manager.user) == 5
    return project


def published(project):
    release = freeze_version(project, version="1.0", dev=0.2, test=0.2)
    publication.publish(release)
    return folder_of(release)


def lines(folder, name):
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


def test_a_release_says_which_answers_came_later(project):
    assert [make.judge_all(member, 1) for member in judged.people(project, 2)] == [5, 5]
    folder = published(project)
    pairs = [pair for pair in lines(folder, "pairs.jsonl") if "first" in pair]
    assert [(pair["first"], pair["votes"], pair["kept"]) for pair in pairs] == [
        ([1, 2], [2, 5], True)
    ] * 5
    later = [row for row in lines(folder, "judgments.jsonl") if row.get("later")]
    assert len(later) == 20
    assert not any("closed" in pair for pair in pairs)
    assert verify(folder) == []


def test_a_release_marks_pairs_that_nobody_was_left_for(project):
    folder = published(closed(project))
    marked = [pair for pair in lines(folder, "pairs.jsonl") if pair.get("closed")]
    assert {(*pair["votes"], pair["kept"], pair["subset"]) for pair in marked} == {
        (2, 3, False, "low_agreement")
    }
    assert len(marked) == 5
    assert verify(folder) == []


def test_agreement_of_a_release_is_that_of_the_first_people(project):
    counts = json.loads((published(closed(project)) / "manifest.json").read_text())["counts"]
    assert counts["votes"] == {"back_translation": [[0, 3, 15], [2, 3, 5]]}
    assert counts["first_votes"] == {"back_translation": [[1, 2, 2, 3, 5]]}
    assert counts["agreement"]["back_translation"]["human_agreement"] == round(55 / 60, 6)
    overall = selectors.of_project(project).overall
    assert overall.before.human.value == pytest.approx(55 / 60)
    assert (counts["asked_more"], counts["closed"]) == (5, 5)


def test_the_card_says_how_more_people_were_asked(project):
    card = (published(closed(project)) / "README.md").read_text()
    for text in (
        "one more person at a time was asked, up to 7 in all, until one label led all others "
        "together by 3; 5 pairs",
        "Agreement is that of the first 3 people",
        "5 pairs had to be decided with fewer, as nobody was left to ask.",
    ):
        assert text in card


def test_files_are_the_same_after_answers_are_excluded_and_later_ones_given(project, tmp_path):
    release = freeze_version(closed(project), version="1.0", dev=0.2, test=0.2)
    written = publication.write_files(release, tmp_path / "a")
    no = Consensus.objects.filter(first_tally__isnull=False).earliest("pk").pair.slots.get(number=2)
    interventions.exclude(
        no.annotator.memberships.get(project=project), by=None, reason="For a test"
    )
    make.judge_all(make.person(project), 1)
    assert publication.write_files(release, tmp_path / "b") == written


def test_a_forged_answer_of_the_first_is_named_with_its_line(project):
    folder = published(closed(project))
    path = folder / "judgments.jsonl"
    rows = path.read_text().splitlines()
    line = next(number for number, row in enumerate(rows) if '"later": true' in row)
    rows[line] = rows[line].replace(', "later": true', "")
    path.write_text("\n".join(rows) + "\n")
    describe_again(folder)
    sign(folder)
    said = [str(difference) for difference in verify(folder)]
    assert any("has 4 first answers of 5, not 3 of at most 7" in text for text in said)


def test_a_forged_tally_of_the_first_is_named_with_its_line(project):
    folder = published(closed(project))
    path = folder / "pairs.jsonl"
    rows = path.read_text().splitlines()
    line = next(number for number, row in enumerate(rows, start=1) if '"first"' in row)
    rows[line - 1] = rows[line - 1].replace('"first": [1, 2]', '"first": [0, 3]')
    path.write_text("\n".join(rows) + "\n")
    describe_again(folder)
    sign(folder)
    found = [difference for difference in verify(folder) if difference.path == "pairs.jsonl"]
    assert any(("first" in each.what, each.line) == (True, line) for each in found)


def test_the_page_of_a_release_says_how_more_people_were_asked(project):
    release = freeze_version(closed(project), version="1.0", dev=0.2, test=0.2)
    publication.publish(release)
    shown = client_of(project).get(page("release", project, release.public_id)).text
    assert "up to 7 in all, until one label led all others together by 3" in shown
