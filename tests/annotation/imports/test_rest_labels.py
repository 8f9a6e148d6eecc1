"""Gold pairs, qualification pairs and model judgments that a program adds."""

import pytest

from annotation.models import SentencePair
from tests.annotation import make
from tests.annotation.rest import client_of

pytestmark = pytest.mark.django_db

GOLD = [
    {"sentence1": "Ada saw Bo.", "sentence2": "Bo saw Ada.", "label": 0},
    {"sentence1": "It is cold.", "sentence2": "Cold it is.", "label": "Same meaning"},
    {"sentence1": "It is warm.", "sentence2": "Warm it is.", "label": 7},
    {"sentence1": "", "sentence2": "Warm it is.", "label": 1},
]


@pytest.fixture
def project(db):
    return make.study()


@pytest.fixture
def send(project):
    client = client_of(make.person(project, role="manager").user)

    def post(what, **values):
        address = f"/api/projects/{project.public_id}/{what}/"
        reply = client.post(address, values, format="json")
        return reply.status_code, reply.json()

    return post


def reasons(body):
    return {row["position"]: row["reason"] for row in body["refused"]}


REFUSED = {3: "label_not_on_the_scale", 4: "empty"}


def test_gold_pairs_are_added_once(send, project):
    status, body = send("gold-pairs", pairs=GOLD)
    assert (status, body["added"], reasons(body)) == (200, 2, REFUSED)
    labels = SentencePair.objects.filter(project=project).order_by("pk")
    assert [*labels.values_list("gold_label", flat=True)] == [0, 1]
    body = send("gold-pairs", pairs=GOLD)[1]
    assert (body["added"], body["duplicates"]) == (0, 2)


def test_qualification_pairs_are_added_once(send, project):
    status, body = send("qualification", pairs=GOLD)
    assert (status, body["added"], reasons(body)) == (200, 2, REFUSED)
    body = send("qualification", pairs=GOLD)[1]
    assert (body["added"], body["duplicates"]) == (0, 2)
    assert project.qualification_pairs.count() == 2


def test_a_qualification_pair_of_the_study_is_refused(send, project):
    make.pairs(project, 1)
    pair = project.pairs.get()
    texts = {"sentence1": pair.sentence1.text, "sentence2": pair.sentence2.text}
    status, body = send("qualification", pairs=[texts | {"label": 1}, GOLD[0]])
    assert (status, body["errors"][0]["code"]) == (409, "conflict")
    assert texts["sentence1"] in body["errors"][0]["detail"]
    assert not project.qualification_pairs.exists()


def test_labels_of_a_model_are_added_once(send, project):
    make.pairs(project, 2)
    one, other = project.pairs.order_by("pk")
    sent = {
        "name": "large-judge",
        "revision": "7",
        "judgments": [
            {"pair": str(one.public_id), "label": 1, "score": 0.75},
            {"pair": str(other.public_id), "label": "0", "score": None},
            {"pair": "rivers-7", "label": 1},
            {"pair": str(one.public_id), "label": 0},
            {"pair": str(other.public_id), "label": 0, "score": 2},
        ],
    }
    status, body = send("models", **sent)
    assert (status, body["added"]) == (200, 2)
    assert reasons(body) == {
        3: "pair_is_no_id",
        4: "said_otherwise_before",
        5: "score_not_from_0_to_1",
    }
    assert send("models", **sent)[1]["duplicates"] == 2
    model = project.judging_models.get()
    assert sorted(model.judgments.values_list("label", "score")) == [(0, None), (1, 0.75)]
