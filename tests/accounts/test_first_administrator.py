"""manage.py first_administrator."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import User

pytestmark = pytest.mark.django_db


def printed(*, address: str = "http://127.0.0.1:8000") -> str:
    output = StringIO()
    call_command("first_administrator", address=address, stdout=output)
    return output.getvalue()


def test_a_link_at_the_given_address_is_printed() -> None:
    assert (
        printed(address="https://pawsmith.example/")
        .splitlines()[-1]
        .startswith("https://pawsmith.example/accounts/password/reset/key/")
    )


def test_the_page_behind_the_link_asks_for_a_password(client: Client) -> None:
    path = printed(address="").splitlines()[-1]

    assert b'name="password1"' in client.get(path, follow=True).content


def test_nothing_is_printed_once_an_administrator_can_sign_in() -> None:
    User.objects.create_superuser(username="ada", password="quiet-orchard-lantern")

    assert printed() == ""
