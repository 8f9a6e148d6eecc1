"""Django's command, which refuses a database that a squashed migration cannot bring forward."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections

from operations import squashes
from operations.management.commands.makemigrations import AutodetectorWithoutWords

TOO_OLD = (
    "This database is older than 0.1.0. Migrate it with the last version before the squash first."
)


class Command(migrate.Command):
    autodetector = AutodetectorWithoutWords

    def handle(self, *args: Any, **options: Any) -> None:
        if squashes.is_half_replaced(connections[options["database"]]):
            raise CommandError(TOO_OLD)
        super().handle(*args, **options)
