"""The admin: every page opens, costs the same for fifty rows as for one, and keeps the promises."""

from typing import Any

from django.apps import apps
from django.contrib import admin
from django.contrib.admin import ListFilter
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from accounts.models import AccessToken, AuditEntry, SignInTries, User
from annotation.models import (
    Adjudication,
    Consensus,
    Correction,
    Example,
    Guest,
    GuestJudgment,
    Intake,
    Intervention,
    Invitation,
    Judgment,
    Pseudonym,
    PseudonymKey,
    QualificationAnswer,
    QualificationAttempt,
    Recusal,
    Release,
    ReleasePreview,
    Reopening,
    Seal,
    SentencePair,
    Skip,
)
from annotation.services import projects
from generation.models import Batch, Candidate, GenerationRun, Sentence, Worker
from tests.annotation import cast, judged
from tests.annotation.admin.pages import page, statements
from tests.annotation.filled import Filled

ROOMS = ["accounts", "generation", "annotation"]
MODELS = sorted(admin.site._registry, key=lambda model: model._meta.label)
PROMISES = [
    AuditEntry,
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
    Intervention,
    Invitation,
    QualificationAnswer,
    QualificationAttempt,
    Skip,
    Adjudication,
    Guest,
    GuestJudgment,
    Reopening,
    Seal,
]


def test_every_page_opens_with_rows(root: Client) -> None:
    for model in MODELS:
        row = model._default_manager.first()
        assert row is not None, f"the filled study has no row of {model}"
        may_add = model not in (*PROMISES, AccessToken)

        assert root.get(page(model, "changelist")).status_code == 200, model
        assert root.get(page(model, "change", row.pk)).status_code == 200, model
        assert root.get(page(model, "history", row.pk)).status_code == 200, model
        assert root.get(page(model, "add")).status_code == (200 if may_add else 403), model


def test_every_table_can_be_searched(root: Client) -> None:
    for model in MODELS:
        assert admin.site._registry[model].search_fields or model is Intake
        for words in ("met", "00000000-0000-4000-8000-000000000000", "no 'such\" thing"):
            assert root.get(page(model, "changelist"), {"q": words}).status_code == 200, model


def ends(choosing: ListFilter, table: ChangeList) -> list[dict[str, Any]]:
    """The second of what a filter offers (the first is everything) and the last."""
    _, second, *others = choosing.choices(table)
    return [second, *others[-1:]]


def test_every_filter_answers(root: Client) -> None:
    for model in MODELS:
        table = root.get(page(model, "changelist")).context["cl"]
        for choice in [choice for each in table.filter_specs for choice in ends(each, table)]:
            address = page(model, "changelist") + choice["query_string"]
            assert root.get(address).status_code == 200, address


def test_promises_are_neither_edited_nor_deleted(root: Client) -> None:
    for model in PROMISES:
        row = model._default_manager.first()
        assert row is not None

        assert root.post(page(model, "change", row.pk), {}).status_code == 403, model
        assert root.post(page(model, "delete", row.pk), {"post": "yes"}).status_code == 403, model
        chosen = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
        root.post(page(model, "changelist"), chosen)
        assert model._default_manager.filter(pk=row.pk).exists(), model


def more(study: Filled, number: int) -> None:
    """So many more rows of everything that a study makes."""
    project = study.project
    texts = [(f"Old {n}.", f"New {n}.") for n in range(number)]
    cast.candidates(project, texts)
    corrector = cast.person(project)
    for _ in range(number):
        cast.correct_next(corrector)
    judged.all_that_is_open(project, [1] * 5)
    for n in range(number):
        person = User.objects.create_user(f"more-{n}")
        AccessToken.objects.create(user=person)
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


def test_an_annotator_is_not_let_in(study: Filled, client: Client) -> None:
    client.force_login(study.corrector.user)

    assert client.get(page(Judgment, "changelist")).status_code in (302, 403)
    assert client.get(reverse("admin:login")).status_code == 403


def test_everybody_signs_in_on_the_one_page(client: Client) -> None:
    response = client.get(reverse("admin:login"))

    assert response.status_code == 302
    assert response.headers["Location"].startswith(reverse("account_login"))


def test_every_model_has_a_page_but_what_nobody_is_to_see_and_what_another_page_shows() -> None:
    ours = {model for room in ROOMS for model in apps.get_app_config(room).get_models()}

    unseen, shown = {Pseudonym, PseudonymKey, SignInTries}, {ReleasePreview, Worker}
    assert ours - admin.site._registry.keys() == unseen | shown
