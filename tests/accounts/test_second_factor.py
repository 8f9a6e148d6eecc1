"""Codes from an app: kept encrypted, good for once, forgotten on record, and asked of all staff
where others can reach the admin."""

import re

import pytest
from allauth.mfa.models import Authenticator
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import get_resolver, reverse

from accounts import second_factor, services
from accounts.models import AuditEntry
from tests.accounts.conftest import (
    PASSWORD,
    SECRET,
    choose_password,
    code,
    is_in,
    set_up,
    signed_in,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

INDEX, PEOPLE, AUTHENTICATE = "/admin/", "/admin/accounts/user/", "/accounts/2fa/authenticate/"


@pytest.fixture
def reached_by_others(settings):
    settings.STAFF_NEEDS_SECOND_FACTOR = True


def answer(client, asked, **given):
    """Fill in the form to which a request was led; returns what comes after it."""
    return client.post(asked.redirect_chain[-1][0], given, follow=True)


def test_a_code_is_good_for_once_and_ten_are_tried(ada, clock, monkeypatch):
    # Spent codes are known to every process, not to the cache of one.
    monkeypatch.setattr("allauth.mfa.totp.internal.auth.cache.add", lambda *_, **__: True)
    [recovery, *_] = set_up(ada)
    assert not is_in(signed_in("ada"))
    for wrong in ("000000", code(steps=2), code(steps=-2)):
        assert not is_in(signed_in("ada", given=wrong))
    for right in (code(), code(steps=1), code(steps=-1)):  # clocks may be half a minute off
        assert is_in(signed_in("ada", given=right))
        assert not is_in(signed_in("ada", given=f"{right[:3]} {right[3:]}"))
    assert is_in(signed_in("ada", given=recovery))
    assert not is_in(signed_in("ada", given=recovery))
    client = signed_in("ada")
    for number in range(11):
        reply = client.post(AUTHENTICATE, {"code": f"00000{number}"})
    assert "Too many attempts" in reply.text
    clock.move(minutes=10)
    assert not is_in(signed_in("ada", given=code()))
    clock.move(minutes=5)
    assert is_in(signed_in("ada", given=code()))


def test_a_password_link_still_asks_for_the_code(ada):
    set_up(ada)
    client = Client()
    reply = choose_password(client, services.password_link(user=ada))
    assert reply.redirect_chain[-1][0] == AUTHENTICATE
    assert not is_in(client)
    client.post(AUTHENTICATE, {"code": code()})
    assert is_in(client)


def test_secrets_are_encrypted_under_the_secret_key_and_former_ones(ada, settings, caplog):
    set_up(ada)
    kept = Authenticator.objects.get(type="totp").data["secret"]
    assert SECRET not in kept
    assert second_factor.Adapter().decrypt(kept) == SECRET
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", [settings.SECRET_KEY]
    assert is_in(signed_in("ada", given=code()))
    settings.SECRET_KEY_FALLBACKS = []
    client = signed_in("ada")
    assert "can no longer read" in client.post(AUTHENTICATE, {"code": code(steps=1)}).text
    assert "a former secret key is missing" in caplog.text
    assert not is_in(client)


def test_administrators_forget_those_of_others_on_record(ada, root, admin, capsys):
    set_up(ada)
    set_up(root)
    with pytest.raises(ValueError, match="on its page"):
        second_factor.forget(root, by=root)
    sent = {"action": "forget_second_factor", "_selected_action": [ada.pk, root.pk]}
    admin.post(PEOPLE, sent)
    assert set(Authenticator.objects.values_list("user", flat=True)) == {root.pk}
    assert is_in(signed_in("ada"))
    call_command("forget_second_factor", "root")
    assert "password alone" in capsys.readouterr().out
    for name in ("root", "nobody"):
        with pytest.raises(CommandError):
            call_command("forget_second_factor", name)
    entries = AuditEntry.objects.order_by("pk").values_list("act", "by", "public_id")
    act = "second-factor-forgotten"
    assert list(entries) == [(act, root.pk, ada.public_id), (act, None, root.public_id)]


def addresses(part, before=""):
    """Of every page of the admin, with something in the place of each parameter."""
    text = re.sub(r"\(\?P<url>.*\)", "nowhere/", str(part.pattern))
    text = re.sub(r"\(\?P<app_label>[^)]*\)", "accounts", text)
    path = before + re.sub(r"<(?:\w+:)?\w+>", "1", text).strip("^$")
    parts = getattr(part, "url_patterns", None)
    return [path] if parts is None else [each for of in parts for each in addresses(of, path)]


def is_sent_away(reply):
    """To the door; where only a part of a page was asked for, by letting the whole page come."""
    if "HX-Refresh" in reply.headers:
        return not reply.content
    return reply.headers.get("Location", "").startswith("/admin/login/?next=")


def test_no_page_of_the_admin_opens_by_a_password_alone(root, reached_by_others):
    resolvers = get_resolver().url_patterns
    [site] = [each for each in resolvers if getattr(each, "app_name", "") == "admin"]
    # The page is for people who are not signed in, and so is signing out.
    pages = set(addresses(site, "/")) - {"/admin/login/", "/admin/logout/"}
    assert len(pages) > 100
    assert {f"{INDEX}nowhere/", f"{PEOPLE}import/", f"{PEOPLE}1/change/"} <= pages
    client = signed_in("root")
    for page in pages:
        assert is_sent_away(client.get(page)), page
        assert is_sent_away(client.post(page)), page
    set_up(root)
    client = signed_in("root", given=code())
    assert client.get(INDEX).status_code == 200


def test_staff_are_led_through_their_second_factor_to_where_they_wanted(root, reached_by_others):
    client = signed_in("root")
    page = answer(client, client.get(PEOPLE, follow=True), password=PASSWORD)
    kept = answer(client, page, code=code(page.context["form"].secret))
    recovery = kept.context["unused_codes"]
    assert (len(recovery), kept.context["wanted"]) == (10, PEOPLE)
    assert all(each in kept.text for each in (f'href="{PEOPLE}"', *recovery))
    assert client.get(PEOPLE).status_code == 200
    assert second_factor.is_confirmed(kept.wsgi_request)
    assert not is_in(signed_in("root", given=code(page.context["form"].secret)))
    client = signed_in("root", given=recovery[0])
    give_up = reverse("mfa_deactivate_totp")
    answer(client, client.get(give_up, follow=True), password=PASSWORD)
    client.post(give_up)
    assert not Authenticator.objects.exists()
    client = signed_in("root")
    set_up(root)
    reply = answer(client, client.get(INDEX, follow=True), code=code(), next=INDEX)
    assert (reply.redirect_chain[-1][0], reply.status_code) == (INDEX, 200)


def test_the_admin_sends_others_to_sign_in_or_away(ada, root, settings, reached_by_others):
    assert signed_in("ada").get(INDEX, follow=True).status_code == 403
    reply = Client().get(INDEX, follow=True)
    assert reply.redirect_chain[-1][0] == f"/accounts/login/?next={INDEX}"
    client, set_up_page = signed_in("root"), reverse("mfa_activate_totp")
    elsewhere = "/admin/login/?next=https://elsewhere.example/"
    for page, wanted in ((elsewhere, "%2Fadmin%2F"), ("/installation/", "%2Finstallation%2F")):
        reply = client.get(page, follow=True)
        assert f"{set_up_page}?next={wanted}" in dict(reply.redirect_chain)
    settings.STAFF_NEEDS_SECOND_FACTOR = False
    assert client.get(INDEX).status_code == 200
    assert client.get("/admin/login/").headers["Location"] == INDEX
    change = client.get("/admin/password_change/").headers["Location"]
    assert change == reverse("account_change_password")  # where tries are limited
