"""What is on record stays as it was written, and holds no texts and no names."""

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import ProtectedError
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from accounts import audit, erasure, tokens
from accounts.acts import Act
from accounts.models import AuditEntry, User
from annotation.services import projects

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada")


def test_an_act_is_on_record_with_who_did_what_to_what(ada):
    project = projects.create("Rivers")
    entry = audit.record(Act.PROJECT_CHANGED, by=ada, on=project, lease_minutes=[15, 30])
    assert (entry.by, entry.act, entry.kind) == (ada, "project-changed", "project")
    assert (entry.public_id, entry.project) == (project.public_id, project.public_id)
    assert AuditEntry.objects.get(pk=entry.pk).details == {"lease_minutes": [15, 30]}


def test_what_belongs_to_a_project_is_on_its_record(ada):
    place = projects.add_member(projects.create("Rivers"), ada)
    entry = audit.record(Act.MEMBER_CHANGED, by=None, on=ada, project=place.project)
    assert (entry.kind, entry.public_id) == ("user", ada.public_id)
    assert entry.project == place.project.public_id


def test_a_long_text_is_not_for_the_record(ada):
    entry = audit.record(Act.PROJECT_CHANGED, by=ada, texts={"guidelines": "Judge. " * 50})
    assert entry.details == {"texts": {"guidelines": "…"}}


@pytest.mark.parametrize(
    "change", [lambda rows: rows.update(act="nothing"), lambda rows: rows.delete()]
)
def test_a_record_is_neither_changed_nor_removed(ada, change):
    audit.record(Act.TOKEN_MADE, by=ada)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        change(AuditEntry.objects.all())
    assert AuditEntry.objects.get().act == Act.TOKEN_MADE


def test_the_triggers_are_there_after_all_migrations():
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        else:
            cursor.execute("SELECT tgname FROM pg_trigger")
        names = {name for (name,) in cursor.fetchall()}
    wanted = {"audit_update", "audit_delete"}
    assert names & {*wanted, "audit_append_only"} in (wanted, {"audit_append_only"})


def test_whoever_is_on_record_is_not_deleted(ada):
    audit.record(Act.TOKEN_MADE, by=ada)
    with pytest.raises(ProtectedError):
        ada.delete()


@pytest.mark.django_db(transaction=True)
def test_an_act_and_its_record_come_together_or_not_at_all(ada):
    with pytest.raises(RuntimeError):
        audit.record(Act.TOKEN_MADE, by=ada)


def test_tokens_are_on_record_without_themselves(ada):
    token = tokens.create(user=ada, by=ada, name="Nightly figures", scope="read")
    tokens.revoke(user=ada, handle=tokens.of(ada).get().digest[: tokens.HANDLE])
    revoked, made = AuditEntry.objects.all()
    assert (made.act, made.by, made.details) == (Act.TOKEN_MADE, ada, {"scope": "read", "days": 90})
    assert (revoked.act, revoked.by) == (Act.TOKEN_REVOKED, ada)
    assert token[:8] not in str(made.details)


def test_a_token_that_gives_itself_up_is_on_record(ada):
    token = tokens.create(user=ada)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    assert client.delete(reverse("api_token")).status_code == 204
    assert AuditEntry.objects.first().act == Act.TOKEN_REVOKED


def test_an_erasure_is_on_record_by_the_new_id(ada):
    root = User.objects.create_superuser("root")
    former = ada.public_id
    erasure.erase(ada, by=root)
    entry = AuditEntry.objects.get()
    assert (entry.act, entry.by, entry.public_id) == (Act.ACCOUNT_ERASED, root, ada.public_id)
    assert entry.public_id != former


def test_who_is_on_record_is_erased_all_the_same(ada):
    audit.record(Act.TOKEN_MADE, by=ada, on=ada)
    erasure.erase(ada, by=None)
    assert AuditEntry.objects.last().by.username.startswith("erased-")


def test_administrators_read_the_record_and_nobody_writes_it(ada):
    audit.record(Act.TOKEN_MADE, by=ada, on=ada)
    root = User.objects.create_superuser("root")
    client = Client()
    client.force_login(root)
    page = client.get(reverse("admin:accounts_auditentry_changelist"), {"q": "ada"})
    assert "Token made" in page.text
    entry = AuditEntry.objects.get()
    assert client.get(reverse("admin:accounts_auditentry_add")).status_code == 403
    change = reverse("admin:accounts_auditentry_change", args=[entry.pk])
    assert client.get(change).status_code == 200
    assert client.post(change, {"act": "nothing"}).status_code == 403
