"""Pages follow one another without a gap and without a row twice, in both directions."""

import pytest

from annotation.models import Project
from annotation.selectors.dashboard import keyset
from tests.annotation import cast

pytestmark = pytest.mark.django_db
SEEDS = [3, 1, 3, 2, 1, 3, 3, 2]


@pytest.fixture(params=[("seed", "id"), ("-seed", "id"), ("-id",), ("id",)])
def columns(request) -> tuple[str, ...]:
    for seed in SEEDS:
        cast.study(seed=seed)
    return request.param


def everything(columns) -> list[Project]:
    return list(Project.objects.order_by(*columns))


def forwards(columns, size: int) -> list[list[Project]]:
    pages, after = [], None
    while True:
        page = keyset.page(Project.objects.all(), columns=columns, size=size, after=after)
        pages.append(page.rows)
        if (after := page.after) is None:
            return pages


@pytest.mark.parametrize("size", [1, 3, 4, 8, 50])
def test_pages_one_after_the_other_are_the_whole_table(columns, size):
    pages = forwards(columns, size)
    assert [row for page in pages for row in page] == everything(columns)
    assert all(len(page) == size for page in pages[:-1])


def test_the_way_back_shows_the_same_pages(columns):
    pages = forwards(columns, 3)
    last = keyset.page(
        Project.objects.all(), columns=columns, size=3, after=key(pages[1][-1], columns)
    )
    middle = keyset.page(Project.objects.all(), columns=columns, size=3, before=last.before)
    first = keyset.page(Project.objects.all(), columns=columns, size=3, before=middle.before)
    assert [first.rows, middle.rows, last.rows] == pages
    assert (first.before, last.after) == (None, None)
    assert first.after == key(pages[0][-1], columns)


def test_a_row_that_comes_in_meanwhile_shifts_nothing(columns):
    before = everything(columns)
    page = keyset.page(Project.objects.all(), columns=columns, size=3)
    cast.study(seed=2)
    rest = keyset.page(Project.objects.all(), columns=columns, size=50, after=page.after).rows
    known = {project.pk for project in before}
    assert page.rows + [row for row in rest if row.pk in known] == before


def test_an_empty_table_is_one_empty_page():
    page = keyset.page(Project.objects.none(), columns=["id"], size=3)
    assert (page.rows, page.before, page.after) == ([], None, None)


def key(row, columns) -> tuple[int, ...]:
    return tuple(getattr(row, column.removeprefix("-")) for column in columns)
