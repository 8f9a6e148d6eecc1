"""Pairs that wait for one more person when nobody is left, and are decided with their votes."""

import pytest
from django.core.management import call_command

from annotation.agreement import services
from annotation.models import Consensus, Judgment
from annotation.people.selectors import workforce
from annotation.quality.services import interventions
from tests.annotation import invariants, make
from tests.annotation.pages import client_of, page
from tests.annotation.small_study import judge, study

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
THREE_TO_SEVEN = {"judgments_per_pair": 3, "consensus_min_votes": 3, "judgments_at_most": 7}


@pytest.fixture
def waiting():
    """A pair that waits for a fifth person, of a study with four, and a pair that is kept."""
    project, people = study(2, 4, **THREE_TO_SEVEN)
    first, second = project.pairs.order_by("pk")
    for member, label in zip(people, (1, 0, 1, 1), strict=True):
        while (slot := make.claim(member)) is not None:
            make.submit(member, item=slot.item.public_id, label=label if slot.item == first else 1)
    assert Consensus.objects.get().pair == second
    return first


def manager_of(pair):
    return make.person(pair.project, role="manager").user


def decide(pair):
    return services.decide_with_votes(pair.project, by=manager_of(pair))


def test_a_pair_is_decided_with_the_votes_that_it_has(waiting):
    assert decide(waiting) == 1
    stored = Consensus.objects.filter(pair=waiting)
    assert stored.values_list("tally", "first_tally", "kept").get() == ([1, 3], [1, 2], False)
    assert not Judgment.objects.filter(submitted_at=None).exists()
    assert invariants.broken(waiting.project) == []
    call_command("recompute_consensus", project=waiting.project.name, check=True)


def test_nothing_is_decided_while_somebody_is_left(waiting):
    make.person(waiting.project)
    assert decide(waiting) == 0
    assert workforce.pairs_without_voters(waiting.project) == []


def test_nothing_is_decided_that_a_person_has_open(waiting):
    late = make.person(waiting.project)
    make.claim(late)
    interventions.pause(late, by=None, reason="For a test")
    assert decide(waiting) == 0


def test_a_decided_pair_takes_the_exclusion_and_the_return_of_an_answer(waiting):
    decide(waiting)
    no = waiting.slots.get(number=2).annotator.memberships.get()
    interventions.exclude(no, by=None, reason="For a test")
    assert Consensus.objects.get(pair=waiting).tally == [0, 3]
    interventions.reinstate(no, by=None, reason="For a test")
    assert Consensus.objects.get(pair=waiting).tally == [1, 3]
    assert invariants.broken(waiting.project) == []


def test_a_decided_pair_is_judged_again_by_as_many_as_any(waiting):
    decide(waiting)
    make.spare(waiting.project, 7)
    services.reopen(waiting.project, [waiting.public_id], by=manager_of(waiting))
    judge(waiting.project, 1, 0, 1)
    assert not Consensus.objects.filter(pair=waiting).exists()
    assert invariants.broken(waiting.project) == []


def test_a_pair_is_judged_again_only_if_all_people_that_it_may_need_are_left(waiting):
    decide(waiting)
    make.spare(waiting.project, 6)
    assert services.reopen(waiting.project, [waiting.public_id], by=manager_of(waiting)) == 0


def test_managers_are_told_and_decide_on_a_page(waiting):
    client = client_of(waiting.project)
    overview = page("overview", waiting.project)
    assert "1 pair waits for one more person" in client.get(overview).text
    address = page("decide_pairs", waiting.project)
    assert client.get(address).context["number"] == 1
    assert client.post(address).url == overview
    assert Consensus.objects.filter(pair=waiting).exists()
    assert "waits for one more person" not in client.get(overview).text
