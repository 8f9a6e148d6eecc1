"""Pairs over REST: what is said of them, page by page."""

import pytest

from annotation.api.pairs import PairRow
from annotation.models import SentencePair
from annotation.selectors import long_tables
from tests.annotation import cast

pytestmark = pytest.mark.django_db


def first_texts(client, address, **query):
    """The first texts of the pairs that a question gives."""
    return [row["sentence1"]["text"] for row in client.get(address, query).json()["results"]]


def test_a_pair_is_listed_with_its_votes_once_it_is_decided(study, at, reader):
    decided, undecided = reader.get(at["api_pairs"]).json()["results"]

    assert decided == {
        "id": str(study.decided.public_id),
        "sentence1": {"id": str(study.decided.sentence1.public_id), "text": "Ada met Bo."},
        "sentence2": {"id": str(study.decided.sentence2.public_id), "text": "Bo met Ada once."},
        "method": "word_swap",
        "slots": 5,
        "answers": 5,
        "rounds": 1,
        "adjudicated": False,
        "decided": True,
        "decided_at": decided["decided_at"],
        "label": 0,
        "kept": True,
        "votes": [4, 1],
    }
    nothing_yet = {"answers": 0, "decided": False, "label": None, "kept": None, "votes": None}
    assert undecided | nothing_yet == undecided


def test_a_page_of_pairs_says_the_same_as_each_row_by_its_fields(study):
    pairs = list(long_tables.pairs(study.project))

    assert len(pairs) == 2
    assert PairRow(pairs, many=True).data == [PairRow(pair).data for pair in pairs]
    assert list(PairRow(pairs, many=True).data[0]) == list(PairRow().fields)


@pytest.mark.both_engines
def test_pairs_can_be_filtered(study, at, reader, subtests):
    decided, undecided = study.decided.sentence1.text, study.open.sentence1.text
    for query, found in (
        ({"method": "word_swap"}, [decided]),
        ({"method": "back_translation"}, [undecided]),
        ({"decided": "true"}, [decided]),
        ({"decided": "false"}, [undecided]),
        ({"kept": "true"}, [decided]),
        ({"kept": "false"}, []),
        ({"label": "0"}, [decided]),
        ({"label": "1"}, []),
        ({"method": "back_translation", "decided": "true"}, []),
        ({"rounds": "1"}, [decided, undecided]),
        ({"rounds": "2"}, []),
        ({"adjudicated": "false"}, [decided, undecided]),
        ({"decided_from": "2000-01-01T00:00:00Z"}, [decided]),
        ({"decided_before": "2000-01-01T00:00:00+02:00"}, []),
        ({"decided_from": "0001-01-01T00:00:00+14:00"}, [decided]),
        ({"decided_before": "9999-12-31T23:59:59-14:00"}, [decided]),
        # A row that is no longer among them is a place to go on from all the same.
        ({"decided": "false", "after": str(study.decided.public_id)}, [undecided]),
    ):
        with subtests.test(**query):
            assert first_texts(reader, at["api_pairs"], **query) == found


def test_a_wrong_value_is_refused_by_the_name_of_its_parameter(at, reader):
    other = cast.study()
    cast.pairs(other, 1)
    elsewhere = SentencePair.objects.get(project=other).public_id
    for query in (
        "method=word_swap&method=imported",
        "method=poetry",
        "kept=perhaps",
        "label=2",
        "label=1%00",
        "label=",
        f"label={'9' * 400}",
        "rounds=0",
        "decided_from=2026-11-21",
        "decided_from=2026-11-21T09:30:00",
        "limit=0",
        "limit=1001",
        f"limit={'9' * 400}",
        "after=1",
        "after=00000000-0000-4000-8000-000000000000",
        f"after={elsewhere}",
    ):
        reply = reader.get(f"{at['api_pairs']}?{query}")
        assert (reply.status_code, reply.json()["type"]) == (400, "validation_error"), query
        assert [error["attr"] for error in reply.json()["errors"]] == [query.partition("=")[0]]


@pytest.mark.both_engines
def test_pages_hold_every_pair_once_and_cost_two_statements(
    study, at, reader, django_assert_num_queries
):
    cast.pairs(study.project, 50)
    with django_assert_num_queries(2):
        whole = [row["id"] for row in reader.get(at["api_pairs"]).json()["results"]]
    ids = SentencePair.objects.filter(project=study.project).order_by("pk")
    assert whole == [str(each) for each in ids.values_list("public_id", flat=True)]

    pages, address = [], f"{at['api_pairs']}?method=back_translation&limit=25"
    while address:
        page = reader.get(address).json()
        pages.append([row["id"] for row in page["results"]])
        address = page["next"]
    assert [len(page) for page in pages] == [25, 25, 1]
    assert [each for page in pages for each in page] == whole[1:]


def test_one_pair_comes_with_each_judgment_and_the_way_it_came(study, at, reader):
    pair = reader.get(at["api_pair"]).json()

    assert pair["project"] == str(study.project.public_id)
    assert pair["candidate"]["text"] == "Bo met Ada."
    assert pair["candidate"]["run"] == str(study.decided.candidate.run.public_id)
    assert (pair["correction"]["action"], pair["correction"]["seconds"]) == ("fix", 3.0)
    judgments = pair["judgments"]
    assert [judgment["label"] for judgment in judgments] == [1, 0, 0, 0, 0]
    assert {judgment["seconds"] for judgment in judgments} == {10.0, 11.0, 12.0, 13.0, 14.0}
    assert {judgment["simulated"] for judgment in judgments} == {False}
    assert len({judgment["annotator"] for judgment in judgments}) == 5

    undecided = reader.get(f"/api/pairs/{study.open.public_id}/").json()
    assert (undecided["correction"], undecided["judgments"]) == (None, [])
