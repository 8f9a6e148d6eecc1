"""manage.py first_administrator: print the password link of the first administrator."""

from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.core.management.base import CommandParser

from accounts import services
from common import commands


class Command(commands.Command):
    help = (
        "Print a one-time link on which the first administrator chooses a password or connects "
        "the provider. Prints nothing once an administrator can sign in."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--address", default="http://127.0.0.1:8000", help="address of this installation"
        )

    def handle(self, *, address: str, **options: Any) -> None:
        administrator = services.ensure_administrator()
        if administrator is None:
            return
        link = urljoin(address, services.password_link(user=administrator))
        step = "Choose its password" if settings.PASSWORDS else f"Connect {settings.OIDC_NAME}"
        self.stdout.write(f"Your user name is {administrator.username}. {step}, once:")
        self.stdout.write(link)
