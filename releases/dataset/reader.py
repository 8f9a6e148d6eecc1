"""Reads the files of a release strictly: any other form of the same content is an error."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from math import isfinite, nan
from operator import sub
from pathlib import Path
from typing import Any, TypeVar

from annotation.stats.labels import Scheme
from releases.dataset.columns import add_entities
from releases.dataset.facts import models_by_run
from releases.dataset.files import (
    ANNOTATORS,
    JUDGMENTS,
    MODEL_JUDGMENTS,
    PAIRS,
    SENTENCES,
    LineFile,
    ReleaseKind,
    Row,
    Table,
    format_names,
)
from releases.dataset.manifest import MANIFEST, Manifest, RowCounts, counted
from releases.dataset.replies import RepliesCounts
from releases.dataset.rows import AnnotatorRow, ReleasedPair, SentenceRow, batches
from releases.dataset.settings import ReleaseSettings
from releases.dataset.tables import tables
from releases.dataset.tallies import count_answers

R = TypeVar("R", bound=tuple[Any, ...])
MOST_DIFFERENCES = 20
# The first line after the header of a TSV file.
FIRST_ROW = 2


@dataclass(frozen=True, slots=True)
class Difference:
    """An error in a file, and its line; lines count from 1."""

    path: str
    what: str
    line: int | None = None

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}, line {self.line}"
        return f"{place}: {self.what}"


class Unreadable(ValueError):
    """A file of a release is missing or does not follow the format."""

    def __init__(self, path: str, reason: str, line: int | None = None) -> None:
        super().__init__(f"{path}: {reason}")
        self.difference = Difference(path, reason, line)


def first_differences(
    all_differences: Iterable[Difference], *, most: int = MOST_DIFFERENCES
) -> Iterator[Difference]:
    """Yield the first differences, and the number of further ones."""
    differences, last = iter(all_differences), None
    for last in islice(differences, most):
        yield last
    number = sum(1 for _ in differences)
    if last is not None and number:
        yield Difference(last.path, f"and {number} more")


NO_MANIFEST = "is missing, so this is no release: name the folder that holds it, or its .tar.gz"
BAD_MANIFEST = "is not valid JSON ({place}), so it is damaged: copy the release again"


@dataclass(frozen=True, slots=True)
class ReadRelease:
    """The content of the files of a release.

    Sentences and pairs are kept in the order of their lines; judgments only as tallies by pair;
    tables are read where they are needed. `generators` has the models of each run, `model_labels`
    the labels of the model of `hard_for` as places, and `found` the errors in judgments.
    """

    folder: Path
    manifest: Manifest
    settings: ReleaseSettings
    sentences: list[SentenceRow]
    pairs: list[ReleasedPair]
    tallies: Mapping[str, tuple[int, ...]]
    first_tallies: Mapping[str, tuple[int, ...]]
    found: tuple[Difference, ...]
    counts: RowCounts
    generators: Mapping[int, str | None]
    model_labels: Mapping[str, int]
    annotators: list[AnnotatorRow]

    @property
    def language(self) -> str:
        return str(self.manifest.get("language", ""))

    @property
    def version(self) -> int:
        return version_of(self.manifest)

    @property
    def tables(self) -> tuple[Table, ...]:
        return tables(self.settings, self.version)


def read_release(folder: Path) -> ReadRelease:
    """Read the manifest, sentences, pairs and judgments of a release. Raises Unreadable."""
    manifest = read_manifest(folder, *format_names(ReleaseKind.RELEASE))
    version = version_of(manifest)
    settings = read_settings(manifest)
    generators = read_generators(manifest) if version > 1 else {}
    annotators = read_annotators(folder, version=version)
    counts = RowCounts(settings, replies=RepliesCounts(annotators))
    sentences = list(counted(read_rows(folder, SENTENCES, version=version), counts.add_sentence))
    texts = {row.id: row.text for row in sentences}
    pair_rows = read_pairs(folder, texts, settings.scheme, version=version)
    raw_pairs = list(counted(pair_rows, counts.add_pair))
    if generators:
        raw_pairs = [
            pair._replace(generator=generators.get(pair.run)) if pair.run else pair
            for pair in raw_pairs
        ]
    pairs = add_entities(raw_pairs, sentences, settings.columns)
    judgments = counted(read_rows(folder, JUDGMENTS, version=version), counts.add_judgment)
    texts_by_pair = {pair.id: (pair.text1, pair.text2) for pair in pairs if pair.origin == "judged"}
    tallies = dict.fromkeys(texts_by_pair, (0,) * settings.scheme.size)
    later: dict[str, tuple[int, ...]] = {}
    faults = count_answers(judgments, tallies, later, settings, texts_by_pair)
    wrong_answers = (Difference(JUDGMENTS.path, what, line) for line, what in faults)
    differences = tuple(first_differences(wrong_answers))  # this fills the tallies
    return ReadRelease(
        folder=folder,
        manifest=manifest,
        settings=settings,
        sentences=sentences,
        pairs=pairs,
        tallies=tallies,
        first_tallies={
            key: tuple(map(sub, tallies[key], later_tally)) for key, later_tally in later.items()
        },
        found=differences,
        counts=counts,
        generators=generators,
        model_labels=read_model_labels(folder, settings, version=version),
        annotators=annotators,
    )


def read_model_labels(folder: Path, settings: ReleaseSettings, *, version: int) -> dict[str, int]:
    """Read the labels of the model of `hard_for` by pair, if there is one. Raises Unreadable."""
    if not settings.hard_for:
        return {}
    places = {value: place for place, value in enumerate(settings.scheme.values)}
    return {
        row.pair: places[row.label]
        for row in read_rows(folder, MODEL_JUDGMENTS, version=version)
        if f"{row.model} {row.revision}".strip() == settings.hard_for and row.label in places
    }


def read_annotators(folder: Path, *, version: int) -> list[AnnotatorRow]:
    """Read annotators.jsonl, which few releases have. Raises Unreadable."""
    if version < ANNOTATORS.since or not (folder / ANNOTATORS.path).exists():
        return []
    return list(read_rows(folder, ANNOTATORS, version=version))


def read_manifest(folder: Path, *formats: str) -> Manifest:
    """Read manifest.json, of one of these formats, by default of a release. Raises Unreadable."""
    formats = formats or format_names()
    contents = _read_json_of_manifest(folder)
    if not isinstance(contents, dict) or contents.get("format") not in formats:
        raise Unreadable(MANIFEST, f"not of the format {' or '.join(formats)}")
    for key in ("settings", "files", "counts"):
        if not isinstance(contents.get(key), dict):
            raise Unreadable(MANIFEST, f"no {key}")
    for path, entry in contents["files"].items():
        if not isinstance(entry, dict) or entry.keys() != {"sha256", "bytes", "rows"}:
            raise Unreadable(MANIFEST, f"{path} is not described by sha256, bytes and rows")
    return contents


def version_of(manifest: Manifest) -> int:
    """Return the version of the format of a manifest that was read."""
    return int(manifest["format"].rpartition("/")[2])


def _read_json_of_manifest(folder: Path) -> Any:
    try:
        return json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise Unreadable(MANIFEST, NO_MANIFEST) from error
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise Unreadable(MANIFEST, BAD_MANIFEST.format(place=place)) from error
    except (OSError, ValueError, RecursionError) as error:
        raise Unreadable(MANIFEST, f"cannot be read: {error}") from error


def read_settings(manifest: Manifest) -> ReleaseSettings:
    """Return the settings in a manifest. Raises Unreadable."""
    try:
        return ReleaseSettings.from_dict(manifest["settings"])
    except (TypeError, ValueError) as error:
        raise Unreadable(MANIFEST, f"settings: {error}") from error


def read_generators(manifest: Manifest) -> dict[int, str | None]:
    """Return the models of each run by its number. Raises Unreadable."""
    try:
        return models_by_run(manifest["runs"])
    except (KeyError, TypeError, ValueError) as error:
        raise Unreadable(MANIFEST, "runs is not a list of runs with number and models") from error


def read_pairs(
    folder: Path, texts: Mapping[str, str], scheme: Scheme, *, version: int
) -> Iterator[ReleasedPair]:
    """Read pairs.jsonl; `texts` has the texts of sentences by id. Raises Unreadable."""
    sizes = {"votes": len(scheme.outcomes), "tally": scheme.size}
    for line, pair in enumerate(read_rows(folder, PAIRS, version=version), start=1):
        for name, size in sizes.items():
            numbers = getattr(pair, name)
            if numbers is not None and len(numbers) != size:
                raise Unreadable(PAIRS.path, f"{name} are {len(numbers)} numbers, not {size}", line)
        text1, text2 = texts.get(pair.sentence1, ""), texts.get(pair.sentence2, "")
        yield pair._replace(text1=text1, text2=text2)


def read_rows(folder: Path, file: LineFile[R], *, version: int) -> Iterator[R]:
    """Yield the rows of a JSONL file, exactly as this version of the format writes them.

    Raises Unreadable.
    """
    file = file.at_version(version)
    for batch in batches(read_text_lines(folder, file.path)):
        rows = []
        for number, line in batch:
            try:
                rows.append(file.parse(line))
            except (AttributeError, TypeError, ValueError, RecursionError) as error:
                raise Unreadable(file.path, str(error), number) from error
        for (number, line), written in zip(batch, file.lines(rows).split("\n"), strict=False):
            if line != written:
                raise Unreadable(file.path, "not written as the format writes it", number)
        yield from rows


def read_tsv(folder: Path, table: Table) -> Iterator[Row]:
    """Yield the rows of a table from its TSV file. Raises Unreadable."""
    lines = read_text_lines(folder, table.tsv)
    if next(lines, (1, ""))[1].split("\t") != list(table.names):
        raise Unreadable(table.tsv, f"the header is not {', '.join(table.names)}", 1)
    list_places = [place for place, column in enumerate(table.columns) if column.is_list]
    fraction_places = [
        place
        for place, column in enumerate(table.columns)
        if column.is_fraction and not column.is_list
    ]
    number_places = [
        place
        for place, column in enumerate(table.columns)
        if not (column.is_text or column.is_fraction or column.is_list)
    ]
    optional_places = {place for place, column in enumerate(table.columns) if column.is_optional}
    for number, line in lines:
        cells: list[Any] = line.split("\t")
        if len(cells) != len(table.names) or not all(
            is_digits(cells[place]) or (place in optional_places and not cells[place])
            for place in number_places
        ):
            raise Unreadable(table.tsv, f"not {', '.join(table.names)}", number)
        for place in optional_places:
            cells[place] = cells[place] or None
        for place in number_places:
            cells[place] = None if cells[place] is None else int(cells[place])
        for place in fraction_places:
            cells[place] = _fraction(cells[place], table, number)
        for place in list_places:
            cells[place] = _list(cells[place], table, place, number)
        yield tuple(cells)


def _list(
    cell: str | None, table: Table, place: int, line: int
) -> tuple[int | float | None, ...] | None:
    """Return the numbers in a cell, which are joined by a space. Raises Unreadable."""
    if cell is None:
        return None
    numbers = cell.split(" ")
    if table.columns[place].is_fraction:
        return tuple(_fraction(number, table, line) for number in numbers)
    if not all(map(is_digits, numbers)):
        raise Unreadable(table.tsv, f"{cell} are no whole numbers", line)
    return tuple(map(int, numbers))


def _fraction(cell: str | None, table: Table, line: int) -> float | None:
    """Return the number in a cell, which is written in its shortest form. Raises Unreadable."""
    if cell is None:
        return None
    try:
        fraction = float(cell)
    except ValueError:
        fraction = nan
    if repr(fraction) != cell or not isfinite(fraction):
        raise Unreadable(table.tsv, f"{cell} is no number such as 0.25", line)
    return fraction


is_digits = re.compile("0|-?[1-9][0-9]{0,9}").fullmatch


def read_text_lines(folder: Path, path: str) -> Iterator[tuple[int, str]]:
    """Yield numbered lines without line ends. Raises Unreadable for bad UTF-8 or a cut end."""
    number = 0
    try:
        with (folder / path).open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith("\n"):
                    raise Unreadable(path, "the line has no end", number)
                yield number, line[:-1]
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(path, str(error), number + 1) from error
