"""Writes the files of a release: the same rows give the same bytes."""

import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from typing import TypeVar

from releases.dataset.batches import batches
from releases.dataset.card import card
from releases.dataset.content import Content, Entry, entries
from releases.dataset.counts import Passing
from releases.dataset.croissant import croissant
from releases.dataset.json_lines import (
    adjudication_line,
    guest_line,
    judgment_line,
    pair_line,
    sentence_line,
)
from releases.dataset.manifest import (
    MANIFEST,
    Files,
    Manifest,
    ReleaseFacts,
    as_json,
    described,
    manifest,
    release_counts,
)
from releases.dataset.plan import ReleasePlan
from releases.dataset.rows import JudgmentRow, ReleasedPair, SentenceRow
from releases.dataset.settings import ReleaseSettings
from releases.dataset.table_files import TableFiles, opened
from releases.dataset.tables import TABLES, Table, table_of, values_of

T = TypeVar("T")
Rows = dict[str, int | None]


def write_release(
    folder: Path,
    planned: ReleasePlan,
    *,
    sentences: Iterable[SentenceRow],
    judgments: Iterable[JudgmentRow],
    facts: ReleaseFacts,
    settings: ReleaseSettings,
) -> Manifest:
    """Write a release from a plan in memory, using `write_content`, and return its manifest."""
    content = Content(
        entries=entries(planned),
        sentences=sentences,
        judgments=judgments,
        conflicts=planned.conflicts,
        unknown=planned.unknown,
        silver_left_out=planned.silver_left_out,
    )
    return write_content(folder, content, facts=facts, settings=settings)


def write_content(
    folder: Path, content: Content, *, facts: ReleaseFacts, settings: ReleaseSettings
) -> Manifest:
    """Write a release to a new folder and return its manifest.

    Rows are streamed in their given order, and memory use does not grow with their number; the same
    order gives the same bytes. The folder appears only when it is complete.

    Raises FileExistsError if the folder exists, and ValueError for an id or a sentence with a tab
    or a line break, which TSV cannot hold.
    """
    passing = Passing(settings.annotators_per_pair)
    with appearing(folder) as root:
        rows = write_rows(root, content, passing)
        files = described(root, rows)
        counts = release_counts(content, passing, rejected=facts.rejected)
        simulated = passing.simulated > 0
        write_text(root / "croissant.json", as_json(croissant(facts, files)))
        write_text(root / "README.md", card(facts, settings, counts, simulated=simulated))
        files = whole(files, described(root, {"README.md": None, "croissant.json": None}))
        contents = manifest(facts, settings, counts=counts, simulated=simulated, files=files)
        write_text(root / MANIFEST, as_json(contents))
    return contents


def write_rows(root: Path, content: Content, passing: Passing) -> Rows:
    """Write every file that has rows; return the number of rows by path."""
    rows = write_entries(root, passing.count_entries(content.entries))
    sentences = passing.count_sentences(content.sentences)
    judgments = passing.count_judgments(content.judgments)
    adjudications = passing.count_adjudications(content.adjudications)
    guests = passing.count_guests(content.guests)
    rows["sentences.jsonl"] = write_lines(root / "sentences.jsonl", sentence_line, sentences)
    rows["judgments.jsonl"] = write_lines(root / "judgments.jsonl", judgment_line, judgments)
    rows |= write_extra(root, "adjudications.jsonl", adjudication_line, adjudications)
    rows |= write_extra(root, "guests.jsonl", guest_line, guests)
    return rows


def write_entries(root: Path, entries: Iterable[Entry]) -> Rows:
    """Write pairs.jsonl and, in the same pass, the tables."""
    with ExitStack() as stack:
        tables = {table: stack.enter_context(opened(root, table)) for table in TABLES}
        pairs = write_lines(root / "pairs.jsonl", pair_line, put(entries, tables))
    by_path = {path: tables[t].rows for t in TABLES for path in (t.tsv, t.parquet)}
    return {**by_path, "pairs.jsonl": pairs}


def put(entries: Iterable[Entry], tables: dict[Table, TableFiles]) -> Iterator[ReleasedPair]:
    """Add each pair to its table, if it has one; yield those that belong in pairs.jsonl."""
    for pair, sentence1, sentence2 in entries:
        if (table := table_of(pair)) is not None:
            tables[table].add((pair.id, sentence1, sentence2, *values_of(pair)))
        if isinstance(pair, ReleasedPair):
            yield pair


def write_lines(path: Path, line: Callable[[T], str], rows: Iterable[T]) -> int:
    """Write one line for each row; return their number."""
    number = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for some in batches(rows):
            file.write("".join(map(line, some)))
            number += len(some)
    return number


def write_extra(root: Path, path: str, line: Callable[[T], str], rows: Iterable[T]) -> Rows:
    """Write a file that exists only if there are rows for it."""
    source = iter(rows)
    for first in source:
        return {path: write_lines(root / path, line, chain([first], source))}
    return {}


def whole(one: Files, other: Files) -> Files:
    """Return the files of both, sorted by path."""
    return dict(sorted({**one, **other}.items()))


@contextmanager
def appearing(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder that is renamed to `folder` on success."""
    if folder.exists():
        raise FileExistsError(f"{folder} exists, and a release is never changed in place")
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        yield partial
        partial.rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def write_text(path: Path, text: str) -> None:
    """Write a document with the line breaks that it has."""
    path.write_text(text, encoding="utf-8", newline="\n")
