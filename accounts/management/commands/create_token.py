"""manage.py create_token: let a program in."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts import tokens
from accounts.models import User


class Command(BaseCommand):
    help = "Print a new API token of a person, once; only its digest is kept."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--days", type=int, help="how long it lives; default: 90")

    def handle(self, *, username: str, days: int | None, **options: Any) -> None:
        try:
            token = tokens.create(user=User.objects.get(username=username), days=days)
        except User.DoesNotExist as error:
            raise CommandError(f"There is nobody of the name {username!r}.") from error
        except ValueError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(token)
