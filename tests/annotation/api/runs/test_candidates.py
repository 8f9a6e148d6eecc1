"""Candidates of a run, page by page, traceable to their sources."""

import pytest
from rest_framework.test import APIClient

from annotation.models import Project
from generation.services import worker
from tests.annotation import cast
from tests.annotation.api.runs.asking import adopted
from tests.generation import fake

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("backwards")]


def test_candidates_are_paged_in_the_order_of_the_corpus(
    manager: APIClient, project: Project
) -> None:
    run = adopted(project, size=25)
    worker.work_until_idle(run)
    address: str | None = f"/api/runs/{run.public_id}/candidates/?limit=4"

    rows = []
    while address:
        page = manager.get(address).json()
        rows += page["results"]
        address = page["next"]

    assert [row["source"] for row in rows] == [t for t in fake.texts(run.corpus) if " " in t]
    assert rows[0] == rows[0] | {
        "source": "sentence number 1",
        "text": "1 number sentence",
        "kind": "other",
        "rank": 0,
        "score": -7.0,
        "source_score": None,
        "similarity": 1.0,
        "inversion_rate": 1.0,
        "batch": 1,
    }


def test_pages_go_on_within_the_candidates_of_one_sentence(
    manager: APIClient, project: Project
) -> None:
    [first] = cast.candidates(project, [("A b c.", "B a c.")])
    made = cast.rewrites(project, first.sentence, ["A c b.", "C a b.", "C b a."])
    address = f"/api/runs/{made[0].run.public_id}/candidates/?limit=2"

    one = manager.get(address).json()
    two = manager.get(one["next"]).json()

    assert [row["rank"] for row in one["results"] + two["results"]] == [0, 1, 2]
    assert two["next"] is None
