"""Reads pairs that were translated elsewhere, and audits them against their source (PAWS-X)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from annotation.translations.stats.placeholders import is_placeholder, is_suspect
from generation.nlp.text import MAX_CHARACTERS, RefusedText, check
from generation.records import Record, RefusedLine
from releases.dataset.folders import unpack
from releases.dataset.sources import labelled
from releases.dataset.translated.rows import Pair

COLUMNS = ("id", "sentence1", "sentence2")
LABEL = "label"
# A translation may be much longer than its source.
MOST_CHARACTERS = 3 * MAX_CHARACTERS


class Fault(StrEnum):
    """Why a line was refused, in addition to those of tables and texts."""

    PLACEHOLDER = "placeholder"
    UNKNOWN_PAIR = "unknown_pair"
    REPEATED_PAIR = "repeated_pair"


class Line(NamedTuple):
    """A line of a file, counted from 1, with its pair, or why it has none."""

    number: int
    pair: Pair | None
    fault: str = ""


class Refused(NamedTuple):
    """A line that cannot be used; `id` is "" if the line could not be read.

    `detail` is the length of a text that is too long, and the limit.
    """

    line: int
    id: str
    reason: str
    detail: str = ""


class WrongLabel(NamedTuple):
    """A label of a line that differs from that of the source, which wins."""

    line: int
    id: str
    given: str
    source: str


@dataclass(slots=True)
class Audit:
    """What came of the lines of a file.

    Labels are compared on every line whose pair is known, also if its texts are refused: the
    published PAWS-X has label 0 wherever it has placeholders. `pairs` have the source's labels.
    """

    lines: int = 0
    pairs: list[Pair] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    wrong_labels: list[WrongLabel] = field(default_factory=list)

    @property
    def collapsed(self) -> list[Pair]:
        """The pairs whose translations are equal."""
        return [pair for pair in self.pairs if pair.is_collapsed]

    @property
    def suspects(self) -> list[Pair]:
        """The pairs of which a text may only say that there is no translation."""
        return [pair for pair in self.pairs if any(map(is_suspect, pair[1:3]))]

    @property
    def collapsed_negatives(self) -> list[Pair]:
        """Those of them that are no paraphrases: at least one translation is wrong."""
        return [pair for pair in self.collapsed if pair.label == "0"]


def read_lines(records: Iterable[tuple[int, Record, str | None]]) -> Iterator[Line]:
    """Yield the lines of numbered records with the values of COLUMNS, or with their fault."""
    for number, record, fault in records:
        if fault:
            yield Line(number, None, fault)
            continue
        key, text1, text2 = (normalize("NFC", record.get(name, "")).strip() for name in COLUMNS)
        yield Line(number, Pair(key, text1, text2, record.get(LABEL, "").strip() or None))


def pairs_of_release(path: Path) -> dict[str, Pair]:
    """Return the pairs of labeled_final by id, of a folder or its .tar.gz. Raises Unreadable."""
    with unpack(path) as folder:
        return {
            pair.id: Pair(pair.id, pair.sentence1, pair.sentence2, str(pair.label))
            for pair in labelled(folder)
        }


def pairs_of_lines(lines: Iterable[Line]) -> dict[str, Pair]:
    """Return the pairs of lines by id. Raises ValueError for one without a pair or a label."""
    pairs = {}
    for number, pair, fault in lines:
        if pair is None or pair.label is None:
            raise ValueError(f"line {number}: {fault or 'no label'}")
        pairs[pair.id] = pair
    return pairs


def audit(lines: Iterable[Line], source: Mapping[str, Pair]) -> Audit:
    """Sort out which lines can be used, and name labels that differ from the source's."""
    report, ids = Audit(), set[str]()
    for number, pair, fault in lines:
        report.lines += 1
        pair_of_source = pair and source.get(pair.id)
        if pair is None or pair_of_source is None or pair.id in ids:
            pair_fault = Fault.REPEATED_PAIR if pair_of_source else Fault.UNKNOWN_PAIR
            report.refused.append(Refused(number, pair.id if pair else "", fault or pair_fault))
            continue
        ids.add(pair.id)
        if pair.label is not None and pair.label != pair_of_source.label:
            report.wrong_labels.append(
                WrongLabel(number, pair.id, pair.label, str(pair_of_source.label))
            )
        try:
            text1, text2 = (_translation(text) for text in pair[1:3])
        except RefusedText as refused:
            report.refused.append(Refused(number, pair.id, refused.reason, refused.sizes))
            continue
        except RefusedLine as refused:
            report.refused.append(Refused(number, pair.id, refused.reason))
            continue
        report.pairs.append(Pair(pair.id, text1, text2, pair_of_source.label))
    return report


def translations(
    pairs: Sequence[Pair], source: Mapping[str, Pair]
) -> tuple[dict[str, str], list[Pair]]:
    """Return a translation of each source text, and the pairs that have another one.

    The first one counts: a sentence of several pairs is translated once.
    """
    texts: dict[str, str] = {}
    different = []
    for pair in pairs:
        sides = zip(source[pair.id][1:3], pair[1:3], strict=True)
        first_texts = [texts.setdefault(text, translated) for text, translated in sides]
        if first_texts != [pair.sentence1, pair.sentence2]:
            different.append(pair)
    return texts, different


def _translation(text: str) -> str:
    """Return a text as it is stored. Raises RefusedText or RefusedLine."""
    if is_placeholder(text):
        raise RefusedLine(Fault.PLACEHOLDER)
    return check(text, max_characters=MOST_CHARACTERS)
