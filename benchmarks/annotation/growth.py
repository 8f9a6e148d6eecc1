"""The price of a judgment among 1,000,000 slots beside that in an empty study, in turns."""

from benchmarks.annotation import study
from benchmarks.annotation.annotator import Annotator
from benchmarks.annotation.crowd import measure_in_turns
from benchmarks.annotation.house import House
from benchmarks.table import Figure, at_most

PAIRS, DONE = 200_000, 20_000
FEW_PAIRS = 5000
BOUND = at_most(1.1, of_ratio=True)


def figures(house: House, *, seconds: float) -> list[Figure]:
    """Of one annotator who has done 20,000, with statistics from before the study was made."""
    # Each comes to the end of a small study, if only late.
    newcomers = [
        _annotator_of_new_study(house, f"Empty {number}", pairs=FEW_PAIRS) for number in range(3)
    ]
    first, second, third = newcomers
    _analyze()
    veteran = _annotator_of_new_study(house, "Large", pairs=PAIRS, judged=DONE)
    stale, empty = measure_in_turns(house, [veteran], [first], seconds=seconds)
    _replace_session(veteran)
    lost, empty_again = measure_in_turns(house, [veteran], [second], seconds=seconds)
    _analyze()
    fresh, empty_at_last = measure_in_turns(house, [veteran], [third], seconds=seconds)
    unit = "CPU-ms"
    return [
        Figure("1,000,000 slots, stale statistics", stale.cpu_ms, unit, empty.cpu_ms, BOUND),
        Figure("1,000,000 slots, lost session", lost.cpu_ms, unit, empty_again.cpu_ms, BOUND),
        Figure("1,000,000 slots, new statistics", fresh.cpu_ms, unit, empty_at_last.cpu_ms, BOUND),
        Figure(
            "errors among them",
            sum(len(person.errors) for person in (veteran, *newcomers)),
            goal=at_most(0),
        ),
    ]


def _annotator_of_new_study(house: House, name: str, *, pairs: int, judged: int = 0) -> Annotator:
    project = study.make_study(name, pairs=pairs)
    [session] = study.sign_in(project, [name])
    if judged:
        study.record_judgments(project, name, pairs=judged)
    annotator = Annotator(house.address, f"/projects/{project.public_id}/judge/", session)
    annotator.open()
    return annotator


def _replace_session(person: Annotator) -> None:
    """Sign in again, as after a lost cookie: whatever the session knew is gone."""
    person.session = study.sign_in_again(person.session)
    person.open()


def _analyze() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
