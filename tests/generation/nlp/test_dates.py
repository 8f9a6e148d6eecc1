import pytest

from generation.nlp import dates
from generation.nlp.dates import Date, find


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("April 2", "day"),
        ("2 April", "day"),
        ("2 April 1947", "full"),
        ("April 2 , 1947", "full"),
        ("April 1947", "month"),
        ("April of 1947", "month"),
        ("summer 1947", "season"),
        ("1947", "year"),
        ("1940s", "decade"),
        ("19th century", "century"),
        ("May", "month_name"),
        ("Friday", "weekday"),
    ],
)
def test_the_form_of_a_date(text: str, form: str) -> None:
    words = ["on", *text.split(), "it"]
    assert find(words) == [Date(1, len(words) - 1, form)]


@pytest.mark.parametrize("text", ["may", "april", "47", "32", "3947", "19475", "21st"])
def test_what_is_no_date(text: str) -> None:
    assert find([text]) == []


def test_an_impossible_day_is_no_part_of_a_date() -> None:
    assert find(["45", "May", "1947"]) == [Date(1, 3, "month")]


def test_dates_of_one_sentence_do_not_overlap() -> None:
    dates = find(["between", "2", "April", "1947", "and", "May", "3"])
    assert [(date.start, date.end) for date in dates] == [(1, 4), (5, 7)]


def test_dates_have_an_order_in_time() -> None:
    texts = ("16th century", "the 1970s", "2004", "May 2004", "2 June 2004", "June 30 , 2004")
    found = [dates.order(text.split()) for text in texts]
    assert found == sorted(found)
    assert len(set(found)) == len(texts)
