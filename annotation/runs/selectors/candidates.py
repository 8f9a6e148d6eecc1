"""The candidates of a run, a page at a time: in the order of the corpus, or by their estimates."""

from enum import StrEnum

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
    rows = Candidate.objects.filter(run=run).defer("alternatives").prefetch_related("sentence")
    if order is not Order.CORPUS:
        rows = rows.filter(probability__isnull=False)
    return keyset.page(rows, columns=COLUMNS[order], size=PAGE, after=after, before=before)


def orders(run: GenerationRun) -> list[Order]:
    """Return the orders that a run has: several only if its candidates have estimates."""
    estimated = Candidate.objects.filter(run=run, probability__isnull=False)
    return [*Order] if estimated.exists() else [Order.CORPUS]
