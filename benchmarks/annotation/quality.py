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
    table = [figure for mix in MIXES for figure in database_figures(mix)]
    return [*table, *_reader_figures(), *_careless_figures()]


@dataclass(slots=True)
class _Course:
    """Kind of each person, and after how many answers whom a flag was raised against."""

    kinds: dict[int, str] = field(default_factory=dict)
    flagged: dict[int, int] = field(default_factory=dict)
    looks: int = 0
    looking: float = 0.0

    def soon(self, kind: str) -> int:
        return sum(
            self.kinds[member] == kind and answers <= SOON
            for member, answers in self.flagged.items()
        )


def database_figures(mix: str, *, seeds: int = SEEDS, last: int = LAST) -> list[Figure]:
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
    from annotation.models import Project
    from annotation.quality.services import review
    from annotation.work import simulation
    from generation.models import GenerationRun

    random, course = Random(seed), _Course()
    project = study.make_study(name, pairs=12 * last // 5 + 12)
    GenerationRun.objects.filter(corpus__name=name).update(method=method)
    careless = {"random": 1, "same": 1}
    crowd = simulation.crowd(project, size=10, accuracy=1.0, seed=seed, careless=careless)
    kind_of_class = {kind: name for name, kind in simulation.CARELESS.items()}
    for person in crowd:
        person.accuracy = random.uniform(*ACCURACY)
        course.kinds[person.membership.pk] = kind_of_class.get(type(person), "reads")
    random.shuffle(crowd)
    for number in range(1, last + 1):
        for person in crowd:
            person.answer("judge")
        if number <= SOON or number % EVERY == 0:
            cpu_before = process_time()
            for flag in review.review_all():
                course.flagged.setdefault(flag.membership_id, number)
            course.looking += process_time() - cpu_before
            course.looks += len(crowd)
    Project.objects.filter(pk=project.pk).update(is_open=False)  # the next course looks at its own
    return course


def _reader_figures() -> list[Figure]:
    """Share of readers who are ever flagged, looked at after every tenth of 200 answers."""
    alike = [
        Figure(
            f"readers flagged, right in {accuracy:.0%} like the others, {share:.0%} paraphrases",
            _percent_flagged(reads(accuracy), others=accuracy, share=share),
            "%",
            goal=at_most(0.5),
        )
        for accuracy in (0.85, 0.97)
        for share in SHARES
    ]
    return [
        *alike,
        Figure("readers at half the usual time", _percent_flagged(reads(0.93), seconds=11.0), "%"),
        Figure("readers right in 85 % among 93 %", _percent_flagged(reads(0.85)), "%"),
        Figure("readers right in 80 % among 93 %", _percent_flagged(reads(0.80)), "%"),
    ]


def _percent_flagged(
    answer: plain_study.Says,
    *,
    others: float = 0.93,
    share: float = 0.12,
    seconds: float = plain_study.USUAL_SECONDS,
) -> float:
    """Percent of so many people, each in a plain study with nine readers."""
    hits = 0
    for seed in range(PEOPLE):
        crowd = [Person(answer, seconds), *(Person(reads(others)) for _ in range(9))]
        flags = plain_study.run(
            crowd,
            paraphrases=share,
            rounds=PLAIN_ANSWERS,
            seed=seed,
            looks=lambda number: number % EVERY == 0,
        )
        hits += 0 in flags
    return 100 * hits / PEOPLE


def _careless_figures() -> list[Figure]:
    """Answers after which the middle one of fifty is flagged, and percent within 30."""
    habits: dict[str, tuple[Any, float]] = {
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
        for name, (answer, seconds) in habits.items()
        for share in (0.12, 0.5)
        for figure in _figures_of_careless_person(
            f"{name}, {share:.0%} paraphrases", answer, seconds, share
        )
    ]


def _figures_of_careless_person(
    name: str, answer: plain_study.Says, seconds: float, share: float
) -> list[Figure]:
    people_by_answers = Counter[int]()
    for seed in range(50):
        crowd = [Person(answer, seconds), *(Person(reads(0.93)) for _ in range(9))]
        flags = plain_study.run(
            crowd, paraphrases=share, rounds=100, seed=seed, looks=lambda number: number % 5 == 0
        )
        people_by_answers[flags[0][0] if 0 in flags else 1000] += 1
    percent_soon = (
        100
        * sum(times for number, times in people_by_answers.items() if number <= SOON)
        / people_by_answers.total()
    )
    return [
        Figure(f"{name}: median answers", median(people_by_answers.elements())),
        Figure(f"{name}: within {SOON}", percent_soon, "%"),
    ]
