"""Selects imports and corpora of a project, the first refused lines, and IDs that clash."""

import csv
import unicodedata
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import NamedTuple
from uuid import UUID

from django.db.models import QuerySet, Sum
from django.utils import timezone

from annotation.imports import files
from annotation.imports.foretold import Options, foretell
from annotation.imports.kinds import KINDS, Kind
from annotation.imports.lines import make_lines, values_of
from annotation.imports.previews import stored_beginning
from annotation.imports.reasons import ID_FAULTS
from annotation.models import Import, Project
from annotation.pairs.services import intake
from annotation.projects import additions
from generation import selectors
from generation.models import Corpus, GenerationRun
from generation.nlp.definitions import DefinitionSettings
from generation.records import Record, Refusal
from generation.services.corpora import sources_with
from generation.services.sentences import digest_of

State = Import.State
FIRST = 20
# Definitions that an entity needs by default to be paired.
MIN_DEFINITIONS = DefinitionSettings().min_definitions
# Of a file of refused lines that a page reads as a whole.
MOST_REFUSED_BYTES = 50_000_000


class RefusedLine(NamedTuple):
    """A refused line: its number in the file, why, and the beginning of what it says."""

    line: str
    reason: str
    text: str


def imports_of(project: Project) -> QuerySet[Import]:
    return project.imports.select_related("corpus", "created_by")


def corpora_of(project: Project) -> QuerySet[Corpus]:
    """Return the corpora of the project with `sentences` and `runs`, which are those it has."""
    runs = GenerationRun.objects.filter(projects=project)
    return selectors.annotate_corpora(project.corpora.select_related("owner"), runs).order_by(
        "name"
    )


def seconds_left(row: Import) -> float | None:
    """Return an estimate for a running import; None if it cannot be said yet."""
    if row.state != State.RUNNING or not (row.started_at and row.done and row.total):
        return None
    duration = timezone.now() - row.started_at
    if duration < timedelta(seconds=2):
        return None
    return duration.total_seconds() * (row.total - row.done) / row.done


def first_refused_lines(row: Import, text_columns: Sequence[int]) -> list[RefusedLine]:
    """Return the first refused lines; `text_columns` are the positions of the columns to show."""
    path = files.refused_of(row)
    if not row.refused or not path.exists():
        return []
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.reader(file)
        next(rows, None)
        return [
            RefusedLine(line=cells[-1], reason=cells[-2], text=_join(cells[:-2], text_columns))
            for cells in islice(rows, FIRST)
            if len(cells) > 1
        ]


@dataclass(frozen=True, slots=True)
class Clashes:
    """What an import of the first rows would do, by their IDs and texts and by what is stored.

    Of `rows` that can be imported, `present` are in the corpus or project. Those with one of the
    `clashing` IDs are `refused`: the ID belongs to another text, of the corpus (`stored` of them)
    or of an earlier row. `new` rows are added with their IDs, `new_without_ids` without.
    `unusable` has the number of the other rows by reason, and the line of the first of them. With
    a `refusal`, nothing would be imported.
    """

    rows: int
    ids: int
    clashing: frozenset[str]
    stored: int
    refused: int
    present: int
    new: int
    new_without_ids: int
    ids_count_rows: bool
    unusable: Mapping[str, tuple[int, int]]
    refusal: str

    @property
    def number_unusable(self) -> int:
        return sum(number for number, _first in self.unusable.values())


def id_clashes(
    row: Import, columns: Mapping[str, int], corpus: Corpus | None, options: Options
) -> Clashes:
    """Look up the first rows of a draft in the corpus, None is a new one, and in the project."""
    kind = KINDS[row.kind]
    records = list(values_of(stored_beginning(files.beginning_of(row)), columns))
    lines_or_refusals = list(make_lines(records, kind.maker(row.project.scheme)))
    refusals = [line for line in lines_or_refusals if isinstance(line, Refusal)]
    readable_lines = [line for line in lines_or_refusals if not isinstance(line, Refusal)]
    foretold = foretell(row, readable_lines, corpus, options)
    refusals += [Refusal(number, reason) for number, reason in foretold.reasons.items()]
    refused_lines = {refusal.line for refusal in refusals}
    lines = [values for number, values, _fault in records if number not in refused_lines]
    ids, texts = ([_normal(values, name) for values in lines] for name in kind.identity)
    digests = [digest_of(text) for text in texts]
    texts_of_corpus, text_by_id = _sources(corpus, ids, digests)
    keys = digests if kind.adds_texts else [_key(kind, values) for values in lines]
    present = set(keys) & texts_of_corpus if kind.adds_texts else set()
    ids_of_corpus, seen = frozenset(text_by_id), set[Hashable](present)
    refused_ids, new = list[str](), 0
    for id_, digest, key in zip(ids, digests, keys, strict=True):
        if key in seen:
            continue
        if id_ and text_by_id.setdefault(id_, digest) != digest:
            refused_ids.append(id_)
        else:
            seen.add(key)
            new += 1
    new_without_ids = len(set(keys) - present)
    if not kind.adds_texts:
        new_without_ids = 0 if foretold.refusal else len(lines) - foretold.present
        new = max(0, new_without_ids - len(refused_ids))
    clashing = frozenset(refused_ids)
    return Clashes(
        rows=len(lines),
        ids=len(set(ids) - {""}),
        clashing=clashing,
        stored=len(clashing & ids_of_corpus),
        refused=len(refused_ids),
        present=sum(key in present for key in keys) if kind.adds_texts else foretold.present,
        new=new,
        new_without_ids=new_without_ids,
        ids_count_rows=_count_up([_normal(values, kind.identity[0]) for _, values, _ in records]),
        unusable=_by_reason(sorted(refusals, key=lambda refusal: refusal.line)),
        refusal=foretold.refusal,
    )


def _by_reason(refusals: Iterable[Refusal]) -> dict[str, tuple[int, int]]:
    """Return how many lines were refused for each reason, and the first of them."""
    lines_by_reason: dict[str, list[int]] = {}
    for refusal in refusals:
        lines_by_reason.setdefault(refusal.reason, []).append(refusal.line)
    return {reason: (len(lines), lines[0]) for reason, lines in lines_by_reason.items()}


def _key(kind: Kind, values: Record) -> Hashable:
    """Return what makes two rows of a file the same; the label and the ID of the text do not."""
    left_out = (kind.identity[0], "label")
    return tuple(_normal(values, name) for name in values if name not in left_out)


def _normal(values: Record, name: str) -> str:
    return unicodedata.normalize("NFC", values.get(name, "")).strip()


def _sources(
    corpus: Corpus | None, ids: Sequence[str], digests: Sequence[UUID]
) -> tuple[set[UUID], dict[str, UUID]]:
    """Return the texts of the corpus among the digests, and those with one of the IDs by it."""
    if corpus is None:
        return set(), {}
    with_id = sources_with(corpus, "external_id", ids)
    with_text = sources_with(corpus, "digest", digests)
    return {source.digest for source in with_text}, {
        source.external_id: source.digest for source in with_id
    }


def _count_up(ids: Sequence[str]) -> bool:
    """Return whether the IDs are the numbers of the rows, from 0 or 1 on."""
    return any([str(n) for n in range(first, first + len(ids))] == ids for first in (0, 1))


def lines_refused_for_ids(row: Import) -> int:
    """Return how many lines an ended import could add without their IDs."""
    if row.state != State.DONE or row.refused_bytes > MOST_REFUSED_BYTES:
        return 0
    return sum(row.refused.get(fault, 0) for fault in ID_FAULTS)


def pairs_to_enter(row: Import) -> int:
    """Return how many pairs of a finished import a worker has yet to add to its project."""
    if row.kind != Import.Kind.PAIRS or row.state != State.DONE or additions.refusal(row.project):
        return 0
    batches = intake.waiting_batches(row.project).filter(run__settings__imported_from=row.name)
    return batches.aggregate(pairs=Sum("size"))["pairs"] or 0


def entities_with_few_definitions(row: Import) -> int:
    """Count the entities of the corpus of imported flashcards with fewer than MIN_DEFINITIONS."""
    if row.kind != Import.Kind.FLASHCARDS or row.corpus_id is None:
        return 0
    return selectors.count_entities_with_few_definitions(row.corpus_id, MIN_DEFINITIONS)


def _join(cells: list[str], text_columns: Sequence[int]) -> str:
    texts = [cells[column] for column in text_columns if column < len(cells) and cells[column]]
    return " | ".join(cell for cell in texts or cells if cell)
