"""One's own password, the first administrator, sessions, and the record of what was done."""

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction
from django.db.models import ProtectedError
from django.test import Client

from accounts import audit, services
from accounts.audited_acts import Act
from accounts.models import AuditEntry, User
from annotation.projects.services import projects
from tests.accounts.conftest import PASSWORD, choose_password, is_in, session_of

pytestmark = pytest.mark.django_db

OTHER, CHANGE = "loud-harbour-candle", "/accounts/password/change/"


def test_a_password_is_changed_where_the_old_one_is_known_and_the_new_one_is_good(ada):
    client, form = (
        session_of(ada),
        {"oldpassword": PASSWORD, "password1": OTHER, "password2": OTHER},
    )
    for sent, said in (
        ({"oldpassword": "wrong"}, "current password"),
        ({"password1": "short", "password2": "short"}, "too short"),
        ({"password2": "another-orchard"}, "same password"),
    ):
        assert said in client.post(CHANGE, form | sent).text
        assert User.objects.get().check_password(PASSWORD)
    reply = client.post(CHANGE, form, follow=True)
    assert reply.redirect_chain == [("/", 302)]
    assert "Password changed." in reply.text
    assert User.objects.get().check_password(OTHER)
    reply = session_of(User.objects.create_user("ben", password=None)).get(CHANGE, follow=True)
    assert "Choose a password" in reply.text
    assert "Current password" not in reply.text


def test_no_page_of_accounts_sends_mail(ada, mailoutbox):
    # Of allauth's pages these send mail, or tell who has an address.
    for page in ("email/", "confirm-email/", "confirm-email/a-key/", "password/reset/"):
        for client in (Client(), session_of(ada)):
            sent = {"email": "someone@example.org", "action_add": ""}
            assert client.post(f"/accounts/{page}", sent).status_code == 404, page
    assert mailoutbox == []


def test_sign_up_is_closed_without_an_invitation(ada):
    sent = {"username": "ben", "password1": PASSWORD, "password2": PASSWORD}
    Client().post("/accounts/signup/", sent)
    assert User.objects.get() == ada


def test_the_first_administrator_comes_in_by_a_link_that_works_once(capsys):
    first = services.ensure_administrator()
    assert first == services.ensure_administrator() == User.objects.get()
    assert (first.is_superuser, first.has_usable_password()) == (True, False)
    call_command("first_administrator", address="https://pawsmith.example/")
    out = capsys.readouterr().out
    assert out.startswith("Your user name is administrator.")
    link = out.split()[-1]
    site, link = link[:24], link[24:]
    assert (site, link[:29]) == ("https://pawsmith.example", "/accounts/password/reset/key/")
    choose_password(Client(), link)
    first.refresh_from_db()
    assert first.check_password(PASSWORD)
    assert 'name="password1"' not in Client().get(link, follow=True).text
    assert services.ensure_administrator() is None
    call_command("first_administrator", address="")
    assert capsys.readouterr().out == ""
    User.objects.update(is_active=False, username="former")
    assert services.ensure_administrator().username == "administrator"
    User.objects.filter(username="administrator").update(is_active=False, username="Administrator")
    assert services.ensure_administrator().username == "administrator-2"


def test_choosing_a_password_by_a_link_signs_in_with_a_new_session(ada):
    client = Client()
    client.get(services.password_link(user=ada))
    before = client.session.session_key
    reply = choose_password(client, services.password_link(user=ada))
    assert reply.redirect_chain == [("/", 302)]
    assert "Your password is set." in reply.text
    assert reply.context["user"] == ada
    assert client.session.session_key != before


def test_a_password_link_of_a_closed_account_does_not_sign_in(ada):
    link = services.password_link(user=ada)
    User.objects.update(is_active=False)
    client = Client()
    choose_password(client, link)
    assert not is_in(client)


@pytest.mark.both_engines
def test_an_act_is_on_record_for_good_with_who_did_what_to_what(ada):
    project = projects.add_member(projects.create("Rivers"), ada).project
    same, long = {"lease_minutes": [15, 30]}, {"texts": {"guidelines": "Judge. " * 50}}
    short = {"texts": {"guidelines": "…"}}
    for on, kind, details, kept in ((project, "project", same, same), (ada, "user", long, short)):
        entry = audit.record(Act.PROJECT_CHANGED, by=ada, on=on, project=project, **details)
        entry.refresh_from_db()
        assert (entry.by, entry.act, entry.kind) == (ada, "project-changed", kind)
        assert (entry.public_id, entry.project) == (on.public_id, project.public_id)
        assert entry.details == kept
    assert audit.record(Act.PROJECT_CHANGED, by=None, on=project).project == project.public_id
    for change in (lambda rows: rows.update(act="nothing"), lambda rows: rows.delete()):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            change(AuditEntry.objects.all())
    assert AuditEntry.objects.filter(act="project-changed").count() == 3
    with pytest.raises(ProtectedError):
        ada.delete()
    services.erase(ada, by=ada)
    assert AuditEntry.objects.filter(by=ada).last().by.username.startswith("erased-")


@pytest.mark.django_db(transaction=True)
def test_an_act_and_its_record_come_together_or_not_at_all(ada):
    with pytest.raises(RuntimeError):
        audit.record(Act.TOKEN_MADE, by=ada)
