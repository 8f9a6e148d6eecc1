"""Pages follow one another without a gap and without a row twice, in both directions."""

import pytest

from annotation.models import Project
from annotation.selectors.dashboard import keyset
from tests.annotation import cast

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
SEEDS = [3, 1, 3, 2, 1, 3, 3, 2]
ORDERS = [("seed", "id"), ("-seed", "id"), ("-id",), ("id",)]


@pytest.fixture(autouse=True)
def _table():
    for seed in SEEDS:
        cast.study(seed=seed)


def page(columns, size, **beyond):
    return keyset.page(Project.objects.all(), columns=columns, size=size, **beyond)


def test_pages_one_after_the_other_are_the_whole_table_and_the_same_on_the_way_back(subtests):
    for columns in ORDERS:
        for size in (1, 3, 4, 8, 50):
            with subtests.test(columns=columns, size=size):
                pages = [page(columns, size)]
                while pages[-1].after is not None:
                    pages.append(page(columns, size, after=pages[-1].after))
                rows = [row for each in pages for row in each.rows]
                assert rows == list(Project.objects.order_by(*columns))
                assert {len(each.rows) for each in pages[:-1]} <= {size}
                back = [pages[-1]]
                while back[0].before is not None:
                    back.insert(0, page(columns, size, before=back[0].before))
                assert back == pages


def test_a_row_that_comes_in_meanwhile_shifts_nothing():
    for columns in ORDERS:
        before = list(Project.objects.order_by(*columns))
        first = page(columns, 3)
        new = cast.study(seed=2)
        rest = page(columns, 50, after=first.after).rows
        assert first.rows + [row for row in rest if row != new] == before


def test_an_empty_table_is_one_empty_page():
    found = keyset.page(Project.objects.none(), columns=["id"], size=3)
    assert (found.rows, found.before, found.after) == ([], None, None)
