"""Reads a published set: its pairs, what was changed, refused and left out, and its settings."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

from annotation.imports.tables import Layout
from generation.nlp.text import RefusedText
from releases.dataset.manifest import sha256
from releases.dataset.published.columns import NONE, ROLES, Columns
from releases.dataset.published.counts import Counts
from releases.dataset.published.draws import draw_splits
from releases.dataset.published.files import further_columns
from releases.dataset.published.layout import SetFile
from releases.dataset.published.outline import Outline
from releases.dataset.published.pairs import PublishedPair, namespace_of
from releases.dataset.published.rows import OTHER_LANGUAGE, RawRow, columns_of_set, rows_of_file
from releases.dataset.published.rules import Rule, find_rule
from releases.dataset.published.settings import (
    Choices,
    PublishedSettings,
    SourceFile,
    UnusableSet,
)
from releases.dataset.published.texts import clean, has_literals
from releases.dataset.published.values import Dropped, Values
from releases.dataset.rows import SPLITS

BAD_BYTES = "bad_bytes"
# Of lines with one fault, those that an error names.
MOST_LISTED = 5


@dataclass(frozen=True, slots=True)
class PublishedSet:
    """The pairs of a set, train before dev before test, each in the order of the files.

    Those without a label, on which too few agree, come last. `unused` are the columns of the files
    that have no role.
    """

    pairs: list[PublishedPair]
    settings: PublishedSettings
    counts: Counts
    unused: Sequence[str] = ()


def read_set(
    files: Sequence[SetFile],
    choices: Choices,
    *,
    name: str,
    version: str,
    outline: Outline | None = None,
    counting: Callable[[Iterator[RawRow]], Iterator[RawRow]] = iter,
) -> PublishedSet:
    """Read the files of a set; `name` and `version` make the ids. Raises UnusableSet.

    `outline` gets what is read, also if this fails. `counting` sees the rows as they are read.
    """
    outline = outline or Outline()
    counts, rows, sources = outline.counts, list[RawRow](), list[SourceFile]()
    columns = columns_of_set(files, choices, outline)
    for number, file in enumerate(files):
        rows_before = counts.rows
        rows += counting(rows_of_file(number, file, columns, choices, counts))
        outline.rows[file.name] = counts.rows - rows_before
        sources.append(_source(file, outline.rows[file.name]))
    _refuse_empty(files, rows, counts, choices)
    outline.cells.update(row.cells for row in rows)
    _refuse_unlabelled(files[0].name, columns)
    rule = find_rule(files[0].name, outline.cells, choices)
    splits_read = {row.split for row in rows}
    reading = _Reading(files, rule, counts, namespace_of(name, version))
    pairs = list(reading.pairs(rows))
    counts.refuse_many(choices)
    _refuse_empty(files, pairs, counts, choices)
    missing = splits_read - {pair.split for pair in pairs}
    counts.splits_without_labels = [split for split in SPLITS if split in missing]
    pairs = draw_splits(pairs, choices)
    pairs.sort(key=lambda pair: (pair.label is None, SPLITS.index(pair.split)))
    settings = _settings(sources, columns, rule, choices, pairs)
    return PublishedSet(pairs, settings, counts, columns.unused)


def _refuse_empty(
    files: Sequence[SetFile], rows: Sequence[object], counts: Counts, choices: Choices
) -> None:
    """Raise UnusableSet if there are no rows, or no pairs are made of them."""
    if rows:
        return
    counts.refuse_many(choices)
    if counts.left_out[OTHER_LANGUAGE]:
        raise UnusableSet(
            f"{files[0].name}: no row is in the language {choices.language}.",
            "language",
            "Correct --language, or leave the column out: --columns language=-.",
        )
    raise UnusableSet(f"{files[0].name}: no row can be used. Name files with labelled pairs.")


def _refuse_unlabelled(name: str, columns: Columns) -> None:
    """Raise UnusableSet if no column has labels."""
    if not columns.has_labels:
        raise UnusableSet(
            f"{name}: no column has labels that are understood. Columns without a role: "
            f"{', '.join(columns.unused) or 'none'}.",
            "columns",
            "Say which column has them: --columns label=NAME.",
        )


def _source(file: SetFile, rows: int) -> SourceFile:
    size, layout = file.path.stat().st_size, file.layout.to_dict()
    return SourceFile(file.name, sha256(file.path), size, layout, file.split, rows)


def _settings(
    sources: Sequence[SourceFile],
    columns: Columns,
    rule: Rule,
    choices: Choices,
    pairs: Sequence[PublishedPair],
) -> PublishedSettings:
    return PublishedSettings(
        files=tuple(sources),
        columns=columns.names,
        further=further_columns(pairs),
        decides=rule.role,
        form=rule.form,
        number_form=rule.number_form,
        labels=choices.labels,
        paraphrase_from=rule.paraphrase_from,
        max_label=max((pair.grade for pair in pairs if pair.grade is not None), default=1),
        votes=choices.votes,
        votes_of=rule.votes_of,
        language=choices.language,
        config=choices.config,
        draw=choices.draw,
        seed=choices.seed,
        is_synthetic=choices.is_synthetic,
    )


@dataclass(slots=True)
class _Reading:
    """What makes pairs of rows, and what is remembered of the rows before."""

    files: Sequence[SetFile]
    rule: Rule
    counts: Counts
    namespace: UUID
    ids: set[tuple[str, str]] = field(default_factory=set)
    disagreeing: list[str] = field(default_factory=list)

    def pairs(self, rows: list[RawRow]) -> Iterator[PublishedPair]:
        """Yield the pairs of the rows that have a label and two sentences. Raises UnusableSet."""
        columns = ((row.text1 for row in rows), (row.text2 for row in rows))
        literals = tuple(map(has_literals, columns))
        values_by_cells = {cells: self.rule.decide(cells) for cells in {row.cells for row in rows}}
        for row in rows:
            values = values_by_cells[row.cells]
            if values is Dropped.NO_LABEL:
                self.counts.left_out[values] += 1
            elif isinstance(values, Dropped):
                self._refuse(values, row)
            elif texts := self._texts(row, literals):
                self._compare_columns(values, row)
                yield self._pair(row, texts, values)
        self._refuse_disagreement()

    def _texts(self, row: RawRow, literals: Sequence[bool]) -> tuple[str, str] | None:
        changed = self.counts.changed
        try:
            return (
                clean(row.text1, changed, is_literal=literals[0]),
                clean(row.text2, changed, is_literal=literals[1]),
            )
        except RefusedText as refusal:
            self._refuse(refusal.reason, row)
        except (ValueError, SyntaxError):
            self._refuse(BAD_BYTES, row)
        return None

    def _refuse(self, reason: str, row: RawRow) -> None:
        self.counts.refuse(reason, self.files[row.file].name, row.line)

    def _compare_columns(self, values: Values, row: RawRow) -> None:
        """Note a row whose label differs from what its grade or score says."""
        least = self.rule.paraphrase_from
        if self.rule.role != "label" or least is None or values.number is None:
            return
        if values.label != (values.number >= least):
            self.disagreeing.append(f"{self.files[row.file].name}, line {row.line}")

    def _refuse_disagreement(self) -> None:
        if lines := self.disagreeing:
            more = f" and {len(lines) - MOST_LISTED:,} more" if len(lines) > MOST_LISTED else ""
            raise UnusableSet(
                f"{'; '.join(lines[:MOST_LISTED])}{more}: label and grade disagree, where "
                f"{self.rule.paraphrase_from:g} is the lowest grade of a paraphrase.",
                "columns",
                "Correct them, or leave one column out: --columns grade=-.",
            )

    def _pair(self, row: RawRow, texts: tuple[str, str], values: Values) -> PublishedPair:
        label = row.cells.label or getattr(row.cells, self.rule.role)
        return PublishedPair(
            id=str(uuid5(self.namespace, f"{row.split}\n{self._key(row)}")),
            text1=texts[0],
            text2=texts[1],
            split=row.split,
            published_label=label,
            published_id=row.id or None,
            entity=row.entity or None,
            domain=row.domain or None,
            method=row.method or None,
            **values._asdict(),
        )

    def _key(self, row: RawRow) -> str:
        """Return the own id of a row, else its line; the split is part of the id too."""
        if not row.id:
            file = self.files[row.file]
            shard = sum(other.split == file.split for other in self.files[: row.file])
            return f"line {row.line} of {shard}"
        key = row.split, row.id
        if key in self.ids:
            raise UnusableSet(
                f"{self.files[row.file].name}, line {row.line}: its id {row.id} occurs before.",
                "columns",
                "Correct the ids, or leave them out: --columns id=-.",
            )
        self.ids.add(key)
        return row.id


def files_at(paths: Mapping[str, Path], files: Iterable[Mapping[str, Any]]) -> list[SetFile]:
    """Return files, of which name, split and layout are known, where they lie by their names.

    Raises UnusableSet if one is missing.
    """
    set_files = []
    for file in files:
        name, layout = file["name"], Layout.from_dict(dict(file["layout"]))
        if name not in paths:
            raise UnusableSet(
                f"{name} is missing. Name the folder or archive with all files that the release "
                "was made of."
            )
        set_files.append(SetFile(name, paths[name], file["split"], layout))
    return set_files


def choices_of(settings: PublishedSettings) -> Choices:
    """Return the choices that give the same settings again, whatever was inferred."""
    return Choices(
        config=settings.config,
        columns=dict.fromkeys(ROLES, NONE) | dict(settings.columns),
        labels=settings.labels,
        paraphrase_from=settings.paraphrase_from,
        votes=settings.votes,
        language=settings.language,
        draw=settings.draw,
        seed=settings.seed,
        accepts_refused=True,
        is_synthetic=settings.is_synthetic,
    )
