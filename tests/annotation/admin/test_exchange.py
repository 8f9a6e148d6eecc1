"""Places and qualification pairs as files: all of a file or nothing, checked as forms are."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from annotation.models import Membership, QualificationPair
from tests.annotation.admin.pages import page
from tests.annotation.filled import Filled

CSV, JSON = 0, 1


def send(client: Client, model: type[Model], text: str, kind: int = CSV) -> Any:
    file = SimpleUploadedFile("rows.csv" if kind == CSV else "rows.json", text.encode())
    return client.post(page(model, "import"), {"import_file": file, "format": kind})


def export(client: Client, model: type[Model], kind: int = CSV) -> str:
    reply = client.post(page(model, "export"), {"format": kind})
    assert reply.status_code == 200
    return str(reply.text)


def test_places_are_given_by_a_file(study: Filled, root: Client) -> None:
    User.objects.create_user("newcomer")
    name = study.project.name
    rows = f"project,user,role,may_correct,may_judge\n{name},newcomer,researcher,0,1\n"

    assert send(root, Membership, rows).status_code == 302

    place = Membership.objects.get(user__username="newcomer")
    assert (place.role, place.may_correct, place.may_judge) == ("researcher", False, True)


def test_a_file_changes_a_place_and_leaves_its_queues_alone(study: Filled, root: Client) -> None:
    judge = study.judges[0]
    judge.refresh_from_db()
    rows = "project,user,role,may_correct,may_judge\n"
    rows += f"{study.project.name},{judge.user.username},annotator,1,0\n"

    assert send(root, Membership, rows).status_code == 302

    place = Membership.objects.get(pk=judge.pk)
    assert not place.may_judge
    assert place.judgment_place == judge.judgment_place


@pytest.mark.parametrize(
    "line",
    [
        "{name},nobody,annotator,1,1",
        "No such project,{user},annotator,1,1",
        "{name},{user},emperor,1,1",
        "{name},{user},annotator,perhaps,1",
        "{name},{user},annotator,,1",
    ],
)
def test_a_line_that_cannot_be_taken_leaves_the_whole_file(
    study: Filled, root: Client, line: str
) -> None:
    User.objects.create_user("newcomer")
    user = study.judges[0].user.username
    rows = "project,user,role,may_correct,may_judge\n"
    rows += f"{study.project.name},newcomer,annotator,1,1\n"
    rows += line.format(name=study.project.name, user=user) + "\n"

    reply = send(root, Membership, rows)

    assert reply.status_code == 200
    assert "Nothing was imported" in reply.text
    assert not Membership.objects.filter(user__username="newcomer").exists()


def test_a_file_without_the_columns_is_refused_in_words(study: Filled, root: Client) -> None:
    reply = send(root, Membership, "name\nAda\n")

    assert "Nothing was imported" in reply.text
    assert "Traceback" not in reply.text


@pytest.mark.parametrize("text", ["", "[", '{"a": 1}', "[[["])
def test_a_file_that_is_none_is_refused(study: Filled, root: Client, text: str) -> None:
    reply = send(root, Membership, text, JSON)

    assert reply.status_code == 200
    assert "import_file" in reply.context["form"].errors


def test_what_was_exported_comes_back_unchanged(study: Filled, root: Client) -> None:
    QualificationPair.objects.update(sentence1='=HYPERLINK("x")', sentence2="'quoted', -1")
    for kind in (CSV, JSON):
        text = export(root, QualificationPair, kind)
        QualificationPair.objects.all().delete()
        assert send(root, QualificationPair, text, kind).status_code == 302
        pair = QualificationPair.objects.get()
        assert (pair.sentence1, pair.sentence2) == ('=HYPERLINK("x")', "'quoted', -1")


def test_no_exported_cell_is_a_formula(study: Filled, root: Client) -> None:
    QualificationPair.objects.update(sentence1="=1+1", sentence2="\t@SUM(A1)")
    text = export(root, QualificationPair)
    assert "'=1+1" in text
    assert "'\t@SUM(A1)" in text
    assert json.loads(export(root, QualificationPair, JSON))[0]["sentence1"] == "=1+1"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"label": 2}, "labels from 0 to 1"),
        ({"sentence1": ""}, "sentence1"),
        ({"sentence2": "a\u0000b"}, "characters that are no text"),
        ({"sentence1": "a\nb"}, "line_break"),
        ({"position": -1}, "position"),
    ],
)
def test_qualification_pairs_are_checked(
    study: Filled, root: Client, changes: dict[str, Any], said: str
) -> None:
    row = {"project": study.project.name, "position": 2, "sentence1": "A b.", "sentence2": "B a."}
    text = json.dumps([row | {"label": 1, "explanation": ""} | changes])

    reply = send(root, QualificationPair, text, JSON)

    assert reply.status_code == 200
    assert said in reply.text
    assert QualificationPair.objects.count() == 1


def test_the_form_of_a_pair_checks_the_same(study: Filled, root: Client) -> None:
    pair = QualificationPair.objects.get()
    form = {"project": study.project.pk, "position": 1, "sentence1": "A", "sentence2": "B"}
    reply = root.post(page(QualificationPair, "change", pair.pk), form | {"label": 2})

    assert "labels from 0 to 1" in reply.text


def test_an_export_costs_the_same_for_more_rows(study: Filled, root: Client) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as captured:
            export(root, Membership)
        return len(captured)

    cost()  # Django remembers the content types that a first page asks for
    before = cost()
    people = User.objects.bulk_create(User(username=f"more-{n}") for n in range(20))
    Membership.objects.bulk_create(Membership(project=study.project, user=each) for each in people)
    assert cost() == before


@pytest.mark.parametrize("model", [Membership, QualificationPair])
def test_who_may_only_look_exports_and_imports_nothing(
    study: Filled, client: Client, model: type[Model]
) -> None:
    looker = User.objects.create_user("looker", is_staff=True)
    name = model._meta.model_name
    looker.user_permissions.set(Permission.objects.filter(codename=f"view_{name}"))
    client.force_login(looker)

    assert client.post(page(model, "export"), {"format": CSV}).status_code == 200
    assert client.get(page(model, "import")).status_code == 403
    assert send(client, model, "project\nx\n").status_code == 403
    assert client.post(page(model, "process_import")).status_code == 404


def test_an_export_holds_more_than_an_import_takes(study: Filled, root: Client) -> None:
    offered = root.get(page(Membership, "import")).context["fields_list"][0][1]
    assert offered == ["project", "user", "role", "may_correct", "may_judge"]
    assert "paused_at" in export(root, Membership).splitlines()[0]
    text = export(root, Membership).replace(",1,1,", ",1,0,", 1)
    assert send(root, Membership, text).status_code == 302
    assert Membership.objects.filter(may_judge=False).count() == 1
