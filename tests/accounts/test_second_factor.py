"""Codes from an app: kept encrypted, asked for at the door, good for once, and forgotten."""

import pytest
from allauth.mfa.models import Authenticator
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from accounts import erasure, second_factor
from accounts.acts import Act
from accounts.models import AuditEntry, User
from tests.accounts.codes import PASSWORD, SECRET, code, set_up, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada", password=PASSWORD)


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def confirm(client: Client, page: str):
    """Open a page that asks first whether it is you; returns what comes after the password."""
    asked = client.get(page, follow=True)
    assert "Is it you?" in asked.text
    return client.post(asked.redirect_chain[-1][0], {"password": PASSWORD}, follow=True)


def test_a_secret_is_stored_as_nobody_can_read_it(ada):
    set_up(ada)
    kept = Authenticator.objects.get(type="totp").data["secret"]
    assert SECRET not in kept
    assert second_factor.Adapter().decrypt(kept) == SECRET


def test_a_change_of_the_secret_key_forgets_nobody(ada, settings):
    set_up(ada)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", [settings.SECRET_KEY]
    assert is_in(signed_in("ada", given=code()))


def test_what_cannot_be_read_any_more_lets_nobody_in_and_says_what_to_do(ada, settings, caplog):
    set_up(ada)
    settings.SECRET_KEY = "another"
    client = signed_in("ada")
    reply = client.post("/accounts/2fa/authenticate/", {"code": code()})
    assert "can no longer read" in reply.text
    assert "a former secret key is missing" in caplog.text
    assert not is_in(client)


def test_the_password_alone_opens_no_account_that_has_a_second_factor(ada):
    set_up(ada)
    assert not is_in(signed_in("ada"))
    assert not is_in(signed_in("ada", given="000000"))
    assert is_in(signed_in("ada", given=code()))


@pytest.mark.parametrize("steps", [-1, 1])
def test_a_clock_may_be_half_a_minute_off(ada, steps):
    set_up(ada)
    assert is_in(signed_in("ada", given=code(steps=steps)))
    assert not is_in(signed_in("ada", given=code(steps=3 * steps)))


def test_a_code_is_good_for_once_in_every_process(ada, monkeypatch):
    monkeypatch.setattr("allauth.mfa.totp.internal.auth.cache.add", lambda *_, **__: True)
    set_up(ada)
    shown = code()
    assert is_in(signed_in("ada", given=shown))
    assert not is_in(signed_in("ada", given=f"{shown[:3]} {shown[3:]}"))


def test_a_recovery_code_lets_in_once(ada):
    [first, *_] = set_up(ada)
    assert is_in(signed_in("ada", given=first))
    assert not is_in(signed_in("ada", given=first))


def test_codes_are_tried_ten_times(ada):
    set_up(ada)
    client = signed_in("ada")
    for number in range(12):
        reply = client.post("/accounts/2fa/authenticate/", {"code": f"00000{number}"})
    assert "tried too often" in reply.text
    assert not is_in(signed_in("ada", given=code()))


def test_it_is_set_up_with_the_password_and_a_code(ada):
    client = signed_in("ada")
    page = confirm(client, reverse("mfa_activate_totp"))
    secret = page.context["form"].secret
    reply = client.post(reverse("mfa_activate_totp"), {"code": code(secret)}, follow=True)
    assert "Recovery codes" in reply.text
    assert all(each in reply.text for each in reply.context["unused_codes"])
    assert len(reply.context["unused_codes"]) == 10
    assert second_factor.is_shown(reply.wsgi_request)


def test_it_is_given_up_after_showing_again_who_one_is(ada):
    set_up(ada)
    client = signed_in("ada", given=code())
    confirm(client, reverse("mfa_deactivate_totp"))
    client.post(reverse("mfa_deactivate_totp"))
    assert not Authenticator.objects.exists()


def test_who_has_lost_everything_is_let_in_again_on_record(ada):
    set_up(ada)
    root = User.objects.create_superuser("root")
    assert second_factor.forget(ada, by=root)
    assert is_in(signed_in("ada"))
    entry = AuditEntry.objects.get()
    assert (entry.act, entry.by, entry.public_id) == (
        Act.SECOND_FACTOR_FORGOTTEN,
        root,
        ada.public_id,
    )


def test_nobody_forgets_their_own(ada):
    set_up(ada)
    with pytest.raises(ValueError, match="by a code"):
        second_factor.forget(ada, by=ada)


def test_the_command_forgets_once(ada, capsys):
    set_up(ada)
    call_command("forget_second_factor", "ada")
    assert "password alone" in capsys.readouterr().out
    for name in ("ada", "nobody"):
        with pytest.raises(CommandError):
            call_command("forget_second_factor", name)


def test_administrators_forget_those_of_others_in_the_admin(ada):
    root = User.objects.create_superuser("root")
    set_up(ada)
    set_up(root)
    client = Client()
    client.force_login(root)
    sent = {"action": "forget_second_factor", "_selected_action": [ada.pk, root.pk]}
    client.post(reverse("admin:accounts_user_changelist"), sent)
    assert set(Authenticator.objects.values_list("user", flat=True)) == {root.pk}


def test_erasing_an_account_removes_what_made_its_codes(ada):
    set_up(ada)
    erasure.erase(ada, by=None)
    assert not Authenticator.objects.exists()
