"""Over REST: what a study is, its agreement, annotators' figures for managers, and guests."""

import pytest

from annotation.models import Guest, GuestJudgment, Judgment
from annotation.selectors import pseudonyms
from tests.annotation import cast

pytestmark = pytest.mark.django_db


def of(project, what):
    return f"/api/projects/{project.public_id}/{what}/"


def test_a_project_describes_its_protocol_its_progress_and_its_runs(study, at, reader):
    row = reader.get(at["api_project"]).json()

    assert row["protocol"] == {
        "judgments_per_pair": 5,
        "consensus_min_votes": 4,
        "decides_early": False,
        "max_label": 1,
        "paraphrase_from": 1,
        "corrected_methods": ["word_swap"],
        "lease_minutes": 30,
        "seed": 0,
    }
    assert row["progress"] == {
        "candidates": 2,
        "accepted": 0,
        "fixed": 1,
        "rejected": 0,
        "to_correct": 0,
        "pairs": 2,
        "judgments": 5,
        "to_judge": 5,
        "decided": 1,
        "kept": 1,
    }
    assert sorted(row["runs"]) == sorted(str(run.public_id) for run in study.project.runs.all())


def test_projects_are_listed_oldest_first(study, at, as_):
    later = cast.study()

    listed = as_("superuser").get(at["api_projects"]).json()["results"]

    assert [row["name"] for row in listed] == [study.project.name, later.name]


def test_agreement_is_given_before_and_after_the_filter(project, researcher):
    figures = researcher.get(of(project, "agreement")).json()

    before, after = figures["overall"]["before_filter"], figures["overall"]["after_filter"]
    assert (before["pairs"], after["pairs"]) == (2, 0)
    assert before["human_agreement"]["value"] == pytest.approx(2 / 3)
    assert after["human_agreement"] == {"value": None, "interval": None}
    assert [part["method"] for part in figures["methods"]] == ["back_translation"]
    kinds = [(part["method"], part["kind"]) for part in figures["kinds"]]
    assert kinds == [("back_translation", "")]
    assert figures["weeks"][0]["before_filter"] == before


def test_managers_read_the_figures_of_each_annotator(project, manager, django_assert_num_queries):
    with django_assert_num_queries(10):
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

    for _ in range(3):
        cast.person(project)
    with django_assert_num_queries(10):
        assert len(manager.get(of(project, "annotators")).json()["results"]) == 7


def test_researchers_are_refused_the_figures_of_annotators(project, researcher):
    reply = researcher.get(of(project, "annotators"))

    [error] = reply.json()["errors"]
    assert (reply.status_code, error["code"]) == (403, "permission_denied")
    assert error["detail"] == "Only managers of the project may do this."


def test_a_guest_labels_pairs_without_being_a_rater(project, manager):
    before = manager.get(of(project, "agreement")).json()
    guest = Guest.objects.create(project=project, name="large-judge", revision="7", note="Once")
    pairs = list(project.pairs.order_by("pk"))
    for pair, label in zip(pairs, (1, 0), strict=True):
        GuestJudgment.objects.create(guest=guest, pair=pair, label=label, score=0.75)

    [row] = manager.get(of(project, "guests")).json()["results"]
    assert row.pop("created_at")
    assert row == {
        "id": str(guest.public_id),
        "project": str(project.public_id),
        "name": "large-judge",
        "revision": "7",
        "note": "Once",
        "judgments": 2,
    }
    address = f"/api/guests/{guest.public_id}/judgments/"
    first = manager.get(address, {"limit": 1}).json()
    second = manager.get(first["next"]).json()
    assert first["results"] + second["results"] == [
        {"pair": str(pair.public_id), "label": label, "score": 0.75}
        for pair, label in zip(pairs, (1, 0), strict=True)
    ]
    assert len(manager.get(address, {"label": 0}).json()["results"]) == 1

    assert manager.get(of(project, "agreement")).json() == before
    assert len(manager.get(of(project, "judgments")).json()["results"]) == 6
