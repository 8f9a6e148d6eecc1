"""What happens where a test set shares sentences with the pairs that a model is fitted to.

`Study.sharing` says it: the test set is skipped, the pairs with its sentences are dropped from
train and dev, or both are kept as they are.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias, TypeVar

from common.display import plural
from evaluation.data import Pairs, Unusable
from evaluation.experiments.figures import Figures, spread
from evaluation.experiments.fits import Fit, Results, Sharing, Study
from evaluation.experiments.sets import Base, Dataset, apart, labels, texts, together

# Test sets by name that are scored by one model: those of one release.
TestSets: TypeAlias = Mapping[str, Pairs]
# The name of the training of a release alone.
ALONE = "train"
Source = TypeVar("Source", Dataset, Base)
SAID = {
    Sharing.SKIP: "it is not tested. --shared drop leaves the pairs with them out of training.",
    Sharing.KEEP: "it is tested all the same.",
}

NOTHING_LEFT = (
    "Without the pairs that share a sentence with {tests}, {training} has no pairs of both labels "
    "in train, or none in dev. Use --shared skip or --shared keep."
)


@dataclass(frozen=True, eq=False)
class Training:
    """What a model is fitted to, and the dev set that chooses it."""

    name: str
    train: Pairs
    dev: Pairs

    def without(self, tests: TestSets) -> "Training":
        """Return the training without the pairs that have a sentence of the test sets."""
        others = [pairs for pairs in tests.values() if pairs is not self.dev]
        train = apart(self.train, together(tests.values()))
        return replace(self, train=train, dev=apart(self.dev, together(others)))

    def __len__(self) -> int:
        return len(self.train) + len(self.dev)


@dataclass(frozen=True, eq=False)
class Scored:
    """Test sets that one fit of a training scores; no fit if they are skipped.

    `shared` has the number of sentences that each shares with the training, where it is not 0.
    """

    training: Training
    tests: TestSets
    shared: Mapping[str, int] = field(default_factory=dict)
    left_out: int = 0
    is_skipped: bool = False

    def fit(self, model: str, seed: int) -> Fit:
        training = self.training
        return Fit(training.name, model, seed, training.train, training.dev, self.tests)

    def figures(self, test: str, results: Results, model: str, seeds: Sequence[int]) -> Figures:
        """Return the figures of a test set, or only what it shares if it is skipped."""
        if self.is_skipped:
            return {"shared": self.shared[test]}
        parts = (results[self.training.name, model, seed] for seed in seeds)
        figures = spread(self.tests[test], (part.scores[test] for part in parts))
        if self.left_out:
            return figures | {"left_out": self.left_out}
        return figures | ({"kept": self.shared[test]} if test in self.shared else {})

    def lines(self) -> Iterator[str]:
        """Yield what is said before the fits, of each test set that shares something."""
        for test, number in self.shared.items():
            count = plural(number, "sentence")
            said = SAID.get(Sharing.SKIP if self.is_skipped else Sharing.KEEP)
            if self.left_out:
                said = f"{plural(self.left_out, 'pair')} with them left out."
            where = f"train and dev of {self.training.name}"
            if self.training.name == ALONE:
                where = ALONE if test == "dev" else "train and dev"
            yield f"{test} shares {count} with {where}: {said}"


def plan(
    training: Training,
    test_sets: Mapping[str, TestSets],
    how: Sharing,
    *,
    always: Collection[str] = (),
) -> list[Scored]:
    """Return how the test sets of each release are scored, those of the first under the own name.

    Those named in `always` are not skipped.
    """
    shared = {name: _shared_sentences(training, tests) for name, tests in test_sets.items()}
    as_they_are = [
        name
        for name, numbers in shared.items()
        if not numbers or how is Sharing.KEEP or (how is Sharing.SKIP and name in always)
    ]
    groups = [as_they_are] if as_they_are else []
    groups += [[name] for name in test_sets if name not in as_they_are]
    first = next(iter(test_sets))
    return [
        _scored(
            training
            if first in names
            else replace(training, name=f"{training.name} for {names[0]}"),
            {test: pairs for name in names for test, pairs in test_sets[name].items()},
            {test: number for name in names for test, number in shared[name].items()},
            None if names is as_they_are else how,
        )
        for names in groups
    ]


def _scored(
    training: Training, tests: TestSets, shared: Mapping[str, int], how: Sharing | None
) -> Scored:
    if how is Sharing.SKIP:
        return Scored(training, tests, shared, is_skipped=True)
    if how is Sharing.DROP:
        rest = training.without(tests)
        if len(labels(rest.train)) < 2 or not len(rest.dev):
            raise Unusable(NOTHING_LEFT.format(training=training.name, tests=" and ".join(tests)))
        return Scored(rest, tests, shared, left_out=len(training) - len(rest))
    return Scored(training, tests, shared)


def _shared_sentences(training: Training, tests: TestSets) -> dict[str, int]:
    train, dev = texts(training.train).keys(), texts(training.dev).keys()
    seen = {test: train if pairs is training.dev else train | dev for test, pairs in tests.items()}
    numbers = {test: len(seen[test] & texts(pairs).keys()) for test, pairs in tests.items()}
    return {test: number for test, number in numbers.items() if number}


def without_shared(study: Study) -> tuple[Study, int]:
    """Return the study without the pairs that share a sentence with test, and their number.

    Unless such pairs are to be dropped, nothing is left out.
    """
    if study.sharing is not Sharing.DROP:
        return study, 0
    dataset, base, test = study.dataset, study.base, study.dataset.test
    rest, rest_of_base = _apart_from(dataset, test), base and _apart_from(base, test)
    left_out = _trained_on(dataset) - _trained_on(rest)
    if base and rest_of_base:
        left_out += _trained_on(base) - _trained_on(rest_of_base)
    return replace(study, datasets=[rest], base=rest_of_base), left_out


def _apart_from(source: Source, test: Pairs) -> Source:
    return replace(source, train=apart(source.train, test), dev=apart(source.dev, test))


def _trained_on(source: Dataset | Base) -> int:
    return len(source.train) + len(source.dev)
