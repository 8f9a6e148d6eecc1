"""The candidates of a run, a page at a time: in the order of the corpus, or by their estimates."""

from enum import StrEnum

from django.db.models import QuerySet

from common import keyset
from common.keyset import Key, Page
from generation.models import Candidate, GenerationRun

PAGE = 50


class Order(StrEnum):
    """The order of candidates; by estimate, those without one are left out."""

    CORPUS = "corpus"
    HIGHEST = "highest"
    LOWEST = "lowest"


# Those of an index, so that a page costs the same in every run.
COLUMNS = {
    Order.CORPUS: ("sentence_id", "rank"),
    Order.HIGHEST: ("-probability", "-id"),
    Order.LOWEST: ("probability", "id"),
}


def page(
    run: GenerationRun, order: Order, *, after: Key | None = None, before: Key | None = None
) -> Page[Candidate]:
    """Return a page of candidates with their sentences, in two queries.

    Joined, Postgres may read all sentences before those of the page.
    """
    rows = _listed(run, order).defer("alternatives").prefetch_related("sentence")
    return keyset.page(rows, columns=COLUMNS[order], size=PAGE, after=after, before=before)


def number(run: GenerationRun, order: Order) -> int:
    """Return the number of candidates on all pages."""
    return _listed(run, order).count()


def orders(run: GenerationRun) -> list[Order]:
    """Return the orders that a run has: several only if its candidates have estimates."""
    estimated = Candidate.objects.filter(run=run, probability__isnull=False)
    return [*Order] if estimated.exists() else [Order.CORPUS]


def _listed(run: GenerationRun, order: Order) -> QuerySet[Candidate]:
    rows = Candidate.objects.filter(run=run)
    return rows if order is Order.CORPUS else rows.filter(probability__isnull=False)
