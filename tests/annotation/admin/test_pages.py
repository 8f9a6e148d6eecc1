"""The admin: every page opens, costs the same for fifty rows as for one, and keeps the promises."""

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from accounts.models import AccessToken, AuditEntry
from annotation import models
from annotation.models import Consensus, Intake, Judgment, Seal, SentencePair
from generation.models import Batch, Candidate, GenerationRun, Sentence
from tests.annotation import cast, judged
from tests.annotation.admin.visits import act, page, statements

pytestmark = pytest.mark.django_db
ROOMS = ["accounts", "generation", "annotation"]
MODELS = sorted(admin.site._registry, key=lambda model: model._meta.label)
PROMISES = [
    *(AuditEntry, Batch, Candidate, Consensus, GenerationRun, Intake, Judgment, Seal, Sentence),
    *(SentencePair, models.Adjudication, models.Correction, models.Example, models.Guest),
    *(models.GuestJudgment, models.Intervention, models.Invitation, models.QualificationAnswer),
    *(models.QualificationAttempt, models.Recusal, models.Release, models.Reopening, models.Skip),
]


def test_every_page_opens_with_rows_and_can_be_searched_and_filtered(root, subtests):
    for model in MODELS:
        with subtests.test(model._meta.label):
            row = model._default_manager.first()
            assert row is not None, "the filled study has none"
            may_add = model not in (*PROMISES, AccessToken)
            assert root.get(page(model, "change", row.pk)).status_code == 200
            assert root.get(page(model, "history", row.pk)).status_code == 200
            assert root.get(page(model, "add")).status_code == (200 if may_add else 403)
            assert admin.site._registry[model].search_fields or model is Intake
            for words in ("met", "00000000-0000-4000-8000-000000000000", "no 'such\" thing"):
                reply = root.get(page(model, "changelist"), {"q": words})
                assert reply.status_code == 200, words
            table = root.get(page(model, "changelist")).context["cl"]
            for each in table.filter_specs:
                _, second, *others = each.choices(table)  # the first is everything
                for choice in (second, *others[-1:]):
                    address = page(model, "changelist") + choice["query_string"]
                    assert root.get(address).status_code == 200, address


def test_promises_are_neither_edited_nor_deleted(root):
    for model in PROMISES:
        row = model._default_manager.first()
        assert root.post(page(model, "change", row.pk), {}).status_code == 403, model
        assert root.post(page(model, "delete", row.pk), {"post": "yes"}).status_code == 403, model
        act(root, "delete_selected", row, post="yes")
        assert model._default_manager.filter(pk=row.pk).exists(), model


def test_the_admin_is_for_the_staff_who_sign_in_on_the_one_page(study):
    client = Client()
    reply = client.get(reverse("admin:login"))
    assert (reply.status_code, reply.url.split("?")[0]) == (302, reverse("account_login"))
    client.force_login(study.corrector.user)
    assert client.get(reverse("admin:login")).status_code == 403
    assert client.get(page(Judgment, "changelist")).status_code in (302, 403)


def test_no_table_costs_more_for_more_rows(study, root):
    root.get(reverse("admin:index"))
    before = {model: statements(root, page(model, "changelist")) for model in MODELS}
    project, corrector = study.project, cast.person(study.project)
    cast.candidates(project, [(f"Old {n}.", f"New {n}.") for n in range(20)])
    for _ in range(20):
        cast.correct_next(corrector)
    for judge in judged.all_that_is_open(project, [1] * 5):
        models.Skip.objects.create(
            project=project, annotator=judge.user, pair=study.open, reason="unclear"
        )
    assert {model: statements(root, page(model, "changelist")) for model in MODELS} == before
    assert max(before.values()) <= 15


def test_a_pair_is_found_by_its_public_id_with_the_way_that_it_came(study, root):
    pair = study.decided
    found = root.get(page(SentencePair, "changelist"), {"q": str(pair.public_id)})
    assert list(found.context["cl"].result_list) == [pair]
    text = root.get(page(SentencePair, "change", pair.pk)).text
    for row in (pair.sentence2, pair.correction, pair.candidate, pair.sentence1):
        assert page(type(row), "change", row.pk) in text


def test_what_answers_hang_on_cannot_be_deleted(study, root):
    before = list(Judgment.objects.order_by("pk").values())
    for row in (study.judges[0].user, study.project, study.decided):
        root.post(page(type(row), "delete", row.pk), {"post": "yes"})
        assert type(row)._default_manager.filter(pk=row.pk).exists()
    assert list(Judgment.objects.order_by("pk").values()) == before
