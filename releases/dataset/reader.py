"""Reads the files of a release strictly: any other form of the same content is an error."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from sys import intern
from typing import Any, TypeVar

from releases.dataset.content import AdjudicationRow, GuestRow
from releases.dataset.counts import Passing
from releases.dataset.differences import Difference, Unreadable
from releases.dataset.json_lines import (
    adjudication_line,
    guest_line,
    judgment_line,
    pair_line,
    sentence_line,
)
from releases.dataset.judges_of_pairs import Panels
from releases.dataset.manifest import FORMAT, MANIFEST, Manifest
from releases.dataset.rows import JudgmentRow, ReleasedPair, SentenceRow
from releases.dataset.settings import ReleaseSettings
from releases.dataset.tables import Row, Table

T = TypeVar("T")
Fields = Mapping[str, tuple[type, ...]]
NONE = type(None)

SENTENCE: Fields = {
    "id": (str,),
    "text": (str,),
    "source": (str,),
    "rewritten_from": (str, NONE),
    "method": (str, NONE),
    "correction": (str, NONE),
}
GROUPED: Fields = {**SENTENCE, "group": (str,)}
PAIR: Fields = {
    "id": (str,),
    "sentence1": (str,),
    "sentence2": (str,),
    "origin": (str,),
    "via": (list,),
    "method": (str,),
    "votes": (list, NONE),
    "label": (int, NONE),
    "kept": (bool,),
    "subset": (str, NONE),
    "split": (str, NONE),
}
JUDGMENT: Fields = {
    "pair": (str,),
    "annotator": (str,),
    "label": (int,),
    "seconds": (int, float, NONE),
    "simulated": (bool,),
}
ADJUDICATION: Fields = {"pair": (str,), "label": (int, NONE)}
GUEST: Fields = {
    "pair": (str,),
    "guest": (str,),
    "revision": (str,),
    "label": (int,),
    "score": (int, float, NONE),
}


@dataclass(frozen=True, slots=True)
class ReadRelease:
    """The content of the files of a release.

    Sentences and pairs are kept in the order of their lines; judgments only as tallies by pair;
    tables are read where they are needed. `found` lists the errors in judgments.
    """

    folder: Path
    manifest: Manifest
    settings: ReleaseSettings
    sentences: list[SentenceRow]
    pairs: list[ReleasedPair]
    tallies: Mapping[str, tuple[int, ...]]
    found: tuple[Difference, ...]
    passing: Passing


def read_release(folder: Path) -> ReadRelease:
    """Read the manifest, sentences, pairs and judgments of a release. Raises Unreadable."""
    manifest = read_manifest(folder)
    settings = read_settings(manifest)
    passing = Passing(settings.annotators_per_pair)
    sentences = list(passing.count_sentences(read_sentences(folder)))
    pairs = list(read_pairs(folder))
    for pair in pairs:
        passing.count(pair)
    judged = (pair.id for pair in pairs if pair.origin == "judged")
    panels = Panels(judged, labels=settings.max_label + 1)
    panels.fill(passing.count_judgments(read_judgments(folder)))
    return ReadRelease(
        folder=folder,
        manifest=manifest,
        settings=settings,
        sentences=sentences,
        pairs=pairs,
        tallies=panels.tallies,
        found=tuple(panels.found),
        passing=passing,
    )


def read_manifest(folder: Path) -> Manifest:
    """Read manifest.json and check its format. Raises Unreadable."""
    try:
        contents = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise Unreadable(MANIFEST, str(error)) from error
    if not isinstance(contents, dict) or contents.get("format") != FORMAT:
        raise Unreadable(MANIFEST, f"not of the format {FORMAT}")
    for key in ("settings", "files", "counts"):
        if not isinstance(contents.get(key), dict):
            raise Unreadable(MANIFEST, f"no {key}")
    for path, described in contents["files"].items():
        if not isinstance(described, dict) or described.keys() != {"sha256", "bytes", "rows"}:
            raise Unreadable(MANIFEST, f"{path} is not described by sha256, bytes and rows")
    return contents


def read_settings(manifest: Manifest) -> ReleaseSettings:
    """Return the settings in a manifest. Raises Unreadable."""
    try:
        return ReleaseSettings.from_dict(manifest["settings"])
    except (TypeError, ValueError) as error:
        raise Unreadable(MANIFEST, f"settings: {error}") from error


def read_sentences(folder: Path) -> Iterator[SentenceRow]:
    """Read the rows of sentences.jsonl. Raises Unreadable."""
    return read_rows(folder, "sentences.jsonl", sentence, sentence_line, SENTENCE, GROUPED)


def read_pairs(folder: Path) -> Iterator[ReleasedPair]:
    """Read the rows of pairs.jsonl. Raises Unreadable."""
    return read_rows(folder, "pairs.jsonl", released_pair, pair_line, PAIR)


def read_judgments(folder: Path) -> Iterator[JudgmentRow]:
    """Read the rows of judgments.jsonl. Raises Unreadable."""
    return read_rows(folder, "judgments.jsonl", judgment, judgment_line, JUDGMENT)


def read_adjudications(folder: Path) -> Iterator[AdjudicationRow]:
    """Read the rows of adjudications.jsonl. Raises Unreadable."""
    path = "adjudications.jsonl"
    return read_rows(
        folder, path, lambda line: AdjudicationRow(**line), adjudication_line, ADJUDICATION
    )


def read_guests(folder: Path) -> Iterator[GuestRow]:
    """Read the rows of guests.jsonl. Raises Unreadable."""
    return read_rows(folder, "guests.jsonl", lambda line: GuestRow(**line), guest_line, GUEST)


def sentence(line: dict[str, Any]) -> SentenceRow:
    """Return a sentence; ids are interned, because the files repeat each many times."""
    origin = line["rewritten_from"]
    method, correction = line["method"], line["correction"]
    few = {"method": method and intern(method), "correction": correction and intern(correction)}
    ids = {"id": intern(line["id"]), "source": intern(line["source"])}
    return SentenceRow(**line | few | ids | {"rewritten_from": origin and intern(origin)})


def released_pair(line: dict[str, Any]) -> ReleasedPair:
    """Return a pair. Raises ValueError if `via` or `votes` have another form."""
    votes = line["votes"]
    if not all(type(pair) is str for pair in line["via"]):
        raise ValueError("via is not a list of ids")
    if votes is not None and [type(vote) for vote in votes] != [int, int]:
        raise ValueError("votes are not two numbers")
    ids = {name: intern(line[name]) for name in ("id", "sentence1", "sentence2", "method")}
    parts = {"via": tuple(map(intern, line["via"])), "votes": votes and one_of_few(*votes)}
    places = {name: line[name] and intern(line[name]) for name in ("origin", "subset", "split")}
    return ReleasedPair(**line | ids | parts | places)


@cache
def one_of_few(against: int, in_favour: int) -> tuple[int, int]:
    """Return votes; equal votes share one object."""
    return against, in_favour


def judgment(line: dict[str, Any]) -> JudgmentRow:
    """Return a judgment; ids are interned."""
    ids = {name: intern(line[name]) for name in ("pair", "annotator")}
    return JudgmentRow(**line | ids)


def read_rows(
    folder: Path,
    path: str,
    made: Callable[[dict[str, Any]], T],
    written: Callable[[T], str],
    *forms: Fields,
) -> Iterator[T]:
    """Yield the rows of a JSONL file, each of one of the forms and formatted exactly."""
    known: set[tuple[tuple[str, ...], tuple[type, ...]]] = set()
    for number, text in read_text_lines(folder, path):
        try:
            line = json.loads(text)
            if (shape := (tuple(line), tuple(map(type, line.values())))) not in known:
                refuse_other_forms(line, forms)
                known.add(shape)
            row = made(line)
        except (AttributeError, TypeError, ValueError, RecursionError) as error:
            raise Unreadable(path, str(error), number) from error
        if written(row) != f"{text}\n":
            raise Unreadable(path, "not written as the format writes it", number)
        yield row


def refuse_other_forms(line: dict[str, Any], forms: tuple[Fields, ...]) -> None:
    """Raise ValueError if the fields or the types of their values are not those of the format."""
    form = next((fields for fields in forms if fields.keys() == line.keys()), None)
    if form is None:
        raise ValueError(f"not the fields {', '.join(forms[0])}")
    for name, value in line.items():
        if type(value) not in form[name]:
            raise ValueError(f"{name} is {value!r}")


def read_tsv(folder: Path, table: Table) -> Iterator[Row]:
    """Yield the rows of a table from its TSV file. Raises Unreadable."""
    lines = read_text_lines(folder, table.tsv)
    if next(lines, (1, ""))[1].split("\t") != list(table.columns):
        raise Unreadable(table.tsv, f"the header is not {', '.join(table.columns)}", 1)
    texts = len(table.columns) - len(table.values)
    for number, line in lines:
        cells = line.split("\t")
        values = cells[texts:]
        if len(cells) != len(table.columns) or not all(map(is_digits, values)):
            raise Unreadable(table.tsv, f"not {', '.join(table.columns)}", number)
        yield (*cells[:texts], *map(int, values))


is_digits = re.compile("0|[1-9][0-9]{0,9}").fullmatch


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
