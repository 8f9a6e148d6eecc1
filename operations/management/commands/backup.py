"""manage.py backup: make a backup now."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from common import commands
from operations import backups
from operations.dumps import BackupError


class Command(commands.Command):
    """If PAWSMITH_BACKUP_DIR is set, the worker also makes one every night."""

    help = "Back up the database and the files of releases. Nothing needs to be stopped."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--to", type=Path, help="a folder; default: PAWSMITH_BACKUP_DIR")
        parser.add_argument(
            "--keep",
            type=commands.at_least_one,
            default=settings.BACKUPS_KEPT,
            help="how many backups to keep there; default: PAWSMITH_BACKUPS_KEPT",
        )

    def handle(self, **options: Any) -> None:
        folder = options["to"] or backups.folder()
        if folder is None:
            raise CommandError("Name a folder with --to, or set PAWSMITH_BACKUP_DIR.")
        try:
            backup = backups.make(folder, kept=options["keep"])
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{len(backup.manifest.of_releases):,} files of releases")
        self.stdout.write(f"{backup.bytes:,} bytes")
        self.stdout.write(f"The backup is in {backup.folder}")
