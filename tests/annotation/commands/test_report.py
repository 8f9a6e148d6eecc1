"""What `manage.py report` prints, for people and for programs."""

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
BACK = {(0, 5): 20400, (1, 4): 4300, (2, 3): 821, (3, 2): 206, (4, 1): 600, (5, 0): 570}
TABLE_3 = """
# Raw pairs 50,000
Sentence correction
# Accepted pairs 39,903
# Fixed pairs 7,387
# Rejected pairs 2,710
Paraphrase identification
Total # pairs 47,290
paraphrase 5,725
non-paraphrase 41,565
Human agreement 94.7%
After post-filtering
Total # pairs 43,647
Human agreement 97.5%
"""
TABLE_4 = """
Total # back translation pairs  26,897
  paraphrase                    25,521
  non-paraphrase                 1,376
Human agreement                  94.8%
"""
AGREEMENT = """
Decided pairs 47,290 43,647
Human agreement 94.7% (94.6 to 94.8) 97.5% (97.5 to 97.6)
"""


@pytest.fixture(scope="module")
def project(module_db):
    project = cast.study()
    cast.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
    return project


@pytest.fixture
def printed(project, capsys):
    def run(project=project, **options):
        call_command("report", project=project.name, **options)
        return capsys.readouterr().out

    return run


def words(text):
    """Without the spaces and empty lines, of which nothing depends."""
    return [" ".join(line.split()) for line in text.splitlines() if line]


def test_the_numbers_of_the_papers_tables(printed, monkeypatch):
    for method, votes, corrections, tables in [
        ("word_swap", WIKIPEDIA, Correction(50_000, 39_903, 7_387, 2_710), [TABLE_3, AGREEMENT]),
        ("back_translation", BACK, Correction(0, 0, 0, 0), [TABLE_4]),
    ]:
        # A hundred thousand rows would come to the same.
        counted = Votes(votes, {method: votes}, {}, {})
        monkeypatch.setattr(report.votes, "of_project", lambda _, counted=counted: counted)
        monkeypatch.setattr(report, "_correction_counts", lambda *_, found=corrections: found)
        lines = words(printed())
        for wanted in map(words, tables):
            starts = [n for n, line in enumerate(lines) if line == wanted[0]]
            assert wanted in [lines[n : n + len(wanted)] for n in starts], (wanted, lines)


def test_parts_of_the_pairs_and_grades_have_their_lines(printed, project):
    judged.pairs(project, [[1] * 5, [0, 0, 0, 1, 1]], by=judged.people(project, 5))
    Candidate.objects.update(kind="word order")
    text = printed()
    for part in ("Agreement by method", "back translation: word order", "Agreement by week"):
        assert part in text
    graded = cast.study(protocol="parade")
    judged.pairs(graded, [[3, 3, 2], [0, 0, 1], [1, 1, 1]], by=judged.people(graded, 3))
    assert "  ordinal" in printed(graded)


def test_programs_get_numbers_and_intervals(printed, project):
    assert json.loads(printed(json=True))["annotators"] == []
    people = judged.people(project, 5)
    judged.pairs(project, [[1] * 5] * 9 + [[0, 0, 0, 1, 1]] * 9, by=people)
    found = json.loads(printed(json=True))
    overall = found["agreement"]["overall"]
    assert (overall["before"]["pairs"], overall["after"]["pairs"]) == (18, 9)
    assert overall["before"]["human"]["value"] == pytest.approx(0.8)
    low, high = overall["before"]["alpha"]["interval"]
    assert low < overall["before"]["alpha"]["value"] < high
    assert [part["key"] for part in found["agreement"]["methods"]] == ["back_translation"]
    assert found["crowd"] == {}


def test_annotators_are_measured_with_and_without_their_own_answer(printed, project):
    people = judged.people(project, 5)
    judged.pairs(project, [[1, 1, 1, 0, 0], [0, 0, 0, 0, 0]], by=people)
    found = {person["name"]: person for person in json.loads(printed(json=True))["annotators"]}
    first, last = found[str(people[0].user)], found[str(people[4].user)]
    assert (first["agreement"], first["compared"]) == (1.0, 1)
    assert (last["agreement"], last["compared"]) == (0.5, 2)
    assert (last["accuracy"]["value"], last["kappa_with_others"]["value"]) == (0.5, 0.0)


def test_crowd_compares_models_with_the_majority(printed, project, monkeypatch):
    judged.pairs(project, [[1] * 5, [0, 0, 0, 0, 1]] * 3, by=judged.people(project, 5))
    crowd = json.loads(printed(crowd=True, json=True))["crowd"]
    figures = {name: (row["pairs"], row["differing"]) for name, row in crowd.items()}
    assert figures == {"Dawid-Skene": (6, 0), "MACE": (6, 0)}
    monkeypatch.setitem(sys.modules, "crowdkit.aggregation", None)
    with pytest.raises(CommandError, match=r"requirements-crowd\.txt"):
        printed(crowd=True)
