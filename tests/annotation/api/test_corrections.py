"""Corrections over REST."""

import pytest
from rest_framework.test import APIClient

from annotation.models import Correction, Membership, Project
from annotation.selectors import pseudonyms
from tests.annotation import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def corrector(db: None) -> Membership:
    """Somebody who has fixed one candidate, accepted one and rejected one; one is open."""
    project = cast.study()
    rewrites = [(f"Ada met Bo {n}.", f"Bo met Ada {n}.") for n in range(4)]
    cast.candidates(project, rewrites)
    corrector = cast.person(project)
    cast.correct_next(corrector, "fix", "Bo has met Ada 0.")
    cast.correct_next(corrector, "accept")
    cast.correct_next(corrector, "reject")
    return corrector


@pytest.fixture
def project(corrector: Membership) -> Project:
    return corrector.project


@pytest.fixture
def address(project: Project) -> str:
    return f"/api/projects/{project.public_id}/corrections/"


def test_a_correction_is_told_from_source_to_final_text(
    corrector: Membership, researcher: APIClient, address: str
) -> None:
    made = Correction.objects.select_related("candidate", "pair").get(action="fix")

    row = researcher.get(address, {"action": "fix"}).json()["results"][0]

    assert row.pop("submitted_at")
    assert row == {
        "id": str(made.public_id),
        "candidate": str(made.candidate.public_id),
        "pair": str(made.pair.public_id),
        "method": "word_swap",
        "source": "Ada met Bo 0.",
        "text": "Bo met Ada 0.",
        "action": "fix",
        "final_text": "Bo has met Ada 0.",
        "annotator": pseudonyms.within(corrector.project, corrector.user_id),
        "simulated": False,
        "seconds": 3.0,
    }


def test_what_is_rejected_has_neither_final_text_nor_pair(
    researcher: APIClient, address: str
) -> None:
    [row] = researcher.get(address, {"action": "reject"}).json()["results"]

    assert (row["final_text"], row["pair"]) == (None, None)


def test_corrections_are_paged_in_the_order_of_their_candidates(
    researcher: APIClient, address: str
) -> None:
    first = researcher.get(address, {"limit": 2}).json()
    second = researcher.get(first["next"]).json()

    rows = first["results"] + second["results"]
    assert [row["source"] for row in rows] == [f"Ada met Bo {n}." for n in range(3)]
    assert [row["final_text"] for row in rows] == ["Bo has met Ada 0.", "Bo met Ada 1.", None]
    assert second["next"] is None


@pytest.mark.parametrize(
    ("query", "actions"),
    [
        ({"method": "back_translation"}, []),
        ({"simulated": "false"}, ["fix", "accept", "reject"]),
        ({"submitted_before": "2001-01-01T00:00:00Z"}, []),
    ],
)
def test_corrections_can_be_chosen(
    query: dict[str, str], actions: list[str], researcher: APIClient, address: str
) -> None:
    rows = researcher.get(address, query).json()["results"]

    assert [row["action"] for row in rows] == actions
