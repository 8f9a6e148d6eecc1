"""Who is flagged: twelve people through the database, then error rates from plain studies.

Ten read and are right in 90 to 95 % of their answers, one throws a coin for each pair, and one
always says "same"; both of them take a quarter of the time that the others take.
"""

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from statistics import median
from time import process_time
from typing import Any

from benchmarks.annotation import study
from benchmarks.annotation.house import House
from benchmarks.table import Figure, at_least, at_most
from support import plain_study
from support.plain_study import Person, alternates, reads, says_same

SEEDS, SOON, LAST, EVERY = 20, 30, 40, 10
ACCURACY = (0.9, 0.95)
# Shares of paraphrases by method: annotation.work.simulation.PARAPHRASES.
MIXES = {"word swaps, 12 % paraphrases": "word_swap", "half paraphrases": "imported"}

PEOPLE, PLAIN_ANSWERS = 250, 200
SHARES = (0.05, 0.12, 0.5, 0.88, 0.95)


def figures(house: House, *, seconds: float) -> list[Figure]:
    """Of the study through the database, then of plain ones; `seconds` is of no account here."""
    del house, seconds
    found = [figure for mix in MIXES for figure in through_database(mix)]
    return [*found, *_honest(), *_careless()]


@dataclass(slots=True)
class _Course:
    """Kind of each person, and after how many answers whom a flag was raised against."""

    kinds: dict[int, str] = field(default_factory=dict)
    flagged: dict[int, int] = field(default_factory=dict)
    looks: int = 0
    looking: float = 0.0

    def soon(self, kind: str) -> int:
        return sum(
            self.kinds[member] == kind and given <= SOON for member, given in self.flagged.items()
        )


def through_database(mix: str, *, seeds: int = SEEDS, last: int = LAST) -> list[Figure]:
    """The whole course of so many studies, through the same services as that of real people."""
    courses = [_course(f"{mix} {seed}", MIXES[mix], seed, last) for seed in range(1, seeds + 1)]
    honest = sum(course.kinds[one] == "reads" for course in courses for one in course.flagged)
    looking = sum(course.looking for course in courses) / sum(course.looks for course in courses)
    return [
        Figure(
            f"{kind} flagged within {SOON} answers, {mix}",
            sum(course.soon(kind) for course in courses),
            f"of {seeds}",
            goal=at_least(seeds),
        )
        for kind in ("random", "same")
    ] + [
        Figure(f"readers flagged in {last}, {mix}", honest, f"of {10 * seeds}", goal=at_most(0)),
        Figure(f"a review of one person, {mix}", 1000 * looking, "CPU-ms"),
    ]


def _course(name: str, method: str, seed: int, last: int) -> _Course:
    from annotation.quality.services import review
    from annotation.work import simulation
    from generation.models import GenerationRun

    drawn, course = Random(seed), _Course()
    project = study.make(name, pairs=12 * last // 5 + 12)
    GenerationRun.objects.filter(corpus__name=name).update(method=method)
    careless = {"random": 1, "same": 1}
    crowd = simulation.crowd(project, size=10, accuracy=1.0, seed=seed, careless=careless)
    names = {kind: name for name, kind in simulation.CARELESS.items()}
    for person in crowd:
        person.accuracy = drawn.uniform(*ACCURACY)
        course.kinds[person.membership.pk] = names.get(type(person), "reads")
    drawn.shuffle(crowd)
    for given in range(1, last + 1):
        for person in crowd:
            person.answer("judge")
        if given <= SOON or given % EVERY == 0:
            before = process_time()
            for flag in review.review(project):
                course.flagged.setdefault(flag.membership_id, given)
            course.looking += process_time() - before
            course.looks += len(crowd)
    return course


def _honest() -> list[Figure]:
    """Share of readers who are ever flagged, looked at after every tenth of 200 answers."""
    alike = [
        Figure(
            f"readers flagged, right in {accuracy:.0%} like the others, {share:.0%} paraphrases",
            _flagged(reads(accuracy), others=accuracy, share=share),
            "%",
            goal=at_most(0.5),
        )
        for accuracy in (0.85, 0.97)
        for share in SHARES
    ]
    return [
        *alike,
        Figure("readers at half the usual time", _flagged(reads(0.93), seconds=11.0), "%"),
        Figure("readers right in 85 % among 93 %", _flagged(reads(0.85)), "%"),
        Figure("readers right in 80 % among 93 %", _flagged(reads(0.80)), "%"),
    ]


def _flagged(
    says: plain_study.Says,
    *,
    others: float = 0.93,
    share: float = 0.12,
    seconds: float = plain_study.USUAL_SECONDS,
) -> float:
    """Percent of so many people, each in a plain study with nine readers."""
    hits = 0
    for seed in range(PEOPLE):
        crowd = [Person(says, seconds), *(Person(reads(others)) for _ in range(9))]
        found = plain_study.run(
            crowd,
            paraphrases=share,
            rounds=PLAIN_ANSWERS,
            seed=seed,
            looks=lambda given: given % EVERY == 0,
        )
        hits += 0 in found
    return 100 * hits / PEOPLE


def _careless() -> list[Figure]:
    """Answers after which the middle one of fifty is flagged, and percent within 30."""
    kinds: dict[str, tuple[Any, float]] = {
        "throws a coin, usual time": (says_same(0.5), 22.0),
        "throws a coin, quarter of the time": (says_same(0.5), 5.5),
        "same of 20 %, quarter of the time": (says_same(0.2), 5.5),
        "same of 80 %, quarter of the time": (says_same(0.8), 5.5),
        "alternates, usual time": (alternates, 22.0),
        "always same, usual time": (says_same(1.0), 22.0),
        "always different, usual time": (says_same(0.0), 22.0),
    }
    return [
        figure
        for kind, (says, seconds) in kinds.items()
        for share in (0.12, 0.5)
        for figure in _seen(f"{kind}, {share:.0%} paraphrases", says, seconds, share)
    ]


def _seen(name: str, says: plain_study.Says, seconds: float, share: float) -> list[Figure]:
    after = Counter[int]()
    for seed in range(50):
        crowd = [Person(says, seconds), *(Person(reads(0.93)) for _ in range(9))]
        found = plain_study.run(
            crowd, paraphrases=share, rounds=100, seed=seed, looks=lambda given: given % 5 == 0
        )
        after[found[0][0] if 0 in found else 1000] += 1
    within = 100 * sum(times for given, times in after.items() if given <= SOON) / after.total()
    return [
        Figure(f"{name}: median answers", median(after.elements())),
        Figure(f"{name}: within {SOON}", within, "%"),
    ]
