"""How the first person gets in."""

import pytest
from django.test import Client

from accounts import services
from accounts.models import User

pytestmark = pytest.mark.django_db

PASSWORD = "quiet-orchard-lantern"  # nobody's


def choose_password(client: Client, link: str) -> None:
    """Open the link, be led to its form, and fill it in."""
    form = client.get(link, follow=True).redirect_chain[-1][0]
    client.post(form, {"password1": PASSWORD, "password2": PASSWORD})


def test_the_first_administrator_cannot_sign_in_with_any_password() -> None:
    administrator = services.ensure_administrator()

    assert administrator is not None
    assert administrator.is_superuser
    assert not administrator.has_usable_password()


def test_the_same_person_is_found_again_until_the_password_is_chosen() -> None:
    assert services.ensure_administrator() == services.ensure_administrator()
    assert User.objects.count() == 1


def test_nobody_is_made_once_an_administrator_can_sign_in() -> None:
    User.objects.create_superuser(username="ada", password=PASSWORD)

    assert services.ensure_administrator() is None


def test_an_administrator_whose_account_was_closed_does_not_count() -> None:
    User.objects.create_superuser(username="ada", password=PASSWORD, is_active=False)

    assert services.ensure_administrator() is not None


def test_the_link_lets_its_holder_choose_a_password(client: Client) -> None:
    administrator = services.ensure_administrator()
    assert administrator is not None

    choose_password(client, services.password_link(user=administrator))

    administrator.refresh_from_db()
    assert administrator.check_password(PASSWORD)


def test_the_link_dies_when_the_password_is_chosen(client: Client) -> None:
    administrator = services.ensure_administrator()
    assert administrator is not None
    link = services.password_link(user=administrator)
    choose_password(client, link)

    assert b'name="password1"' not in Client().get(link, follow=True).content
