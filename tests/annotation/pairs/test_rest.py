"""Pairs over REST: listed page by page, filtered, and one by one with all that was judged."""

from types import SimpleNamespace

import pytest

from annotation.models import SentencePair
from annotation.pairs.api import PairRow
from annotation.pairs.selectors import long_tables
from common.api.flat import columns
from tests.annotation import make
from tests.annotation.rest import rows

pytestmark = pytest.mark.django_db


def test_a_pair_is_listed_with_its_votes_once_it_is_decided(study, at, reader):
    decided, undecided = reader.get(at["api_pairs"]).json()["results"]
    pair = study.decided
    assert decided == (
        {"id": str(pair.public_id), "own_id": ""}
        | {"method": "word_swap", "slots": 5, "answers": 5, "rounds": 1}
        | {"run": str(pair.candidate.run.public_id)}
        | {"sentence1": {"id": str(pair.sentence1.public_id), "text": "Ada met Bo."}}
        | {"sentence2": {"id": str(pair.sentence2.public_id), "text": "Bo met Ada once."}}
        | {
            "adjudicated": False,
            "excluded": False,
            "decided": True,
            "decided_at": decided["decided_at"],
        }
        | {"label": 0, "label_name": "Different meaning", "kept": True, "votes": [4, 1]}
        | dict.fromkeys(("mean", "spread", "model_label", "model_share"))
    )
    nothing_yet = {"answers": 0, "decided": False} | dict.fromkeys(
        ("label", "label_name", "kept", "votes")
    )
    assert undecided | nothing_yet == undecided
    # Lists are read and serialized by a quicker way than a single pair.
    rows = long_tables.pairs(study.project).order_by("pk")
    rows = rows.values_list(*columns(PairRow()), named=True)
    context = {"view": SimpleNamespace(project=study.project)}
    rows = PairRow(rows, many=True, context=context).data
    pairs = long_tables.with_history(study.project.pairs.order_by("pk"))
    assert rows == [PairRow(pair, context=context).data for pair in pairs]


@pytest.mark.both_engines
def test_pairs_can_be_filtered(study, at, reader):
    decided, undecided = study.decided.public_id, study.open.public_id
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
        ({"excluded": "false"}, [decided, undecided]),
        ({"excluded": "true"}, []),
        ({"decided_from": "2000-01-01T00:00:00Z"}, [decided]),
        ({"decided_before": "2000-01-01T00:00:00+02:00"}, []),
        # A row that is no longer among them is a place to go on from all the same.
        ({"decided": "false", "after": str(decided)}, [undecided]),
    ):
        listed = [row["id"] for row in reader.get(at["api_pairs"], query).json()["results"]]
        assert listed == [str(each) for each in found], query


def test_a_wrong_value_is_refused_by_the_name_of_its_parameter(at, reader):
    other = make.study()
    make.pairs(other, 1)
    elsewhere = str(SentencePair.objects.get(project=other).public_id)
    for name, values in {
        "method": ["word_swap&method=imported", "poetry"],
        "kept": ["perhaps"],
        "label": ["2", "1%00", "", "9" * 400],
        "rounds": ["0"],
        "decided_from": ["2026-11-21", "2026-11-21T09:30:00", "2026-02-30T00:00:00Z"],
        "decided_before": ["0001-01-01T00:00:00%2B14:00", "9999-12-31T23:59:59-14:00"],
        "limit": ["0", "1001", "9" * 400],
        "after": ["1", "00000000-0000-4000-8000-000000000000", elsewhere],
    }.items():
        for value in values:
            reply = reader.get(f"{at['api_pairs']}?{name}={value}")
            assert (reply.status_code, reply.json()["type"]) == (400, "validation_error")
            assert [error["attr"] for error in reply.json()["errors"]] == [name], value


@pytest.mark.both_engines
def test_pages_hold_every_pair_once(study, at, reader, django_assert_num_queries):
    make.pairs(study.project, 50)
    with django_assert_num_queries(3):  # the project, the keys of a page, and its rows
        reader.get(at["api_pairs"])
    pairs = SentencePair.objects.filter(project=study.project).order_by("pk")
    expected = [str(pair.public_id) for pair in pairs]
    assert [row["id"] for row in rows(reader, at["api_pairs"])] == expected
    query = {"method": "back_translation", "limit": 25}
    assert len(reader.get(at["api_pairs"], query).json()["results"]) == 25
    assert [row["id"] for row in rows(reader, at["api_pairs"], **query)] == expected[1:]


def test_one_pair_comes_with_each_judgment_and_the_way_it_came(study, at, reader):
    pair = reader.get(at["api_pair"]).json()
    assert pair["project"] == str(study.project.public_id)
    came = {"text": "Bo met Ada.", "run": str(study.decided.candidate.run.public_id)}
    assert pair["candidate"] | came == pair["candidate"]
    assert (pair["correction"]["action"], pair["correction"]["seconds"]) == ("fix", 3.0)
    given = [(each["label"], each["seconds"], each["simulated"]) for each in pair["judgments"]]
    assert given == [(int(slot == 1), 9.0 + slot, False) for slot in range(1, 6)]
    assert len({judgment["annotator"] for judgment in pair["judgments"]}) == 5
    undecided = reader.get(f"/api/pairs/{study.open.public_id}/").json()
    assert (undecided["correction"], undecided["judgments"]) == (None, [])
