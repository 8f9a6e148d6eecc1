"""The figures of a release of translations: counts as in PAWS-X Table 2, and word error rates."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.stats.labels import Scheme
from annotation.stats.paws_tables import SplitCounts, table5
from annotation.translations.stats.word_errors import (
    Errors,
    Rate,
    by_character,
    errors_of_rejected,
    rates,
    unit_of,
    word_errors,
)
from common.tables import Row, count
from releases.dataset.manifest import table_counts
from releases.dataset.paper_tables import outcome_counts, outcome_names
from releases.dataset.rows import ReleasedPair
from releases.dataset.translated.files import TRANSLATED, tables
from releases.dataset.translated.rows import (
    LeftOut,
    TranslationRow,
    UntranslatableRow,
    ValidationRow,
)

DIGITS = 6
REJECT = "reject"
IdsByReason = Mapping[str, Mapping[str, Sequence[str]]]


@dataclass(slots=True)
class Figures:
    """Counts the rows of a release on their way to the files."""

    language: str
    scheme: Scheme
    places: Counter[tuple[str, str, int | None]] = field(default_factory=Counter)
    by: Counter[str] = field(default_factory=Counter)
    translators: set[str] = field(default_factory=set)
    validators: set[str] = field(default_factory=set)
    actions: Counter[str] = field(default_factory=Counter)
    untranslatable: int = 0
    simulated: Counter[str] = field(default_factory=Counter)
    errors: list[tuple[str, Errors]] = field(default_factory=list)

    @property
    def is_simulated(self) -> bool:
        return self.simulated.total() > 0

    def add_pair(self, pair: ReleasedPair) -> None:
        self.places[pair.subset or "", pair.split or "", pair.label] += 1

    def add_sentence(self, row: TranslationRow) -> None:
        self.by[row.by if row.language == self.language else "back"] += 1
        self.simulated["translations"] += row.simulated
        if row.translator is not None:
            self.translators.add(row.translator)

    def add_untranslatable(self, _: UntranslatableRow) -> None:
        self.untranslatable += 1

    def add_validation(self, row: ValidationRow) -> None:
        self.actions[row.action] += 1
        self.simulated["validations"] += row.simulated
        self.validators.add(row.validator)
        self.errors.append((row.translator, Errors(row.errors, row.words)))

    def counts(self, left_out: IdsByReason) -> dict[str, Any]:
        """Return the counts of manifest.json."""
        return {
            "subsets": table_counts(
                self.places,
                tables(self.scheme),
                None if self.scheme.is_binary else self.scheme.pair_labels,
            ),
            "left_out": {
                why: {split: len(ids) for split, ids in splits.items()}
                for why, splits in left_out.items()
            },
            "translations": {name: self.by[name] for name in ("human", "machine", "back")},
            "untranslatable": self.untranslatable,
            "validations": {name: self.actions[name] for name in ("accept", "fix", REJECT)},
            "translators": len(self.translators),
            "validators": len(self.validators),
            **({"simulated": dict(self.simulated)} if self.is_simulated else {}),
        }

    def word_errors(self) -> dict[str, Any]:
        """Return the word error rates of manifest.json."""
        overall, translators = rates(self.errors)
        return {
            "unit": unit_of(self.language),
            "overall": as_json(overall),
            "translators": {name: as_json(rate) for name, rate in translators.items()},
        }


def as_json(rate: Rate) -> dict[str, Any]:
    """Return a rate, rounded to be the same on every machine."""
    return {
        "sentences": rate.sentences,
        "errors": rate.errors,
        "words": rate.words,
        "rate": None if rate.value is None else round(rate.value, DIGITS),
        "interval": rate.interval and [round(end, DIGITS) for end in rate.interval],
    }


def validation(before: str, after: str | None, *, language: str, **columns: Any) -> ValidationRow:
    """Return the row of a validation with its errors; `after` is None if it was rejected."""
    counts_characters = by_character(language)
    if after is None:
        errors = errors_of_rejected(before, by_character=counts_characters)
    else:
        errors = word_errors(after, before, by_character=counts_characters)
    return ValidationRow(
        before=before, after=after, errors=errors.errors, words=errors.words, **columns
    )


def number_drawn(counts: Mapping[str, Any], split: str) -> int:
    """Return the number of pairs of the source, of dev and test the drawn ones, by counts."""
    reasons = counts["left_out"].items()
    # Where only the back translation is missing, the pair is in `translated`.
    left_out: Iterator[int] = (
        splits.get(split, 0)
        for why, splits in reasons
        if split == "train" or why != LeftOut.NO_MACHINE_TRANSLATION
    )
    pairs: int = counts["subsets"]["translated"][split]["pairs"]
    return pairs + sum(left_out)


def sizes(counts: Mapping[str, Any], scheme: Scheme) -> list[Row]:
    """Return the sizes of the tables, as in PAWS-X Table 2, next to those of the source."""
    subsets, outcomes = counts["subsets"], outcome_names(scheme)
    source = {split: number_drawn(counts, split) for split in subsets[TRANSLATED]}
    sizes_by_table = {name: split_sizes(splits) for name, splits in subsets.items()}
    header, *rows = table5(sizes_by_table, outcomes=outcomes)
    numbers = (count(source[split]) for split in source)
    source_row = ("Pairs to translate", *numbers, *([""] * len(outcomes)))
    return [header, source_row, *rows]


def split_sizes(splits: Mapping[str, Mapping[str, Any]]) -> SplitCounts:
    pairs = {split: numbers["pairs"] for split, numbers in splits.items()}
    return SplitCounts(pairs.get("train"), pairs["dev"], pairs["test"], outcome_counts(splits))
