"""manage.py restore: restore a backup into an empty installation."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from operations import backups, databases
from operations.backups import Backup, Restored
from operations.databases import BackupError


class Command(BaseCommand):
    """The exit status is 1 if a row differs. Run `migrate` afterwards, not before."""

    help = "Restore a backup into an empty database, and compare every row."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False
    success = "Every row is equal. Now run: manage.py migrate"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("backup", type=Path, help="the folder of one backup")

    def handle(self, **options: Any) -> None:
        try:
            self.report(self.restored(**options))
        except (BackupError, OSError) as error:
            raise CommandError(str(error)) from error

    def restored(self, *, backup: Any, **options: Any) -> Restored:
        into, releases = databases.installed(), Path(settings.RELEASES_DIR)
        return backups.restore(Backup(backup.absolute()), into=into, releases=releases)

    def report(self, restored: Restored) -> None:
        """Print what was restored. Raises CommandError if rows differ."""
        rows = restored.contents.rows
        self.stdout.write(f"{sum(rows.values()):,} rows in {restored.seconds:.1f} s")
        self.stdout.write(f"{restored.files:,} files of releases")
        if restored.differing:
            raise CommandError(f"Rows differ in these tables: {', '.join(restored.differing)}.")
        self.stdout.write(self.success)
