"""The people of a study with their levels, as the list and the overview show them."""

import pytest

from annotation.models import Intervention
from annotation.people.selectors import names, watch
from annotation.people.selectors.risk import Level
from annotation.quality.services import interventions
from tests.annotation import judged, make
from tests.annotation.pages import client_of, page

pytestmark = pytest.mark.django_db
FAST = {"flag": "fast", "fast": 26, "answers": 27, "floor_seconds": 2.0, "ratio": 55.0}
PAIRS = 33


@pytest.fixture
def naming():
    """Of five judges of 33 pairs, the first one is apart on 18, and answered too fast."""
    project = make.study()
    people = judged.people(project, 5)
    votes = [[int(pair < 18), 0, 0, 0, 0] for pair in range(PAIRS)]
    judged.pairs(project, votes, by=people)
    flag = Intervention.Kind.FLAG
    Intervention.objects.create(membership=people[0], kind=flag, reason="-", evidence=FAST)
    make.person(project)
    return names.for_reader(make.person(project, role="manager"))


def test_who_needs_a_look_comes_first_with_the_reason(naming):
    [careless] = watch.needing_look(naming)
    assert careless.reason == (
        "Agrees with the others on 45 %, everybody else on 100 %. "
        "26 of the last 27 answers took less than 2 seconds each."
    )
    levels = [person.risk.level for person in watch.everyone(naming)]
    assert levels == [Level.LOOK, *[Level.FINE] * 6]


def test_nobody_needs_a_look_who_was_paused(naming):
    [careless] = watch.needing_look(naming)
    interventions.pause(careless.figures.membership, by=None, reason="-")
    assert watch.needing_look(naming) == []
    assert watch.everyone(naming)[-1].risk.level is Level.HANDLED


def test_a_flag_without_figures_is_told_by_its_reason():
    person = make.person(make.study())
    flag = Intervention.Kind.FLAG
    Intervention.objects.create(membership=person, kind=flag, reason="Looked odd.")
    manager = make.person(person.project, role="manager")
    [first, _manager] = watch.everyone(names.for_reader(manager))
    assert (first.risk.level, first.reason) == (Level.WATCH, "Looked odd.")


def test_people_of_a_study_without_a_majority_are_listed_by_their_distance_from_the_others():
    project = make.study(protocol="opinions")
    people = judged.people(project, 4)
    # On both pairs, the third person is 6 steps from the mean of the others, these 2 or less.
    judged.pairs(project, [[9, 9, 3, 9], [10, 10, 4, 10]], by=people)
    far, *near = watch.everyone(names.for_reader(make.person(project, role="manager")))
    assert far.figures.membership == people[2]
    assert [person.figures.distance for person in (far, near[0])] == [6, 2]
    text = client_of(project).get(page("people", project)).text
    assert "Distance from the others" in text
    for words in ("Agrees with the others", "human agreement", "Re-issue answers"):
        assert words not in text
    context = client_of(project).get(page("people", project), {"figures": "all"}).context
    assert {"agreement", "kappa", "kappa_others"}.isdisjoint(context["columns"])
