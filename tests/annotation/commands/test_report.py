"""What `manage.py report` prints and what it says to programs."""

import json
import sys

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.selectors import report
from annotation.selectors.votes import Votes
from annotation.stats.report import Correction
from generation.models import Candidate
from tests.annotation import cast, judged

pytestmark = pytest.mark.django_db

# Votes that come to the counts of Tables 3 and 4; tests/annotation/stats/test_report.py says more.
WIKIPEDIA = {(5, 0): 33955, (4, 1): 4750, (3, 2): 2860, (2, 3): 783, (1, 4): 600, (0, 5): 4342}
QUORA = {
    (5, 0): 7315,
    (4, 1): 1386,
    (3, 2): 931,
    (2, 3): 599,
    (1, 4): 1264,
    (0, 5): 2700,
    (0, 3): 130,
}
BACK = {(0, 5): 20400, (1, 4): 4300, (2, 3): 821, (3, 2): 206, (4, 1): 600, (5, 0): 570}
TABLE_3 = """
Sentence correction
  # Accepted pairs {:>14,}
  # Fixed pairs {:>17,}
  # Rejected pairs {:>14,}
Paraphrase identification
  Total # pairs {:>17,}
    paraphrase {:>18,}
    non-paraphrase {:>14,}
  Human agreement {:>15}
After post-filtering
  Total # pairs {:>17,}
  Human agreement {:>15}
"""
TABLE_4 = """
Total # back translation pairs  26,897
  paraphrase                    25,521
  non-paraphrase                 1,376
Human agreement                  94.8%
"""


@pytest.fixture
def project():
    project = cast.study()
    cast.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
    return project


@pytest.fixture
def printed(project, capsys):
    def run(**options) -> str:
        call_command("report", project=project.name, **options)
        return capsys.readouterr().out

    return run


def made_of(monkeypatch, counts, methods) -> None:
    """Let a study have these corrections and votes, which would be a hundred thousand rows."""
    every = {votes: pairs for table in methods.values() for votes, pairs in table.items()}
    votes = Votes(every, methods, {}, {})
    monkeypatch.setattr(report.votes, "of_project", lambda _: votes)
    monkeypatch.setattr(report, "_correction_counts", lambda *_: counts)


def squeezed(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines() if line]


@pytest.mark.parametrize(
    ("counts", "votes", "expected"),
    [
        (
            Correction(50_000, 39_903, 7_387, 2_710),
            WIKIPEDIA,
            (39_903, 7_387, 2_710, 47_290, 5_725, 41_565, "94.7%", 43_647, "97.5%"),
        ),
        (
            Correction(16_280, 10_699, 3_626, 1_955),
            QUORA,
            (10_699, 3_626, 1_955, 14_325, 4_693, 9_632, "92.0%", 12_665, "95.8%"),
        ),
    ],
    ids=["Wikipedia", "Quora"],
)
def test_the_numbers_of_table_3(printed, monkeypatch, counts, votes, expected):
    made_of(monkeypatch, counts, {"word_swap": votes})
    lines = squeezed(printed())
    start = lines.index(["#", "Raw", "pairs", f"{counts.raw:,}"])
    wanted = squeezed(TABLE_3.format(*expected))
    assert lines[start + 1 : start + 1 + len(wanted)] == wanted


def test_the_numbers_of_table_4(printed, monkeypatch):
    made_of(monkeypatch, Correction(0, 0, 0, 0), {"back_translation": BACK})
    assert TABLE_4.strip() in printed()


def test_agreement_before_and_after_the_filter(printed, monkeypatch):
    made_of(monkeypatch, Correction(50_000, 39_903, 7_387, 2_710), {"word_swap": WIKIPEDIA})
    lines = squeezed(printed())
    assert ["Decided", "pairs", "47,290", "43,647"] in lines
    [human] = [line[2:] for line in lines if line[:2] == ["Human", "agreement"] and len(line) > 4]
    assert human == ["94.7%", "(94.6", "to", "94.8)", "97.5%", "(97.5", "to", "97.6)"]


def test_parts_of_the_pairs_have_their_lines(printed, project):
    judged.pairs(project, [[1] * 5, [0, 0, 0, 1, 1]], by=judged.people(project, 5))
    Candidate.objects.update(kind="word order")
    told = printed()
    assert "Agreement by method" in told
    assert "back translation: word order" in told
    assert "Agreement by week" in told


def test_programs_are_given_numbers_and_intervals(printed, project):
    people = judged.people(project, 5)
    judged.pairs(project, [[1] * 5] * 9 + [[0, 0, 0, 1, 1]] * 9, by=people)
    told = json.loads(printed(json=True))
    overall = told["agreement"]["overall"]
    assert (overall["before"]["pairs"], overall["after"]["pairs"]) == (18, 9)
    assert overall["before"]["human"]["value"] == pytest.approx(0.8)
    low, high = overall["before"]["alpha"]["interval"]
    assert low < overall["before"]["alpha"]["value"] < high
    assert [part["key"] for part in told["agreement"]["methods"]] == ["back_translation"]
    assert told["crowd"] == {}


def test_annotators_are_measured_with_and_without_their_own_answer(printed, project):
    people = judged.people(project, 5)
    judged.pairs(project, [[1, 1, 1, 0, 0], [0, 0, 0, 0, 0]], by=people)
    told = {person["name"]: person for person in json.loads(printed(json=True))["annotators"]}
    for_same, against = told[str(people[0].user)], told[str(people[4].user)]
    assert (for_same["agreement"], for_same["compared"]) == (1.0, 1)
    assert (against["agreement"], against["compared"]) == (0.5, 2)
    assert against["accuracy"]["value"] == 0.5
    assert against["kappa_with_others"]["value"] == 0.0


def test_crowd_compares_models_with_the_majority(printed, project):
    judged.pairs(project, [[1] * 5, [0, 0, 0, 0, 1]] * 3, by=judged.people(project, 5))
    crowd = json.loads(printed(crowd=True, json=True))["crowd"]
    assert {name: (row["pairs"], row["differing"]) for name, row in crowd.items()} == {
        "Dawid-Skene": (6, 0),
        "MACE": (6, 0),
    }


def test_without_crowd_kit_crowd_says_what_to_install(printed, project, monkeypatch):
    monkeypatch.setitem(sys.modules, "crowdkit.aggregation", None)
    with pytest.raises(CommandError, match=r"requirements-crowd\.txt"):
        printed(crowd=True)


def test_a_study_without_answers_has_a_report(printed, project):
    assert "Decided pairs" in printed()
    assert json.loads(printed(json=True))["annotators"] == []


def test_grades_have_an_ordinal_alpha(capsys):
    graded = cast.study(protocol="parade")
    judged.pairs(graded, [[3, 3, 2], [0, 0, 1], [1, 1, 1]], by=judged.people(graded, 3))
    call_command("report", project=graded.name)
    assert "  ordinal" in capsys.readouterr().out
