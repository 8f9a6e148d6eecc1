"""manage.py create_token: create an API token."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from accounts import tokens
from accounts.models import AccessToken, User
from common import commands


class Command(commands.Command):
    help = "Print a new API token, once: only its digest is stored."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument(
            "--scope",
            choices=AccessToken.Scope.values,
            default=AccessToken.Scope.READ.value,
            help="what it allows; default: %(default)s",
        )
        parser.add_argument("--name", default="", help="its name in the list of tokens")
        parser.add_argument("--days", type=int, help="how long it is valid; default: 90")

    def handle(self, *, username: str, **options: Any) -> None:
        chosen_options = {key: options[key] for key in ("scope", "name", "days")}
        try:
            token = tokens.create(user=User.objects.get(username=username), **chosen_options)
        except User.DoesNotExist as error:
            raise CommandError(f"There is no account {username!r}.") from error
        except ValueError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(token)
