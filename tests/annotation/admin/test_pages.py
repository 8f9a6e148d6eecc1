"""The admin: every page opens, costs the same for fifty rows as for one, and keeps the promises."""

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import NoReverseMatch, reverse

from accounts.models import AccessToken, AuditEntry, SignInTries, User
from annotation import models
from annotation.models import Consensus, Intake, Judgment, Project, Seal, SentencePair
from annotation.services import projects
from generation.admin import rows
from generation.models import Batch, Candidate, GenerationRun, Sentence, Worker
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
# What people answered on decided pairs, and what came of it.
KEPT = (Judgment, Consensus, Seal)


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


def stored():
    return [list(model._default_manager.order_by("pk").values()) for model in KEPT]


def test_answers_on_decided_pairs_are_out_of_reach(study, root):
    before = stored()
    form = {"label": "0", "slot": "1", "seconds": "1", "kept": "", "tally": "[5, 0]", "digest": "x"}
    for model in KEPT:
        reply = root.post(page(model, "change", model._default_manager.first().pk), form)
        assert reply.status_code == 403
        assert "This is not open to you" in reply.text
        request = root.get(page(model, "changelist")).wsgi_request
        assert not admin.site._registry[model].get_actions(request)
        with pytest.raises(NoReverseMatch):
            page(model, "import")
    for action in ("first", "last", "normally", "put_back"):
        assert act(root, action, study.decided).status_code == 200
    for row in (study.judges[0].user, study.project, study.decided):
        reply = root.post(page(type(row), "delete", row.pk), {"post": "yes"})
        assert reply.status_code in (200, 403)
        assert type(row)._default_manager.filter(pk=row.pk).exists()
    assert stored() == before
    assert not LogEntry.objects.filter(action_flag=3).exists()


def more(study, number):
    """So many more rows of everything that a study makes."""
    project, corrector = study.project, cast.person(study.project)
    cast.candidates(project, [(f"Old {n}.", f"New {n}.") for n in range(number)])
    for _ in range(number):
        cast.correct_next(corrector)
    judged.all_that_is_open(project, [1] * 5)
    for n in range(number):
        user = User.objects.create_user(f"more-{n}")
        projects.add_member(project, user)
        row = {"project": project, "annotator": user}
        models.Skip.objects.create(pair=study.open, reason="unclear", **row)


def test_no_table_costs_more_for_more_rows(study, root):
    root.get(reverse("admin:index"))
    before = {model: statements(root, page(model, "changelist")) for model in MODELS}
    more(study, 30)
    assert {model: statements(root, page(model, "changelist")) for model in MODELS} == before
    assert max(before.values()) <= 15


def test_the_page_of_a_pair_shows_its_way_and_costs_the_same_with_its_answers(study, root):
    pair = study.decided
    text = root.get(page(SentencePair, "change", pair.pk)).text
    for row in (pair.sentence2, pair.correction, pair.candidate, pair.sentence1):
        assert page(type(row), "change", row.pk) in text
    assert f"corrected by {study.corrector.user.username}" in text
    address = page(SentencePair, "change", study.open.pk)
    root.get(address)  # Django remembers the content types that a first page asks for
    before = statements(root, address)
    for judge in study.judges:
        cast.judge_all(judge, 1)
    assert statements(root, address) == before


def test_a_public_id_finds_its_pair_alone(study, root):
    found = root.get(page(SentencePair, "changelist"), {"q": str(study.open.public_id)})
    assert list(found.context["cl"].result_list) == [study.open]
    answers = root.get(page(Judgment, "changelist"), {"q": str(study.decided.public_id)})
    assert answers.context["cl"].result_count == 5


def test_a_table_is_counted_only_so_far(root, monkeypatch):
    assert Judgment.objects.count() == 10
    for most, shown, said in ((3, 3, True), (10, 10, False)):
        monkeypatch.setattr(rows, "MOST_COUNTED", most)
        reply = root.get(page(Judgment, "changelist"))
        assert reply.context["cl"].result_count == shown
        text = " ".join(reply.text.split())
        assert ("The newest 3 judgments; filter or search for others." in text) == said


def test_the_admin_is_for_the_staff_who_sign_in_on_the_one_page(study):
    client = Client()
    reply = client.get(reverse("admin:login"))
    assert (reply.status_code, reply.url.split("?")[0]) == (302, reverse("account_login"))
    client.force_login(study.corrector.user)
    assert client.get(reverse("admin:login")).status_code == 403
    assert client.get(page(Judgment, "changelist")).status_code in (302, 403)


def test_every_model_has_a_page_but_what_is_secret_and_what_another_page_shows():
    ours = {model for room in ROOMS for model in apps.get_app_config(room).get_models()}
    unseen = {models.Pseudonym, models.PseudonymKey, SignInTries}
    assert ours - admin.site._registry.keys() == unseen | {models.ReleasePreview, Worker}
    assert Project in ours
