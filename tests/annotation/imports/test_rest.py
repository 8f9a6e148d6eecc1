"""Corpora, sentences and pairs that programs bring in: what is sent twice is there once."""

import json

import pytest
from rest_framework.test import APIClient

from accounts import tokens
from accounts.scopes import Scope
from annotation.imports.rows_api import MOST_ROWS
from annotation.imports.services import corpora
from annotation.models import Import, Membership
from annotation.pairs.services import intake
from annotation.projects.services import lifecycle
from common import bounded_json
from common.api.endpoints import RowsParser
from common.bodies import SMALL
from generation.models import Corpus, Sentence
from tests.annotation import make
from tests.annotation.rest import client_of

pytestmark = pytest.mark.django_db
CARD = {"entity": "queue", "definition": "First in, first out storage."}
RAIN = {"id": "1", "text": "It rains in May.", "group": "may"}


@pytest.fixture
def member():
    return make.person(make.study(), role="manager")


@pytest.fixture
def program(member):
    token = tokens.create(user=member.user, scope=Scope.MANAGE)
    return APIClient(headers={"Authorization": f"Token {token}"})


@pytest.fixture
def rivers(member):
    return corpora.create("rivers", owner=member.user, project=member.project)


def post(client, address, **sent):
    return client.post(f"/api/{address}", sent, format="json")


def test_a_program_creates_a_corpus_that_is_its_owner_s_and_the_project_s(program, member):
    about = {"project": str(member.project.public_id), "name": "rivers", "language": "de"}
    reply = post(program, "corpora/", **about, licence="CC0-1.0")
    assert (reply.status_code, reply.json()["sentences"]) == (201, 0)
    corpus = Corpus.objects.get()
    assert (corpus.owner, list(member.project.corpora.all())) == (member.user, [corpus])
    assert post(program, "corpora/", **about, licence="CC0-1.0").status_code == 200
    again = post(program, "corpora/", **about)  # another licence
    assert (again.status_code, again.json()["errors"][0]["attr"]) == (400, "name")


@pytest.mark.parametrize(
    "name", ["rivers/../x", "..", ".", "/x", "x/", "a//b", "x/sentences", "x/y/flashcards"]
)
def test_no_corpus_gets_a_name_that_its_address_cannot_hold(program, member, name):
    about = {"project": str(member.project.public_id), "language": "en"}
    reply = post(program, "corpora/", name=name, **about)
    assert (reply.status_code, reply.json()["errors"][0]["attr"]) == (400, "name")


def test_a_corpus_may_have_slashes_and_dots_in_its_name(program, member):
    about = {"project": str(member.project.public_id), "name": "..a/sentences.b", "language": "en"}
    assert post(program, "corpora/", **about).status_code == 201


def test_sentences_sent_twice_are_added_once_and_bad_rows_are_refused_alone(program, rivers):
    rows = [RAIN, {"id": "1", "text": "It pours."}, {"text": " "}, {"text": "Bo ran."}]
    first = post(program, "corpora/rivers/sentences/", sentences=rows).json()
    assert (first["added"], first["duplicates"]) == (2, 0)
    refused = [(row["position"], row["reason"]) for row in first["refused"]]
    assert refused == [(2, "duplicate_id"), (3, "empty")]
    again = post(program, "corpora/rivers/sentences/", sentences=rows).json()
    assert (again["added"], again["duplicates"], len(again["refused"])) == (0, 2, 2)
    shown = program.get("/api/corpora/rivers/sentences/").json()["results"]
    assert [(each["id_in_file"], each["line"]) for each in shown] == [("1", None), ("", None)]


def test_flashcards_sent_twice_are_there_once_each_with_its_entity(program, rivers):
    cards = [CARD, CARD | {"entity": "stack"}, {"entity": "", "definition": "No name at all."}]
    for added, known in ((1, 0), (0, 1)):
        reply = post(program, "corpora/rivers/flashcards/", flashcards=cards).json()
        assert (reply["added"], reply["duplicates"]) == (added, known)
        refused = [(row["position"], row["reason"]) for row in reply["refused"]]
        assert refused == [(2, "shared_definition"), (3, "missing_entity")]
    [row] = program.get("/api/corpora/rivers/sentences/").json()["results"]
    assert (row["entity"], row["group"]) == ("queue", "queue")


def test_pairs_sent_twice_enter_the_project_once(program, member, rivers):
    post(program, "corpora/rivers/sentences/", sentences=[RAIN])
    pair = {"sentence1": RAIN["text"], "sentence2": "In May it rains.", "sentence1_id": "1"}
    pairs = [pair, {"sentence1": "A b.", "sentence2": "A b.", "method": "word_swap"}]
    address = f"projects/{member.project.public_id}/pairs/"
    for added, known in ((1, 0), (0, 1)):
        reply = post(program, address, corpus="rivers", pairs=pairs).json()
        assert (reply["added"], reply["duplicates"]) == (added, known)
        assert [row["reason"] for row in reply["refused"]] == ["identical"]
    intake.take_in_all()
    assert member.project.pairs.get().sentence1.corpus == rivers
    assert Sentence.objects.filter(candidate=None).count() == 1


def test_an_incomplete_row_is_refused_alone(program, member, rivers):
    rows = [{"sentence1": "A b."}, {"sentence1": "A b.", "sentence2": None}]
    rows += [{"sentence1": "A b.", "sentence2": "x" * 20_000}]
    rows += [{"sentence1": "A b.", "sentence2": "B a."}]
    address = f"projects/{member.project.public_id}/pairs/"
    reply = post(program, address, corpus="rivers", pairs=rows).json()
    assert [row["reason"] for row in reply["refused"]] == ["empty", "empty", "too_long"]
    assert reply["added"] == 1
    assert post(program, "corpora/rivers/sentences/", sentences=[{}, RAIN]).json()["added"] == 1


def test_tokens_may_send_many_rows_where_rows_are_taken_and_nowhere_else(program, rivers):
    many = [{"text": f"The {n}. river flows to the sea, as all rivers do."} for n in range(4000)]
    assert len(json.dumps(many)) > SMALL
    reply = post(program, "corpora/rivers/sentences/", sentences=many)
    assert reply.json()["added"] == 4000
    assert post(program, "corpora/", name=many).status_code == 413
    wrong = APIClient(headers={"Authorization": "Token wrong"})
    assert post(wrong, "corpora/rivers/sentences/", sentences=many).status_code == 401


def test_a_request_takes_as_many_rows_and_letters_as_it_says(program, rivers):
    address = "corpora/rivers/sentences/"
    rows = [{"text": f"Line {n}."} for n in range(MOST_ROWS + 1)]
    assert post(program, address, sentences=rows).status_code == 400
    reply = post(program, address, sentences=[{"text": "x" * 10_001}])
    assert reply.json()["refused"][0]["reason"] == "too_long"
    assert post(program, address, sentences=[{"text": "x" * RowsParser.most}]).status_code == 413
    about = {"project": str(rivers.projects.get().public_id), "name": "x", "description": "d"}
    about["description"] *= bounded_json.MAX_BYTES
    reply = post(program, "corpora/", **about)
    assert (reply.status_code, reply.json()["errors"][0]["code"]) == (400, "parse_error")


def test_only_its_owner_and_managers_of_its_projects_use_a_corpus(member, rivers):
    project, other = member.project, make.person(make.study(), role="manager")
    rows, address = {"sentences": [RAIN]}, "corpora/rivers/sentences/"
    researcher = make.person(project, role="researcher")
    for user, statuses in (
        (other.user, (404, 404)),
        (researcher.user, (200, 403)),
        (make.person(project, role="manager").user, (200, 200)),
    ):
        client = client_of(user)
        found = (client.get(f"/api/{address}").status_code, post(client, address, **rows))
        assert (found[0], found[1].status_code) == statuses
    unknown = client_of(other.user).get("/api/corpora/nowhere/").content
    assert client_of(other.user).get("/api/corpora/rivers/").content == unknown
    run = {"project": str(other.project.public_id), "method": "word_swap"}
    hidden = post(client_of(other.user), "runs/", **run, corpora=["rivers"])
    assert hidden.content == post(client_of(other.user), "runs/", **run, corpora=["x"]).content
    Membership.objects.filter(user=member.user).delete()
    assert post(client_of(member.user), address, **rows).status_code == 200


def test_nothing_is_brought_into_an_archived_project(program, member, rivers):
    project = member.project
    lifecycle.archive(project, by=member.user)
    of_project = f"projects/{project.public_id}"
    pairs = {"corpus": "rivers", "pairs": [{"sentence1": "A b.", "sentence2": "B a."}]}
    run = {"project": str(project.public_id), "method": "word_swap", "corpora": ["rivers"]}
    for address, sent in (
        ("corpora/", {"project": str(project.public_id), "name": "hills"}),
        ("corpora/rivers/sentences/", {"sentences": [RAIN]}),
        ("corpora/rivers/flashcards/", {"flashcards": [CARD]}),
        (f"{of_project}/pairs/", pairs),
        (f"{of_project}/invitations/", {}),
        ("runs/", run),
    ):
        reply = post(program, address, **sent)
        assert reply.status_code == 403, address
        assert "archived" in reply.json()["errors"][0]["detail"], address
    assert program.get(f"/api/{of_project}/imports/").status_code == 200
    assert post(program, f"{of_project}/imports/").status_code == 405
    assert not Sentence.objects.exists()
    make.study().corpora.add(rivers)
    assert post(program, "corpora/rivers/sentences/", sentences=[RAIN]).status_code == 200


def test_imports_are_listed(program, member, rivers):
    Import.objects.create(
        project=member.project, kind="sentences", name="a.csv", size=1, layout={}, corpus=rivers
    )
    [row] = program.get(f"/api/projects/{member.project.public_id}/imports/").json()["results"]
    assert (row["name"], row["state"], row["corpus"]) == ("a.csv", "draft", "rivers")
