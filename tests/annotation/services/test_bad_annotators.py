"""Ten honest people, one who clicks at random and one who always says "same": who is flagged."""

from collections.abc import Iterator
from itertools import count, groupby
from random import Random

import pytest

from annotation.models import Intervention, Membership, Project
from annotation.services import quality, simulation
from annotation.services.simulation import AlwaysSame, RandomClicker, SimulatedAnnotator
from generation.models import Method
from tests.annotation import cast

pytestmark = [pytest.mark.django_db]

ROUNDS = 32


def uncorrected(**settings: object) -> Project:
    """A study whose word swaps are judged as they were made."""
    return cast.study(corrected_methods=["imported"], **settings)


def people(project: Project, seed: int) -> list[SimulatedAnnotator]:
    """Twelve in an order of their own; the honest are right in 90 to 95 % of their answers."""
    drawn = Random(seed)
    careless = {"random": 1, "same": 1}
    crowd = simulation.crowd(project, size=10, accuracy=1.0, seed=seed, careless=careless)
    for person in crowd:
        person.accuracy = drawn.uniform(0.9, 0.95)
    return drawn.sample(crowd, len(crowd))


def pairs(project: Project, swaps: int, translations: int, seed: int) -> None:
    """So many pairs of each method, in the order in which a seed shuffles them."""
    kinds = [Method.WORD_SWAP] * swaps + [Method.BACK_TRANSLATION] * translations
    number = count()
    for method, stretch in groupby(Random(seed).sample(kinds, len(kinds))):
        texts = [
            (f"Source {seed} {next(number)}.", f"Rewrite {seed} {next(number)}.") for _ in stretch
        ]
        cast.candidates(project, texts, method=method)


def rounds(crowd: list[SimulatedAnnotator], number: int) -> Iterator[int]:
    """Each gives one answer in turn; yields how many each has given."""
    for given in range(1, number + 1):
        for person in crowd:
            person.judge()
        yield given


def flagged_after(project: Project, crowd: list[SimulatedAnnotator]) -> dict[int, int]:
    """Membership -> answers given when the person's first flag was raised."""
    found: dict[int, int] = {}
    for given in rounds(crowd, ROUNDS):
        for flag in quality.review(project):
            found.setdefault(flag.membership_id, given)
    return found


def key_of(crowd: list[SimulatedAnnotator], kind: type[SimulatedAnnotator]) -> int:
    [person] = [each for each in crowd if type(each) is kind]
    return person.membership.pk


@pytest.mark.parametrize(("seed", "swaps", "translations"), [(1, 80, 0), (2, 40, 40)])
def test_both_are_flagged_within_thirty_answers_and_nobody_else(seed, swaps, translations):
    project = uncorrected()
    pairs(project, swaps, translations, seed)
    crowd = people(project, seed)
    found = flagged_after(project, crowd)
    assert set(found) == {key_of(crowd, RandomClicker), key_of(crowd, AlwaysSame)}
    assert max(found.values()) <= 30


def test_with_pausing_the_study_goes_on_without_them():
    project = uncorrected(on_flag=Project.OnFlag.PAUSE)
    pairs(project, 80, 0, 3)
    crowd = people(project, 3)
    flagged_after(project, crowd)
    paused = Membership.objects.filter(project=project, paused_at__isnull=False)
    assert set(paused.values_list("pk", flat=True)) == {
        key_of(crowd, RandomClicker),
        key_of(crowd, AlwaysSame),
    }
    assert Intervention.objects.filter(kind=Intervention.Kind.PAUSE, by=None).count() == 2
