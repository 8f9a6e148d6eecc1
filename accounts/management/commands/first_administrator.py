"""manage.py first_administrator: print the password link of the first administrator."""

from typing import Any
from urllib.parse import urljoin

from django.core.management.base import CommandParser

from accounts import services
from common import commands


class Command(commands.Command):
    help = (
        "Print a one-time link on which the first administrator chooses a password. "
        "Prints nothing once an administrator has one."
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
        self.stdout.write(f"Your user name is {administrator.username}. Choose its password, once:")
        self.stdout.write(link)
