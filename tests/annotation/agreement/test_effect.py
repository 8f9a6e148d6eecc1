"""What an exclusion changes is told beforehand, exactly as it is found afterwards."""

from collections import Counter

import pytest

from annotation.agreement import by_person
from annotation.agreement import selectors as agreement
from annotation.models import Consensus, Judgment
from annotation.projects.selectors import study_rows
from annotation.quality.services import interventions
from annotation.stats.agreement import human_agreement
from tests.annotation import judged, make

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
# The first label is the one of the person who is excluded.
VOTES = [(0, 1, 1, 1, 1), (1, 1, 1, 1, 1), (1, 0, 0, 0, 1), (0, 0, 0, 1, 1), (1, 0, 0), (0,)]


def excluded_person(**settings):
    project = make.study(**settings)
    people = judged.people(project, 5)
    gold, *_others = judged.pairs(project, [(0, 1), *VOTES], by=people)
    project.pairs.filter(pk=gold.pk).update(gold_label=1)
    return people[0]


def decided_pairs(project):
    return list(study_rows.consensus_rows(project).values_list("pair", flat=True))


def tallies(pairs):
    rows = Judgment.objects.filter(item__in=pairs).counting().values_list("item", "label")
    labels = {pair: [label for item, label in rows if item == pair] for pair in pairs}
    return Counter((votes.count(0), votes.count(1)) for votes in labels.values())


@pytest.mark.parametrize("decides_early", [False, True])
def test_effect_is_what_is_found_after_the_exclusion(decides_early):
    person = excluded_person(decides_early=decides_early)
    project = person.project
    pairs, waiting = decided_pairs(project), study_rows.to_answer(project, "judge").count()
    effect = by_person.without(project, person)
    assert effect.now.agreement == human_agreement(agreement.votes(project).every)
    assert effect.now.kept == Consensus.objects.filter(kept=True).count()
    interventions.exclude(person, by=None, reason="-")
    found = tallies(pairs)
    assert effect.pairs == len(pairs)
    assert effect.without.agreement == human_agreement(found)
    assert effect.without.all_agree == found[0, 4] + found[4, 0]
    assert effect.without.kept == study_rows.consensus_rows(project).filter(kept=True).count()
    assert effect.to_answer == study_rows.to_answer(project, "judge").count() - waiting
    assert effect.able == 4


def test_an_exclusion_records_the_agreement_before_it():
    person = excluded_person()
    before = agreement.votes(person.project).every
    step = interventions.exclude(person, by=None, reason="-")
    assert step.evidence == {
        "answers": 7,
        "agreement_before": round(human_agreement(before), 4),
    }
