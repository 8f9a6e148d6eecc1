"""An expert's label stands beside those of the people, never in their place."""

import pytest

from annotation.errors import Refused
from annotation.models import Consensus
from annotation.selectors import verdicts
from annotation.services import adjudication
from tests.annotation import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    project = cast.study(judgments_per_pair=3, consensus_min_votes=3)
    cast.pairs(project, 1)
    return project


@pytest.fixture
def expert(project):
    return cast.person(project).user


def judged(project, *labels):
    for label in labels:
        cast.judge_next(cast.person(project), label)
    return project.pairs.get()


@pytest.mark.parametrize("label", [0, 1, None])
def test_an_expert_says_what_a_pair_is(project, expert, label):
    pair = judged(project, 1, 1, 0)
    said = adjudication.decide(pair, by=expert, label=label, note=" A matter of tense. ")
    assert (said.label, said.by, said.note) == (label, expert, "A matter of tense.")


def test_the_consensus_stays_as_it_is(project, expert):
    pair = judged(project, 1, 1, 0)
    before = Consensus.objects.values().get()
    adjudication.decide(pair, by=expert, label=0)
    assert Consensus.objects.values().get() == before


def test_the_latest_is_in_force_and_all_are_on_record(project, expert):
    pair = judged(project, 1, 1, 0)
    first = adjudication.decide(pair, by=expert, label=0)
    second = adjudication.decide(pair, by=expert, label=1)
    assert verdicts.adjudications(pair) == [second, first]


def test_a_pair_that_is_kept_is_not_adjudicated(project, expert):
    with pytest.raises(Refused):
        adjudication.decide(judged(project, 1, 1, 1), by=expert, label=0)


def test_a_pair_that_is_not_decided_is_not_adjudicated(project, expert):
    with pytest.raises(Refused):
        adjudication.decide(judged(project, 1, 0), by=expert, label=0)


@pytest.mark.parametrize(("label", "note"), [(2, ""), (-1, ""), (1, "x" * 501)])
def test_no_such_label_and_no_novel(project, expert, label, note):
    pair = judged(project, 1, 1, 0)
    with pytest.raises(Refused):
        adjudication.decide(pair, by=expert, label=label, note=note)
    assert verdicts.adjudications(pair) == []
