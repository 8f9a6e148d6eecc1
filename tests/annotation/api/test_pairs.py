"""Pairs over REST: what is told of them, page by page."""

import pytest
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from annotation.api.pairs import PairRow
from annotation.models import SentencePair
from annotation.selectors import long_tables
from tests.annotation import cast
from tests.annotation.api.conftest import As
from tests.annotation.filled import Filled


def listed(client: APIClient, address: str, **query: object) -> list[str]:
    """The first texts of the pairs that a question gives."""
    return [row["sentence1"]["text"] for row in client.get(address, query).json()["results"]]


def test_a_decided_pair_is_told_with_its_votes(
    study: Filled, addresses: dict[str, str], as_: As
) -> None:
    row = as_("researcher").get(addresses["pairs"]).json()["results"][0]

    assert row == {
        "id": str(study.decided.public_id),
        "sentence1": {"id": str(study.decided.sentence1.public_id), "text": "Ada met Bo."},
        "sentence2": {"id": str(study.decided.sentence2.public_id), "text": "Bo met Ada once."},
        "method": "word_swap",
        "slots": 5,
        "answers": 5,
        "rounds": 1,
        "adjudicated": False,
        "decided": True,
        "decided_at": row["decided_at"],
        "label": 0,
        "kept": True,
        "votes": [4, 1],
    }


def test_many_pairs_are_told_as_each_by_its_fields(study: Filled) -> None:
    pairs = list(long_tables.pairs(study.project))

    assert len(pairs) == 2
    assert PairRow(pairs, many=True).data == [PairRow(pair).data for pair in pairs]
    assert list(PairRow(pairs, many=True).data[0]) == list(PairRow().fields)


def test_an_open_pair_has_neither_label_nor_votes(addresses: dict[str, str], as_: As) -> None:
    row = as_("researcher").get(addresses["pairs"]).json()["results"][1]

    told = {name: row[name] for name in ("answers", "decided", "label", "kept", "votes")}
    assert told == {"answers": 0, "decided": False, "label": None, "kept": None, "votes": None}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"method": "word_swap"}, ["decided"]),
        ({"method": "back_translation"}, ["open"]),
        ({"decided": "true"}, ["decided"]),
        ({"decided": "false"}, ["open"]),
        ({"kept": "true"}, ["decided"]),
        ({"kept": "false"}, []),
        ({"label": "0"}, ["decided"]),
        ({"label": "1"}, []),
        ({"method": "back_translation", "decided": "true"}, []),
        ({"rounds": "1"}, ["decided", "open"]),
        ({"rounds": "2"}, []),
        ({"adjudicated": "false"}, ["decided", "open"]),
        ({"decided_from": "2000-01-01T00:00:00Z"}, ["decided"]),
        ({"decided_before": "2000-01-01T00:00:00+02:00"}, []),
        ({"decided_from": "0001-01-01T00:00:00+14:00"}, ["decided"]),
        ({"decided_before": "9999-12-31T23:59:59-14:00"}, ["decided"]),
    ],
)
def test_pairs_can_be_chosen(
    query: dict[str, str], found: list[str], study: Filled, addresses: dict[str, str], as_: As
) -> None:
    pairs = {"decided": study.decided, "open": study.open}

    chosen = listed(as_("researcher"), addresses["pairs"], **query)

    assert chosen == [pairs[name].sentence1.text for name in found]


@pytest.mark.parametrize(
    ("query", "culprit"),
    [
        (
            "judgments__annotator__password__startswith=a",
            "judgments__annotator__password__startswith",
        ),
        ("annotator__password__startswith=a", "annotator__password__startswith"),
        ("candidate__run__method=word_swap", "candidate__run__method"),
        ("method=word_swap&method=imported", "method"),
        ("method=poetry", "method"),
        ("kept=perhaps", "kept"),
        ("label=2", "label"),
        ("label=1%00", "label"),
        ("label=", "label"),
        (f"label={'9' * 400}", "label"),
        ("rounds=0", "rounds"),
        ("decided_from=2026-11-21", "decided_from"),
        ("decided_from=2026-11-21T09:30:00", "decided_from"),
        ("limit=0", "limit"),
        ("limit=1001", "limit"),
        (f"limit={'9' * 400}", "limit"),
        ("after=1", "after"),
        ("after=00000000-0000-4000-8000-000000000000", "after"),
        ("format=json", "format"),
    ],
)
def test_any_other_question_is_refused(
    query: str, culprit: str, addresses: dict[str, str], as_: As
) -> None:
    response = as_("superuser").get(f"{addresses['pairs']}?{query}")

    assert response.status_code == 400
    assert response.json()["type"] == "validation_error"
    assert [error["attr"] for error in response.json()["errors"]] == [culprit]


def test_an_endpoint_that_knows_no_question_refuses_all(addresses: dict[str, str], as_: As) -> None:
    assert as_("superuser").get(f"{addresses['pair']}?expand=judgments").status_code == 400


def test_pages_hold_every_pair_once(study: Filled, addresses: dict[str, str], as_: As) -> None:
    cast.pairs(study.project, 5)
    client, address, seen = as_("researcher"), f"{addresses['pairs']}?limit=3", []
    while address:
        page = client.get(address).json()
        seen.append([row["id"] for row in page["results"]])
        address = page["next"]

    assert [len(page) for page in seen] == [3, 3, 1]
    ids = SentencePair.objects.order_by("pk").values_list("public_id", flat=True)
    assert [each for page in seen for each in page] == [str(each) for each in ids]


def test_the_next_page_asks_the_same_question(
    study: Filled, addresses: dict[str, str], as_: As
) -> None:
    cast.pairs(study.project, 1)
    query = {"method": "back_translation", "limit": 1}

    following = as_("researcher").get(addresses["pairs"], query).json()["next"]

    assert "method=back_translation" in following
    assert "limit=1" in following
    assert f"after={study.open.public_id}" in following


def test_a_page_goes_on_after_a_row_that_is_no_longer_what_was_asked_for(
    study: Filled, addresses: dict[str, str], as_: As
) -> None:
    client = as_("researcher")

    after = {"decided": "false", "after": str(study.decided.public_id)}

    assert listed(client, addresses["pairs"], **after) == [study.open.sentence1.text]


def test_a_page_does_not_begin_at_the_row_of_another_project(
    study: Filled, addresses: dict[str, str], as_: As
) -> None:
    other = cast.study()
    cast.pairs(other, 1)
    stranger = SentencePair.objects.get(project=other).public_id

    response = as_("researcher").get(addresses["pairs"], {"after": str(stranger)})

    assert response.status_code == 400


def test_a_page_costs_the_same_number_of_statements_however_long_it_is(
    study: Filled,
    addresses: dict[str, str],
    as_: As,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    client = as_("researcher")
    with django_assert_num_queries(2):
        client.get(addresses["pairs"])
    cast.pairs(study.project, 50)
    with django_assert_num_queries(2):
        assert len(client.get(addresses["pairs"]).json()["results"]) == 52


def test_a_pair_is_told_with_each_judgment(addresses: dict[str, str], as_: As) -> None:
    judgments = as_("researcher").get(addresses["pair"]).json()["judgments"]

    assert [judgment["label"] for judgment in judgments] == [1, 0, 0, 0, 0]
    assert {judgment["seconds"] for judgment in judgments} == {10.0, 11.0, 12.0, 13.0, 14.0}
    assert {judgment["simulated"] for judgment in judgments} == {False}
    assert len({judgment["annotator"] for judgment in judgments}) == 5


def test_a_pair_is_told_with_the_way_that_it_came(
    study: Filled, addresses: dict[str, str], as_: As
) -> None:
    pair = as_("researcher").get(addresses["pair"]).json()

    assert pair["project"] == str(study.project.public_id)
    assert pair["candidate"]["text"] == "Bo met Ada."
    assert pair["candidate"]["run"] == str(study.decided.candidate.run.public_id)
    assert pair["correction"]["action"] == "fix"
    assert pair["correction"]["seconds"] == 3.0


def test_a_pair_without_correction_says_so(study: Filled, as_: As) -> None:
    pair = as_("researcher").get(f"/api/pairs/{study.open.public_id}/").json()

    assert pair["correction"] is None
    assert pair["judgments"] == []
