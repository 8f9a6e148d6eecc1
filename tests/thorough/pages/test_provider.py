"""A browser signs in by an OpenID Connect provider that runs here."""

import re
from datetime import timedelta

import pytest
from allauth.socialaccount.models import SocialAccount
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import User
from accounts.services import password_link
from annotation.models import Membership
from annotation.people.services import invitations
from tests.accounts.provider import SETTINGS
from tests.annotation import make
from tests.browser.page_check import faults
from tests.browser.work_page import sign_in
from tests.thorough.pages.provider import agree

CONTINUE = "Continue with Example University"


@pytest.fixture(autouse=True)
def _provider(transactional_db, settings, oidc_server):
    for name, value in (SETTINGS | {"OIDC_SERVER": oidc_server}).items():
        setattr(settings, name, value)
    cache.clear()


def invitation():
    project = make.study(guidelines="Judge fairly.")
    manager = make.person(project, role="manager").user
    tomorrow = timezone.now() + timedelta(days=1)
    _invitation, secret = invitations.create(project, by=manager, expires_at=tomorrow)
    return project, f"/join/{secret}/"


def test_an_invited_person_gets_an_account_and_signs_in_again(page, base_url):
    project, link = invitation()
    page.goto(link)
    page.get_by_role("button", name=CONTINUE).click()
    agree(page)
    page.get_by_label("User name").fill("quiet-owl")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Judge fairly.")).to_be_visible()
    person = Membership.objects.get(project=project, role="annotator").user
    assert (person.username, person.email) == ("quiet-owl", "")
    assert SocialAccount.objects.get(user=person).uid == "ada-1"
    page.context.clear_cookies()
    page.goto(base_url)
    page.get_by_role("button", name=CONTINUE).click()
    agree(page)
    expect(page).to_have_url(f"{base_url}/")


def test_a_stranger_is_told_what_to_do(page, settings):
    settings.CONTACT = "help@uni.example"
    page.goto("/accounts/login/")
    page.get_by_role("button", name=CONTINUE).click()
    agree(page)
    expect(page.get_by_role("heading", name="You have no account here yet")).to_be_visible()
    expect(page.get_by_role("link", name="help@uni.example")).to_be_visible()
    assert not User.objects.exists()


def test_a_verified_address_that_is_trusted_opens_its_account(page, settings, base_url):
    settings.OIDC_TRUSTS_MAIL = True
    ada = User.objects.create_user("ada", email="ada@uni.example")
    page.goto("/accounts/login/")
    page.get_by_role("button", name=CONTINUE).click()
    agree(page)
    expect(page).to_have_url(f"{base_url}/")
    assert SocialAccount.objects.get().user == ada


def test_without_passwords_an_administrator_connects_by_a_link(page, settings, base_url):
    settings.PASSWORDS = False
    root = User.objects.create_superuser("root")
    page.goto(password_link(user=root))
    expect(page.locator("[type=password]")).to_have_count(0)
    page.get_by_role("button", name=CONTINUE).click()
    agree(page)
    expect(page).to_have_url(f"{base_url}/")
    assert SocialAccount.objects.get().user == root


def test_whoever_cancels_is_back_on_the_sign_in_page(page):
    page.goto("/accounts/login/")
    page.get_by_role("button", name=CONTINUE).click()
    page.wait_for_url("**/oauth2/authorize**")
    page.get_by_role("button", name=re.compile("Deny", re.IGNORECASE)).click()
    expect(page.get_by_text("You cancelled the sign-in.")).to_be_visible()


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("passwords", [True, False])
def test_the_pages_suit_every_person(
    open_checked, settings, base_url, language, passwords, subtests
):
    settings.PASSWORDS = passwords
    person = User.objects.create_user("ada")
    _project, link = invitation()
    addresses = {
        "login": reverse("account_login"),
        "link": password_link(user=person),
        "join": link,
        "failed": reverse("provider_callback"),
        "connection": reverse("socialaccount_connections"),
    }
    for name, address in addresses.items():
        page = open_checked()
        page.context.add_cookies([{"name": "django_language", "value": language, "url": base_url}])
        if name == "connection":
            sign_in(page, person, base_url)
        with subtests.test(page=name):
            page.goto(address)
            expect(page.locator("main")).to_contain_text("Example University")
            assert faults(page, language=language) == []
