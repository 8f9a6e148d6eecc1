"""Agreement for whoever reads, annotators' figures for managers alone, guests beside both."""

import pytest
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from annotation.models import Guest, GuestJudgment, Judgment, Project, SentencePair
from annotation.selectors import pseudonyms
from tests.annotation import cast
from tests.annotation.api.conftest import client_of

pytestmark = pytest.mark.django_db


def of(project: Project, what: str) -> str:
    return f"/api/projects/{project.public_id}/{what}/"


def test_agreement_is_told_before_and_after_the_filter(
    project: Project, researcher: APIClient
) -> None:
    told = researcher.get(of(project, "agreement")).json()

    before, after = told["overall"]["before_filter"], told["overall"]["after_filter"]
    assert (before["pairs"], after["pairs"]) == (2, 0)
    assert before["human_agreement"]["value"] == pytest.approx(2 / 3)
    assert after["human_agreement"] == {"value": None, "interval": None}
    assert [part["method"] for part in told["methods"]] == ["back_translation"]
    assert [(part["method"], part["kind"]) for part in told["kinds"]] == [("back_translation", "")]
    assert told["weeks"][0]["before_filter"] == before


def test_managers_read_who_does_how_well(project: Project, manager: APIClient) -> None:
    page = manager.get(of(project, "annotators")).json()

    assert page["next"] is None
    differs = project.memberships.order_by("pk")[2]
    row = next(row for row in page["results"] if row["name"] == differs.user.username)
    own = Judgment.objects.filter(annotator=differs.user).earliest("pk")
    assert row.pop("last_seen")
    assert row == {
        "name": differs.user.username,
        "annotator": pseudonyms.within(project, differs.user_id),
        "role": "annotator",
        "simulated": False,
        "corrections": 0,
        "judgments": 2,
        "skips": 0,
        "median_seconds": own.seconds,
        "label_shares": [1.0, 0.0],
        "compared": 2,
        "agreement": 0.0,
        "agreement_interval": row["agreement_interval"],
        "kappa": 0.0,
        "known_given": 0,
        "known_right": 0,
        "flags": [],
        "held_out": False,
        "paused_at": None,
    }


def test_researchers_are_not_told_who_is_who(project: Project, researcher: APIClient) -> None:
    reply = researcher.get(of(project, "annotators"))

    assert reply.status_code == 403
    assert reply.json()["errors"][0]["code"] == "permission_denied"


def test_who_annotates_reads_no_figures(project: Project) -> None:
    annotator = client_of(project.memberships.earliest("pk").user)

    for what in ("annotators", "agreement", "guests"):
        assert annotator.get(of(project, what)).status_code == 404


def test_figures_cost_the_same_number_of_statements_however_many_people(
    project: Project, manager: APIClient, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    address = of(project, "annotators")
    with django_assert_num_queries(10) as few:
        manager.get(address)
    for _ in range(3):
        cast.person(project)
    with django_assert_num_queries(len(few)):
        assert len(manager.get(address).json()["results"]) == 7


@pytest.fixture
def guest(project: Project) -> Guest:
    guest = Guest.objects.create(project=project, name="large-judge", revision="7", note="Once")
    for pair, label in zip(SentencePair.objects.order_by("pk"), (1, 0), strict=True):
        GuestJudgment.objects.create(guest=guest, pair=pair, label=label, score=0.75)
    return guest


def test_guests_are_listed_with_the_number_of_their_labels(
    project: Project, guest: Guest, researcher: APIClient
) -> None:
    [row] = researcher.get(of(project, "guests")).json()["results"]

    assert row.pop("created_at")
    assert row == {
        "id": str(guest.public_id),
        "project": str(project.public_id),
        "name": "large-judge",
        "revision": "7",
        "note": "Once",
        "judgments": 2,
    }


def test_a_guest_s_labels_are_a_long_table(guest: Guest, researcher: APIClient) -> None:
    address = f"/api/guests/{guest.public_id}/judgments/"

    first = researcher.get(address, {"limit": 1}).json()
    second = researcher.get(first["next"]).json()

    pairs = SentencePair.objects.order_by("pk").values_list("public_id", flat=True)
    assert first["results"] + second["results"] == [
        {"pair": str(pairs[0]), "label": 1, "score": 0.75},
        {"pair": str(pairs[1]), "label": 0, "score": 0.75},
    ]
    assert len(researcher.get(address, {"label": 0}).json()["results"]) == 1


def test_a_guest_is_no_rater(project: Project, manager: APIClient) -> None:
    before = manager.get(of(project, "agreement")).json()
    cast.person(project)
    guest = Guest.objects.create(project=project, name="large-judge")
    for pair in SentencePair.objects.all():
        GuestJudgment.objects.create(guest=guest, pair=pair, label=0)

    assert manager.get(of(project, "agreement")).json() == before
    listed = manager.get(of(project, "judgments")).json()["results"]
    assert len(listed) == 6
