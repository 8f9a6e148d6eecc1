"""The candidates of a run by page and by shape, and the sentences for which it has none."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import reduce
from operator import or_
from statistics import fmean
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.pairs import differences
from common import keyset
from common.keyset import Key, Page
from generation import selectors
from generation.models import Batch, Candidate, GenerationRun, Sentence
from generation.nlp.rewrites import ACCEPTED
from generation.shapes import Shape, shapes_of

PAGE = 50


class Order(StrEnum):
    """The order of candidates; by estimate, those without one are left out."""

    CORPUS = "corpus"
    HIGHEST = "highest"
    LOWEST = "lowest"


class Cell(NamedTuple):
    """Candidates of a shape, and the expected share of paraphrases, 0 to 1."""

    candidates: int
    share: float


# Those of an index, so that a page costs the same in every run.
COLUMNS = {
    Order.CORPUS: ("sentence_id", "rank"),
    Order.HIGHEST: ("-probability", "-id"),
    Order.LOWEST: ("probability", "id"),
}


def page(
    run: GenerationRun, order: Order, *, after: Key | None = None, before: Key | None = None
) -> Page[Candidate]:
    """Return a page of candidates with their sentences."""
    # In two queries: of a join, Postgres may read all sentences before those of the page.
    rows = _candidates_in_order(run, order).defer("alternatives").prefetch_related("sentence")
    return keyset.page(rows, columns=COLUMNS[order], size=PAGE, after=after, before=before)


def number(run: GenerationRun, order: Order) -> int:
    return _candidates_in_order(run, order).count()


def orders(run: GenerationRun) -> list[Order]:
    """Return the orders that a run has: several only if its candidates have estimates."""
    estimated = Candidate.objects.filter(run=run, probability__isnull=False)
    return [*Order] if estimated.exists() else [Order.CORPUS]


def number_without(run: GenerationRun) -> int:
    """Return how many sentences of finished batches have no candidate."""
    # Of a run by entity, sentences are paired with others, so they need none of their own.
    return 0 if run.is_by_entity else _count_unaccepted(selectors.funnel(run))


def sentences_without(
    run: GenerationRun, *, after: Key | None = None, before: Key | None = None
) -> Page[Sentence]:
    """Return a page of these sentences, in the order of the corpus.

    Only the batches of the page are searched, so that it costs the same in every run.
    """
    batches = run.batches.filter(state=Batch.State.DONE).order_by("-number" if before else "number")
    if after:
        batches = batches.filter(last_sentence__gt=after[0])
    if before:
        batches = batches.filter(first_sentence__lt=before[0])
    ranges = _ranges(batches)
    candidates = Candidate.objects.filter(run=run, sentence=OuterRef("pk"))
    searched = reduce(or_, (Q(id__range=sentences) for sentences in ranges), Q(id__in=[]))
    rows = selectors.sentences_of(run).filter(searched, ~Exists(candidates))
    return keyset.page(rows, columns=("id",), size=PAGE, after=after, before=before)


def by_shape(run: GenerationRun) -> dict[str, Any]:
    """Return cells of rotations and of other candidates by kind, the most frequent kind first.

    A cell is None without candidates; empty where no paraphrases are estimated.
    """
    shapes = shapes_of(run)
    if not shapes:
        return {}
    number_by_kind = {
        kind: sum(shape.candidates for shape in shapes if shape.kind == kind)
        for kind in {shape.kind for shape in shapes}
    }
    kinds = sorted(number_by_kind, key=lambda kind: (-number_by_kind[kind], kind))
    rows = [[shape for shape in shapes if shape.kind == kind] for kind in kinds]
    names = map(differences.kind_name, kinds)
    return {"kinds": list(zip(names, map(_cells, rows), strict=True)), "total": _cells(shapes)}


def _ranges(batches: QuerySet[Batch]) -> list[tuple[int, int]]:
    """Return the sentences of the first batches that lack candidates, as many as fill a page."""
    ranges, lacking = list[tuple[int, int]](), 0
    columns = ("first_sentence", "last_sentence", "outcomes")
    for first_sentence, last_sentence, outcomes in batches.values_list(*columns).iterator():
        if number := _count_unaccepted(outcomes):
            # The page may begin within the first of them.
            lacking += number if ranges else 0
            ranges.append((first_sentence, last_sentence))
        if lacking > PAGE:
            break
    return ranges


def _count_unaccepted(outcomes: Mapping[str, int]) -> int:
    return sum(outcomes.values()) - outcomes.get(ACCEPTED, 0)


def _candidates_in_order(run: GenerationRun, order: Order) -> QuerySet[Candidate]:
    rows = Candidate.objects.filter(run=run)
    return rows if order is Order.CORPUS else rows.filter(probability__isnull=False)


def _cells(shapes: Sequence[Shape]) -> list[Cell | None]:
    parts = ([shape for shape in shapes if shape.is_rotation is side] for side in (True, False))
    return [_cell(part) if part else None for part in parts]


def _cell(shapes: Sequence[Shape]) -> Cell:
    numbers = [shape.candidates for shape in shapes]
    return Cell(sum(numbers), fmean([shape.share for shape in shapes], weights=numbers))
