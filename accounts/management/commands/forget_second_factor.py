"""manage.py forget_second_factor: reset two-factor authentication of a user."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from accounts import second_factor
from accounts.models import User
from common import commands


class Command(commands.Command):
    help = (
        "Reset two-factor authentication of a person who lost both the app and the recovery codes. "
        "First make sure who is asking."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")

    def handle(self, *, username: str, **options: Any) -> None:
        try:
            user = User.objects.get(username=username)
        except User.DoesNotExist as error:
            raise CommandError(f"There is no account {username!r}.") from error
        if not second_factor.forget(user, by=None):
            raise CommandError(f"{username!r} has not set up two-factor authentication.")
        self.stdout.write(f"{username!r} can now sign in with the password alone.")
