"""What people have answered on decided pairs, and what came of it, is out of the admin's reach."""

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.db.models import Model
from django.test import Client
from django.urls import NoReverseMatch

from accounts.models import User
from annotation.models import Consensus, Judgment, Project, Seal, SentencePair
from tests.annotation.admin.pages import act, page
from tests.annotation.filled import Filled

KEPT = (Judgment, Consensus, Seal)


def rows() -> list[Any]:
    return [list(model._default_manager.order_by("pk").values()) for model in KEPT]


@pytest.mark.parametrize("model", KEPT)
def test_a_changed_form_is_refused_in_words(
    study: Filled, root: Client, model: type[Model]
) -> None:
    before, row = rows(), model._default_manager.first()
    assert row is not None
    form = {"label": "0", "slot": "1", "seconds": "1", "kept": "", "tally": "[5, 0]", "digest": "x"}

    reply = root.post(page(model, "change", row.pk), form)

    assert reply.status_code == 403
    assert "This is not open to you" in reply.text
    assert rows() == before


@pytest.mark.parametrize("model", KEPT)
def test_there_is_no_bulk_action_and_no_import(root: Client, model: type[Model]) -> None:
    page_of = admin.site._registry[model]
    request = root.get(page(model, "changelist")).wsgi_request
    assert not page_of.get_actions(request)
    with pytest.raises(NoReverseMatch):
        page(model, "import")


@pytest.mark.parametrize("action", ["first", "last", "normally", "put_back"])
def test_actions_on_a_decided_pair_leave_its_answers(
    study: Filled, root: Client, action: str
) -> None:
    before = rows()
    assert act(root, action, study.decided).status_code == 200
    assert rows() == before


@pytest.mark.parametrize("model", [User, Project, SentencePair])
def test_what_they_hang_on_cannot_be_deleted(
    study: Filled, root: Client, model: type[Model]
) -> None:
    whose = {User: study.judges[0].user, Project: study.project, SentencePair: study.decided}
    before, row = rows(), whose[model]

    reply = root.post(page(model, "delete", row.pk), {"post": "yes"})

    assert reply.status_code in (200, 403)
    assert model._default_manager.filter(pk=row.pk).exists()
    assert rows() == before
    assert not LogEntry.objects.filter(action_flag=3).exists()
