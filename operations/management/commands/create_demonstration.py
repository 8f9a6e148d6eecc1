"""manage.py create_demonstration: create the demonstration once."""

from typing import Any

from django.core.management.base import BaseCommand

from accounts import services as accounts
from operations.demonstration import study


class Command(BaseCommand):
    """Creates the administrator first, so that the studies have a manager."""

    help = "Make the demonstration, with candidates generated on the spot, unless it exists."

    def handle(self, **options: Any) -> None:
        accounts.ensure_administrator()
        self.stdout.write("Making the demonstration (under a minute, once)")
        if not study.create():
            self.stdout.write("The demonstration is there already")
