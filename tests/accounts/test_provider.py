"""Sign-in by an OpenID Connect provider: whose account opens, and what is refused."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.core import management
from django.core.cache import cache
from django.test import Client
from django.urls import set_script_prefix
from django.utils import timezone

from accounts import services
from accounts.models import AuditEntry, Session, User
from accounts.provider_adapter import Adapter
from annotation.models import Membership
from annotation.people.services import invitations
from tests.accounts import provider as fake
from tests.accounts.conftest import PASSWORD, code, is_in, session_of, set_up, signed_in
from tests.accounts.provider import FORGED, SERVER, SETTINGS, sign_in, start
from tests.annotation import make

pytestmark = pytest.mark.django_db

MAIL = {"email": "ada@uni.example", "email_verified": True}


@pytest.fixture
def provider(settings, monkeypatch):
    for name, value in SETTINGS.items():
        setattr(settings, name, value)
    cache.clear()
    provider = fake.Provider()
    monkeypatch.setattr(Adapter, "get_requests_session", lambda self: fake.Session(provider))
    return provider


def connect(user, sub="person-1"):
    return SocialAccount.objects.create(user=user, provider=SERVER, uid=sub)


def invited(root):
    """A browser in which the link of an invitation was opened, and its project."""
    study, browser = make.study(), Client()
    tomorrow = timezone.now() + timedelta(days=1)
    _invitation, secret = invitations.create(study, by=root, expires_at=tomorrow)
    browser.get(f"/join/{secret}/")
    return browser, study


def test_without_a_provider_nothing_of_it_is_there(client, ada):
    for address in ("", "start/", "callback/", "signup/"):
        assert client.get(f"/accounts/oidc/{address}").status_code == 404
    assert "oidc" not in client.get("/accounts/login/").content.decode()
    assert "oidc" not in signed_in("ada").get("/").content.decode()


def test_a_connected_person_signs_in_to_a_new_session(provider, client, ada):
    connect(ada)
    address = start(client, next="/accounts/tokens/")
    before = client.session.session_key
    reply = client.get("/accounts/oidc/callback/", query_of(provider.authorize(address)))
    assert (reply.status_code, reply.url) == (302, "/accounts/tokens/")
    assert client.session["_auth_user_id"] == str(ada.pk)
    assert client.session.session_key != before
    assert not Session.objects.filter(session_key=before).exists()
    client.post("/accounts/logout/")
    assert not is_in(client)


def test_the_provider_is_asked_for_an_identifier_only(provider, client, ada):
    connect(ada)
    sign_in(client, provider)
    assert (provider.query["scope"], provider.query["code_challenge_method"]) == ("openid", "S256")
    assert "/me" not in provider.asked


def test_an_invitation_makes_an_account_without_a_password(provider, root):
    browser, study = invited(root)
    page = browser.get("/join/").content.decode()
    assert "Continue with Example University" in page
    provider.information = MAIL | {"name": "Ada Lovelace", "preferred_username": "al1815"}
    reply = sign_in(browser, provider, next="/join/")
    assert reply.url == "/accounts/oidc/signup/"
    assert "al1815" not in browser.get(reply.url).content.decode()
    reply = browser.post("/accounts/oidc/signup/", {"username": "quiet-owl"}, follow=True)
    assert reply.redirect_chain[-1][0] == f"/projects/{study.public_id}/welcome/"
    person = User.objects.get(username="quiet-owl")
    assert not person.has_usable_password()
    assert Membership.objects.get(user=person).project == study
    assert person.socialaccount_set.get().extra_data == {}
    assert (person.email, person.first_name, person.last_name) == ("", "", "")
    assert not EmailAddress.objects.exists()
    assert not SocialToken.objects.exists()
    assert "opens-the-door" not in str([session.get_decoded() for session in Session.objects.all()])


def test_a_stranger_without_an_invitation_gets_no_account(provider, client, settings):
    settings.OIDC_TRUSTS_MAIL, settings.CONTACT = True, "help@uni.example"
    provider.information = MAIL
    reply = sign_in(client, provider)
    assert reply.status_code == 403
    assert "help@uni.example" in reply.content.decode()
    assert not is_in(client)
    assert not User.objects.exists()
    assert client.get("/accounts/oidc/signup/").url == "/accounts/login/"


def test_an_invitation_that_was_revoked_meanwhile_makes_no_account(provider, root):
    browser, study = invited(root)
    sign_in(browser, provider)
    invitations.revoke(study.invitations.get())
    browser.post("/accounts/oidc/signup/", {"username": "quiet-owl"})
    assert not User.objects.filter(username="quiet-owl").exists()
    assert sign_in(browser, provider).status_code == 403


TRUSTED = {"trusts": True, "information": MAIL, "changes": {}}
STRANGE = {
    "not trusted": TRUSTED | {"trusts": False},
    "not verified": TRUSTED | {"information": MAIL | {"email_verified": False}},
    "false as a text": TRUSTED | {"information": MAIL | {"email_verified": "false"}},
    "one for true": TRUSTED | {"information": MAIL | {"email_verified": 1}},
    "verified unsaid": TRUSTED | {"information": {"email": MAIL["email"]}},
    "another's information": TRUSTED | {"information": MAIL | {"sub": "person-2"}},
    "staff": TRUSTED | {"changes": {"is_staff": True}},
    "closed": TRUSTED | {"changes": {"is_active": False}},
}


@pytest.mark.parametrize("case", STRANGE.values(), ids=STRANGE)
def test_a_mail_address_opens_no_account(provider, client, ada, settings, case):
    User.objects.filter(pk=ada.pk).update(email=MAIL["email"], **case["changes"])
    settings.OIDC_TRUSTS_MAIL, provider.information = case["trusts"], case["information"]
    assert sign_in(client, provider).status_code in (401, 403)
    assert not is_in(client)
    assert not SocialAccount.objects.exists()


def test_a_trusted_verified_mail_address_connects_the_account_once(provider, client, ada, settings):
    User.objects.filter(pk=ada.pk).update(email="Ada@uni.example")
    settings.OIDC_TRUSTS_MAIL, provider.information = True, MAIL
    assert sign_in(client, provider).status_code == 302
    assert client.session["_auth_user_id"] == str(ada.pk)
    ada.refresh_from_db()
    assert ada.check_password(PASSWORD)
    assert AuditEntry.objects.get().act == "provider-connected"
    provider.sub, other = "person-2", Client()
    assert sign_in(other, provider).status_code == 403  # the address has a new holder
    assert not is_in(other)


def test_two_accounts_with_one_address_are_not_guessed_between(provider, client, ada, settings):
    User.objects.update(email=MAIL["email"])
    User.objects.create_user("ada2", email=MAIL["email"])
    settings.OIDC_TRUSTS_MAIL, provider.information = True, MAIL
    assert sign_in(client, provider).status_code == 403


def test_a_person_connects_and_disconnects_their_account(provider, ada):
    browser = signed_in("ada")
    assert "Connect your account" in follow_password(browser, "/accounts/oidc/")
    assert sign_in(browser, provider).url == "/accounts/oidc/"
    assert "is connected" in browser.get("/accounts/oidc/").content.decode()
    browser.post("/accounts/oidc/")
    assert not SocialAccount.objects.exists()
    acts = AuditEntry.objects.values_list("act", "by__username")
    assert list(acts) == [("provider-disconnected", "ada"), ("provider-connected", "ada")]


def test_a_sign_in_of_another_person_is_not_taken(provider, ada, root):
    connect(root)
    browser = signed_in("ada")
    follow_password(browser, "/accounts/oidc/")
    sign_in(browser, provider)
    assert "another account" in browser.get("/accounts/oidc/").content.decode()
    assert SocialAccount.objects.get().user == root
    assert browser.session["_auth_user_id"] == str(ada.pk)


def test_an_account_without_a_password_stays_connected(provider, client, ada):
    connect(ada)
    ada.set_unusable_password()
    ada.save()
    sign_in(client, provider)
    page = client.post("/accounts/oidc/", follow=True).content.decode()
    assert "Choose a password first" in page
    assert SocialAccount.objects.exists()


def test_a_second_factor_of_pawsmith_is_asked_for_after_the_provider(provider, client, ada, clock):
    connect(ada)
    set_up(ada)
    assert sign_in(client, provider).url == "/accounts/2fa/authenticate/"
    assert not is_in(client)
    client.post("/accounts/2fa/authenticate/", {"code": code()})
    assert is_in(client)


def test_a_link_connects_the_account_it_is_for(provider, client, ada):
    link = services.password_link(user=ada)
    page = client.get(link, follow=True)
    assert "Connects your account ada" in page.content.decode()
    sign_in(client, provider, link=page.context["view"].kwargs["uidb36"])
    assert client.session["_auth_user_id"] == str(ada.pk)
    assert SocialAccount.objects.get().user == ada
    assert "no longer works" in Client().get(link, follow=True).content.decode()


def test_a_link_that_was_opened_changes_no_other_sign_in(provider, client, ada, root):
    client.get(services.password_link(user=ada), follow=True)
    for link in ("", "!"):
        assert sign_in(client, provider, link=link).status_code == 403
    connect(root)
    sign_in(client, provider)
    assert client.session["_auth_user_id"] == str(root.pk)


def test_a_link_must_have_been_opened_in_the_same_browser(provider, client, ada, root):
    link = services.password_link(user=ada)
    user_of_link, user_of_root = (
        services.password_link(user=user).split("/")[-2].split("-")[0] for user in (ada, root)
    )
    assert sign_in(client, provider, link=user_of_link).status_code == 403
    client.get(link, follow=True)
    assert sign_in(client, provider, link=user_of_root).status_code == 403
    assert not SocialAccount.objects.exists()


@pytest.mark.parametrize("forgery", FORGED.values(), ids=FORGED)
def test_a_forged_sign_in_is_refused(provider, client, ada, forgery, caplog):
    connect(ada)
    for name, value in forgery.items():
        setattr(provider, name, value)
    reply = sign_in(client, provider)
    assert reply.status_code == 401
    assert not is_in(client)
    assert "was refused: " in caplog.text
    assert "was refused: its state" not in caplog.text


def test_a_state_is_used_once_and_only_in_its_browser(provider, client, ada):
    connect(ada)
    back = query_of(provider.authorize(start(client)))
    assert Client().get("/accounts/oidc/callback/", back).status_code == 401
    assert client.get("/accounts/oidc/callback/", back).status_code == 302
    client.post("/accounts/logout/")
    assert client.get("/accounts/oidc/callback/", back).status_code == 401
    assert client.get("/accounts/oidc/callback/").status_code == 401
    assert not is_in(client)


@pytest.mark.parametrize(
    "lie",
    [(500, {}), (200, {"issuer": "https://evil.example"}), (200, {"issuer": SERVER}), (200, [])],
    ids=["away", "another issuer", "without addresses", "no description"],
)
def test_a_provider_that_describes_itself_wrongly_is_not_visited(provider, client, lie):
    provider.lies = {"/.well-known/openid-configuration": lie}
    assert client.post("/accounts/oidc/start/").status_code == 401


def test_the_address_adds_nothing_to_what_the_provider_is_asked(provider, client):
    address = "/accounts/oidc/start/?scope=phone&auth_params=nonce%3Dmine&process=connect"
    provider.authorize(client.post(address).context["address"])
    assert (provider.query["scope"], len(provider.query["nonce"])) == ("openid", 64)


def test_a_sign_in_begins_with_a_post_of_a_page(provider, ada):
    assert Client().get("/accounts/oidc/start/").status_code == 405
    assert Client(enforce_csrf_checks=True).post("/accounts/oidc/start/").status_code == 403


def test_a_cancelled_sign_in_leads_back_to_the_sign_in_page(provider, client):
    state = query_of(provider.authorize(start(client)))["state"]
    back = {"state": state, "error": "access_denied"}
    reply = client.get("/accounts/oidc/callback/", back, follow=True)
    assert "You cancelled the sign-in." in reply.content.decode()


PATH = "/lab/pawsmith"


@pytest.fixture
def _path_of_this_thread():
    set_script_prefix(PATH)
    yield
    set_script_prefix("/")


@pytest.mark.usefixtures("_path_of_this_thread")
def test_below_a_path_the_provider_leads_back_there(provider, client, ada):
    connect(ada)
    address = start(client)
    back = f"http://testserver{PATH}/accounts/oidc/callback/"
    assert query_of(address)["redirect_uri"] == back
    reply = client.get("/accounts/oidc/callback/", query_of(provider.authorize(address)))
    assert (reply.url, is_in(client)) == (f"{PATH}/", True)


def test_sign_ins_are_limited_by_address(provider, client, settings):
    settings.ACCOUNT_RATE_LIMITS = {"provider": "2/m/ip"}
    replies = [client.post("/accounts/oidc/start/").status_code for _ in range(3)]
    assert replies == [200, 200, 429]


@pytest.fixture
def no_passwords(provider, settings):
    settings.PASSWORDS = False


def test_without_passwords_the_sign_in_page_has_only_the_button(no_passwords, client):
    page = client.get("/accounts/login/").content.decode()
    assert "Continue with Example University" in page
    assert "password" not in page.replace("You don’t need a password", "")


def test_without_passwords_the_pages_of_codes_name_the_provider(no_passwords, ada):
    page = session_of(ada).get("/accounts/2fa/", follow=True).text
    assert "your account at Example University" in page
    assert "password" not in page


@pytest.mark.parametrize("page", ["signup", "password/change", "password/set"])
def test_without_passwords_their_pages_are_gone(no_passwords, ada, page):
    assert session_of(ada).get(f"/accounts/{page}/").status_code == 404
    assert session_of(ada).post(f"/accounts/{page}/").status_code == 404


def test_without_passwords_none_signs_in(no_passwords, client, ada):
    fields = {"login": "ada", "password": PASSWORD}
    assert client.post("/accounts/login/", fields).status_code == 404
    assert not client.login(username="ada", password=PASSWORD)


def test_without_passwords_a_link_takes_none_and_connects(no_passwords, provider, client, ada):
    link = services.password_link(user=ada)
    page = client.get(link, follow=True)
    assert 'type="password"' not in page.content.decode()
    form = page.redirect_chain[-1][0]
    assert client.post(form, {"password1": "a-new-password-1"}).status_code == 404
    sign_in(client, provider, link=page.context["view"].kwargs["uidb36"])
    assert client.session["_auth_user_id"] == str(ada.pk)


def test_without_passwords_the_first_administrator_connects_by_a_link(
    no_passwords, provider, client, root, capsys
):
    management.call_command("first_administrator", address="http://testserver")
    says, link = capsys.readouterr().out.splitlines()
    assert says == "Your user name is root. Connect Example University, once:"
    page = client.get(link, follow=True)
    sign_in(client, provider, link=page.context["view"].kwargs["uidb36"])
    assert client.session["_auth_user_id"] == str(root.pk)
    management.call_command("first_administrator")
    assert capsys.readouterr().out == ""


def query_of(address):
    return dict(fake.parse_qsl(fake.urlsplit(address).query))


def follow_password(browser, address):
    """Open a page that asks for the password first; returns its text."""
    asks = browser.get(address)
    return browser.post(asks.url, {"password": PASSWORD}, follow=True).content.decode()
