"""The admin: every page opens, costs the same for fifty rows as for one, and keeps the promises."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from knox.models import AuthToken
from pytest_django import Settings

from accounts.models import User
from annotation.models import (
    Consensus,
    Correction,
    Example,
    Intake,
    Judgment,
    Membership,
    Project,
    Pseudonym,
    Recusal,
    Release,
    SentencePair,
)
from annotation.services import projects
from generation.models import Batch, Candidate, GenerationRun, Sentence
from tests.annotation import cast
from tests.annotation.filled import Filled, filled

ROOMS = ["accounts", "generation", "annotation"]
MODELS = sorted(admin.site._registry, key=lambda model: model._meta.label)
PROMISES = [
    Batch,
    Candidate,
    Consensus,
    Correction,
    Example,
    GenerationRun,
    Intake,
    Judgment,
    Recusal,
    Release,
    Sentence,
    SentencePair,
]
of_every_model = pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
of_every_promise = pytest.mark.parametrize("model", PROMISES, ids=lambda model: model.__name__)


@pytest.fixture
def study(db: None, settings: Settings, tmp_path: Path) -> Filled:
    settings.RELEASES_DIR = tmp_path / "releases"
    study = filled()
    Group.objects.create(name="Helpers")
    AuthToken.objects.create(user=study.corrector.user)
    return study


@pytest.fixture
def root(client: Client, study: Filled) -> Client:
    client.force_login(User.objects.create_superuser("root"))
    return client


def page(model: type[Model], name: str, *args: object) -> str:
    options = model._meta
    return reverse(f"admin:{options.app_label}_{options.model_name}_{name}", args=args)


def statements(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


@of_every_model
def test_every_page_opens_with_rows(model: type[Model], root: Client) -> None:
    row = model._default_manager.first()
    assert row is not None, "the filled study has no row of this model"

    assert root.get(page(model, "changelist")).status_code == 200
    assert root.get(page(model, "change", row.pk)).status_code == 200
    assert root.get(page(model, "history", row.pk)).status_code == 200
    may_add = model not in (*PROMISES, AuthToken)
    assert root.get(page(model, "add")).status_code == (200 if may_add else 403)


@of_every_model
def test_every_table_can_be_searched(model: type[Model], root: Client) -> None:
    assert admin.site._registry[model].search_fields or model is Intake

    for words in ("met", "00000000-0000-4000-8000-000000000000", "no 'such\" thing"):
        assert root.get(page(model, "changelist"), {"q": words}).status_code == 200


@of_every_model
def test_every_filter_answers(model: type[Model], root: Client) -> None:
    table = root.get(page(model, "changelist")).context["cl"]
    choices = [choice for each in table.filter_specs for choice in each.choices(table)]

    for choice in choices:
        address = page(model, "changelist") + choice["query_string"]
        assert root.get(address).status_code == 200, choice


@of_every_promise
def test_promises_are_neither_edited_nor_deleted(model: type[Model], root: Client) -> None:
    row = model._default_manager.first()
    assert row is not None

    assert root.post(page(model, "change", row.pk), {}).status_code == 403
    assert root.post(page(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    chosen = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    root.post(page(model, "changelist"), chosen)
    assert model._default_manager.filter(pk=row.pk).exists()


def more(study: Filled, number: int) -> None:
    """So many more rows of everything that a study makes."""
    project = study.project
    texts = [(f"Old {n}.", f"New {n}.") for n in range(number)]
    cast.candidates(project, texts)
    corrector = cast.person(project)
    for _ in range(number):
        cast.correct_next(corrector)
    for _ in range(5):
        cast.judge_all(cast.person(project), 1)
    for n in range(number):
        person = User.objects.create_user(f"more-{n}")
        AuthToken.objects.create(user=person)
        Group.objects.create(name=f"more-{n}")
        other = cast.study()
        projects.add_member(other, person)
        run = GenerationRun.objects.latest("pk")
        run.pk, run.public_id = None, run._meta.get_field("public_id").get_default()
        run.save()


def test_no_table_costs_more_for_more_rows(study: Filled, root: Client) -> None:
    root.get(reverse("admin:index"))
    before = {model: statements(root, page(model, "changelist")) for model in MODELS}
    more(study, 30)
    after = {model: statements(root, page(model, "changelist")) for model in MODELS}

    assert after == before
    assert max(after.values()) <= 15


def test_the_page_of_a_pair_costs_the_same_with_its_answers(study: Filled, root: Client) -> None:
    address = page(SentencePair, "change", study.open.pk)
    root.get(address)  # Django remembers the content types that a first page asks for
    without = statements(root, address)
    for judge in study.judges:
        cast.judge_all(judge, 1)

    assert statements(root, address) == without


def test_a_crowd_does_not_stand_on_the_page_of_its_project(study: Filled, root: Client) -> None:
    people = User.objects.bulk_create(User(username=f"crowd-{n}") for n in range(100))
    address = page(Project, "change", study.project.pk)
    assert root.get(address).context["inline_admin_formsets"]

    Membership.objects.bulk_create(Membership(project=study.project, user=user) for user in people)

    assert not root.get(address).context["inline_admin_formsets"]


def test_a_pair_shows_the_way_that_it_came(study: Filled, root: Client) -> None:
    text = root.get(page(SentencePair, "change", study.decided.pk)).content.decode()

    for row in (
        study.decided.sentence2,
        study.decided.correction,
        study.decided.candidate,
        study.decided.sentence1,
        study.decided.sentence1.corpus,
    ):
        assert page(type(row), "change", row.pk) in text
    assert f"corrected by {study.corrector.user.username}" in text


def test_a_project_counts_what_it_holds(study: Filled, root: Client) -> None:
    text = root.get(page(Project, "changelist")).content.decode()

    assert "4 of 5, labels 0–1" in text
    assert "1 (50%)" in text  # decided
    assert "1 (100%)" in text  # kept


Form = dict[str, Any]


@pytest.fixture
def send(root: Client) -> Callable[..., Any]:
    """Send a project's form as the browser would, with some fields changed."""

    def send(project: Project, **changes: Any) -> Any:
        address = page(Project, "change", project.pk)
        shown = root.get(address).context["adminform"].form
        form: Form = {name: value for name, value in shown.initial.items() if name in shown.fields}
        form |= {"runs": [run.pk for run in form.get("runs", [])]}
        people = {"memberships-TOTAL_FORMS": 0, "memberships-INITIAL_FORMS": 0}
        kept = {name: value for name, value in (form | changes).items() if value is not None}
        return root.post(address, kept | people)

    return send


def test_a_protocol_can_be_changed_until_there_are_pairs(send: Callable[..., Any]) -> None:
    project = cast.study()

    send(project, judgments_per_pair=3, consensus_min_votes=2)

    project.refresh_from_db()
    assert (project.judgments_per_pair, project.consensus_min_votes) == (3, 2)


def test_a_protocol_stands_once_there_are_pairs(study: Filled, send: Callable[..., Any]) -> None:
    send(study.project, judgments_per_pair=3, seed=9, corrected_methods=[], lease_minutes=5)

    study.project.refresh_from_db()
    assert study.project.lease_minutes == 5
    assert (study.project.judgments_per_pair, study.project.seed) == (5, 0)
    assert study.project.corrected_methods == ["word_swap"]


def test_a_protocol_that_contradicts_itself_is_refused(send: Callable[..., Any]) -> None:
    response = send(cast.study(), judgments_per_pair=3, consensus_min_votes=4)

    assert response.status_code == 200
    assert response.context["adminform"].form.errors


def test_a_run_that_has_entered_a_project_cannot_be_taken_out(
    study: Filled, send: Callable[..., Any]
) -> None:
    response = send(study.project, runs=[])

    assert "runs" in response.context["adminform"].form.errors
    assert study.project.runs.count() == 2


def test_a_manager_gives_somebody_a_place(study: Filled, root: Client) -> None:
    newcomer = User.objects.create_user("newcomer")
    place = {"project": study.project.pk, "user": newcomer.pk, "role": "annotator"}

    root.post(page(Membership, "add"), place | {"may_judge": "on"})

    member = Membership.objects.get(user=newcomer)
    assert (member.may_correct, member.may_judge) == (False, True)


def test_changing_a_place_leaves_the_queue_alone(study: Filled, root: Client) -> None:
    judge = study.judges[0]
    judge.refresh_from_db()

    root.post(page(Membership, "change", judge.pk), {"role": "researcher", "may_judge": "on"})

    changed = Membership.objects.get(pk=judge.pk)
    assert (changed.role, changed.user_id) == ("researcher", judge.user_id)
    assert changed.judgment_place == judge.judgment_place > 0


def test_somebody_can_leave_a_project(study: Filled, root: Client) -> None:
    root.post(page(Membership, "delete", study.judges[0].pk), {"post": "yes"})

    assert not Membership.objects.filter(pk=study.judges[0].pk).exists()


def test_an_annotator_is_not_let_in(study: Filled, client: Client) -> None:
    client.force_login(study.corrector.user)

    assert client.get(page(Judgment, "changelist")).status_code in (302, 403)
    assert client.get(reverse("admin:login")).status_code == 403


def test_everybody_signs_in_on_the_one_page(client: Client) -> None:
    response = client.get(reverse("admin:login"))

    assert response.status_code == 302
    assert response.headers["Location"].startswith(reverse("account_login"))


def test_every_model_of_ours_has_a_page_but_the_pseudonyms() -> None:
    ours = {model for room in ROOMS for model in apps.get_app_config(room).get_models()}

    assert ours - admin.site._registry.keys() == {Pseudonym}
