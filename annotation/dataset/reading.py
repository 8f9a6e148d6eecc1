"""Reads the files of a release back, strictly: any other form of the same content is an error."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from sys import intern
from typing import Any

from annotation.dataset.counts import Passing
from annotation.dataset.manifest import FORMAT, MANIFEST, Manifest
from annotation.dataset.rows import JudgmentRow, ReleasedPair, SentenceRow
from annotation.dataset.settings import ReleaseSettings
from annotation.dataset.tables import TABLES, Row, Table

TEXT, NUMBER, TRUTH, LIST = (str,), (int,), (bool,), (list,)
OPTIONAL_TEXT, OPTIONAL_NUMBER, SECONDS = (
    (str, type(None)),
    (int, type(None)),
    (int, float, type(None)),
)
Fields = Mapping[str, tuple[type, ...]]

SENTENCE: Fields = {
    "id": TEXT,
    "text": TEXT,
    "source": TEXT,
    "rewritten_from": OPTIONAL_TEXT,
    "method": OPTIONAL_TEXT,
    "correction": OPTIONAL_TEXT,
}
PAIR: Fields = {
    "id": TEXT,
    "sentence1": TEXT,
    "sentence2": TEXT,
    "origin": TEXT,
    "via": LIST,
    "method": TEXT,
    "votes": (list, type(None)),
    "label": OPTIONAL_NUMBER,
    "kept": TRUTH,
    "subset": OPTIONAL_TEXT,
    "split": OPTIONAL_TEXT,
}
JUDGMENT: Fields = {
    "pair": TEXT,
    "annotator": TEXT,
    "label": NUMBER,
    "seconds": SECONDS,
    "simulated": TRUTH,
}


class Unreadable(ValueError):
    """A file of a release that is missing or not in the form of the format."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path, self.reason = path, reason


@dataclass(frozen=True, slots=True)
class ReadRelease:
    """What the files of a release say.

    `tallies` counts judgments by (pair, label), `judges` by (pair, annotator), so that no judgment
    has to be kept.
    """

    folder: Path
    manifest: Manifest
    settings: ReleaseSettings
    sentences: list[SentenceRow]
    pairs: list[ReleasedPair]
    tables: dict[Table, list[Row]]
    tallies: Counter[tuple[str, int]]
    judges: Counter[tuple[str, str]]
    passing: Passing


def read_release(folder: Path) -> ReadRelease:
    """Read all files of a release but Parquet, the card and the Croissant description.

    Raises Unreadable.
    """
    manifest = read_manifest(folder)
    passing = Passing()
    tallies: Counter[tuple[str, int]] = Counter()
    judges: Counter[tuple[str, str]] = Counter()
    for row in passing.count_judgments(read_judgments(folder)):
        tallies[row.pair, row.label] += 1
        judges[row.pair, row.annotator] += 1
    return ReadRelease(
        folder=folder,
        manifest=manifest,
        settings=read_settings(manifest),
        sentences=list(passing.count_sentences(read_sentences(folder))),
        pairs=list(read_pairs(folder)),
        tables={table: list(read_tsv(folder, table)) for table in TABLES},
        tallies=tallies,
        judges=judges,
        passing=passing,
    )


def read_manifest(folder: Path) -> Manifest:
    """manifest.json, if it is one of this format. Raises Unreadable."""
    try:
        contents = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise Unreadable(MANIFEST, str(error)) from error
    if not isinstance(contents, dict) or contents.get("format") != FORMAT:
        raise Unreadable(MANIFEST, f"not of the format {FORMAT}")
    for key in ("settings", "files", "counts"):
        if not isinstance(contents.get(key), dict):
            raise Unreadable(MANIFEST, f"no {key}")
    return contents


def read_settings(manifest: Manifest) -> ReleaseSettings:
    """The settings that a manifest repeats. Raises Unreadable."""
    try:
        return ReleaseSettings.from_dict(manifest["settings"])
    except (TypeError, ValueError) as error:
        raise Unreadable(MANIFEST, f"settings: {error}") from error


def read_sentences(folder: Path) -> Iterator[SentenceRow]:
    """The rows of sentences.jsonl. Raises Unreadable."""
    for line in read_lines(folder, "sentences.jsonl", SENTENCE, optional={"group": TEXT}):
        yield SentenceRow(**line)


def read_pairs(folder: Path) -> Iterator[ReleasedPair]:
    """The rows of pairs.jsonl. Raises Unreadable."""
    for line in read_lines(folder, "pairs.jsonl", PAIR):
        votes = line["votes"]
        if not all(isinstance(pair, str) for pair in line["via"]):
            raise Unreadable("pairs.jsonl", f"via of {line['id']} is not a list of ids")
        if votes is not None and [type(vote) for vote in votes] != [int, int]:
            raise Unreadable("pairs.jsonl", f"votes of {line['id']} are not two numbers")
        via, votes = tuple(map(intern, line["via"])), votes and tuple(votes)
        yield ReleasedPair(**line | {"via": via, "votes": votes})


def read_judgments(folder: Path) -> Iterator[JudgmentRow]:
    """The rows of judgments.jsonl. Raises Unreadable."""
    for line in read_lines(folder, "judgments.jsonl", JUDGMENT):
        yield JudgmentRow(**line)


def read_lines(
    folder: Path, path: str, fields: Fields, *, optional: Fields | None = None
) -> Iterator[dict[str, Any]]:
    """The objects of a JSONL file, each in the one form in which it is written."""
    for number, text in read_text_lines(folder, path):
        try:
            line = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise Unreadable(path, f"line {number}: {error}") from error
        allowed = {**fields, **(optional or {})}
        if not isinstance(line, dict) or not fields.keys() <= line.keys() <= allowed.keys():
            raise Unreadable(path, f"line {number}: not the fields {', '.join(fields)}")
        for name, value in line.items():
            if type(value) not in allowed[name]:
                raise Unreadable(path, f"line {number}: {name} is {value!r}")
        if json.dumps(line, ensure_ascii=False) != text:
            raise Unreadable(path, f"line {number}: not written as the format writes it")
        yield {name: shared(value) for name, value in line.items()}


def shared(value: Any) -> Any:
    """The value; of equal strings only one is kept, since the files repeat each id many times."""
    return intern(value) if isinstance(value, str) else value


def read_tsv(folder: Path, table: Table) -> Iterator[Row]:
    """The rows of a table from its TSV file. Raises Unreadable."""
    lines = read_text_lines(folder, table.tsv)
    if next(lines, (1, ""))[1].split("\t") != list(table.columns):
        raise Unreadable(table.tsv, f"the header is not {', '.join(table.columns)}")
    texts = len(table.columns) - len(table.values)
    for number, line in lines:
        cells = line.split("\t")
        values = cells[texts:]
        if len(cells) != len(table.columns) or not all(map(is_digits, values)):
            raise Unreadable(table.tsv, f"line {number}: not {', '.join(table.columns)}")
        yield (*map(intern, cells[:texts]), *map(int, values))


def is_digits(cell: str) -> bool:
    """Whether a cell is a number as the format writes it."""
    return re.fullmatch("0|[1-9][0-9]{0,9}", cell) is not None


def read_text_lines(folder: Path, path: str) -> Iterator[tuple[int, str]]:
    """Numbered lines without their ends. Raises Unreadable for another encoding or a cut end."""
    try:
        with (folder / path).open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith("\n"):
                    raise Unreadable(path, f"line {number} has no end")
                yield number, line[:-1]
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(path, str(error)) from error
