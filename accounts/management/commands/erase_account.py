"""manage.py erase_account: remove the personal data of an account and keep its answers."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts import erasure
from accounts.models import User
from accounts.studies import CannotLeave


class Command(BaseCommand):
    help = (
        "Remove all personal data of an account and close it for good. The answers stay. "
        "This cannot be undone."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--yes", action="store_true", help="do not ask for confirmation")

    def handle(self, *, username: str, yes: bool, **options: Any) -> None:
        try:
            user = User.objects.get(username=username)
        except User.DoesNotExist as error:
            raise CommandError(f"There is no account {username!r}.") from error
        if not yes and input(f"Erase {username!r} for good? Type the name again: ") != username:
            raise CommandError("Nothing was erased.")
        try:
            erasure.erase(user, by=None)
        except CannotLeave as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Erased. The account is now called {user.username}.")
