"""Pairs and corrections in the admin: their history, and their place in the queue."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from accounts.models import User
from annotation.models import Correction, Judgment, SentencePair
from generation.admin import rows
from tests.annotation import cast
from tests.annotation.admin.pages import act, page
from tests.annotation.filled import Filled


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


@pytest.mark.parametrize(("action", "level"), [("first", 1), ("last", -1), ("normally", 0)])
def test_pairs_are_given_out_sooner_or_later(
    study: Filled, root: Client, action: str, level: int
) -> None:
    act(root, "first" if level != 1 else "last", study.open)
    reply = act(root, action, study.open)

    study.open.refresh_from_db()
    assert study.open.priority == level
    assert "1 of 1 changed." in reply.text


def test_pairs_of_several_projects_are_moved_together(study: Filled, root: Client) -> None:
    other = cast.study()
    cast.pairs(other, 1)
    act(root, "first", study.open, SentencePair.objects.get(project=other))

    assert SentencePair.objects.filter(priority=1).count() == 2


def test_what_was_set_aside_comes_back(study: Filled, root: Client) -> None:
    SentencePair.objects.filter(pk=study.open.pk).update(set_aside_at=timezone.now())
    reply = act(root, "put_back", study.open)

    study.open.refresh_from_db()
    assert study.open.set_aside_at is None
    assert "1 of 1 changed." in reply.text


def test_corrections_are_given_out_sooner(study: Filled, root: Client) -> None:
    cast.candidates(study.project, [("Old.", "New.")])
    waiting = Correction.objects.get(action=None)
    act(root, "first", waiting)

    waiting.refresh_from_db()
    assert waiting.priority == 1


def test_who_may_only_look_orders_nothing(study: Filled, client: Client) -> None:
    looker = User.objects.create_user("looker", is_staff=True)
    looker.user_permissions.set(Permission.objects.filter(codename="view_sentencepair"))
    client.force_login(looker)
    assert client.get(page(SentencePair, "changelist")).status_code == 200

    act(client, "first", study.open)

    study.open.refresh_from_db()
    assert study.open.priority == 0


def test_a_public_id_finds_its_pair_alone(study: Filled, root: Client) -> None:
    reply = root.get(page(SentencePair, "changelist"), {"q": str(study.open.public_id)})

    assert list(reply.context["cl"].result_list) == [study.open]
    answers = root.get(page(Judgment, "changelist"), {"q": str(study.decided.public_id)})
    assert answers.context["cl"].result_count == 5


def test_a_table_is_counted_only_so_far(
    study: Filled, root: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "MOST_COUNTED", 3)

    reply = root.get(page(Judgment, "changelist"))

    assert Judgment.objects.count() == 10
    assert reply.context["cl"].result_count == 3
    assert "The newest 3 judgments; filter or search for others." in " ".join(reply.text.split())
    monkeypatch.setattr(rows, "MOST_COUNTED", 10)
    assert "The newest" not in root.get(page(Judgment, "changelist")).text
