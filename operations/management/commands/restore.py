"""manage.py restore: restore a backup into an empty installation."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from operations import backups
from operations.backups import Backup, BackupError, databases


class Command(BaseCommand):
    """The exit status is 1 if a row differs. Run `migrate` afterwards, not before."""

    help = "Restore a backup into a database in which nothing was ever made; compare every row."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("backup", type=Path, help="the folder of one backup")

    def handle(self, **options: Any) -> None:
        """Print what was restored."""
        try:
            restored = backups.restore(
                Backup(options["backup"].absolute()),
                into=databases.ours(),
                releases=Path(settings.RELEASES_DIR),
            )
        except (BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{restored.census.rows:,} rows in {restored.seconds:.1f} s")
        self.stdout.write(f"{len(restored.manifest.releases):,} files of releases")
        if restored.differing:
            raise CommandError(
                f"These tables are not what they were: {', '.join(restored.differing)}."
            )
        self.stdout.write("Every row is what it was. Now run: manage.py migrate")
