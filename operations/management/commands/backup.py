"""manage.py backup: make a backup now."""

from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from operations import backups
from operations.backups import BackupError


class Command(BaseCommand):
    """If PAWSMITH_BACKUP_DIR is set, the worker also makes one every night."""

    help = "Back up the database and the files of releases, while everything runs on."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--to", type=Path, help="a folder; default: PAWSMITH_BACKUP_DIR")
        parser.add_argument(
            "--keep",
            type=_at_least_one,
            default=settings.BACKUPS_KEPT,
            help="delete older ones, so that so many stay; default: PAWSMITH_BACKUPS_KEPT",
        )

    def handle(self, **options: Any) -> None:
        """Print where the backup is and what it contains."""
        folder = options["to"] or backups.folder()
        if folder is None:
            raise CommandError("Name a folder with --to, or set PAWSMITH_BACKUP_DIR.")
        try:
            backup = backups.make(folder, kept=options["keep"])
            manifest = backup.manifest()
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{manifest.census.rows:,} rows in {len(manifest.census.tables)} tables")
        self.stdout.write(f"{len(manifest.releases):,} files of releases")
        self.stdout.write(f"{manifest.bytes:,} bytes")
        self.stdout.write(f"Content: {manifest.census.digest}")
        self.stdout.write(f"The backup is in {backup.folder}")


def _at_least_one(text: str) -> int:
    if (number := int(text)) < 1:
        raise ArgumentTypeError("at least the new one is kept")
    return number
