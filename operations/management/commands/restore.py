"""manage.py restore: restore a backup into an empty installation."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from common import commands
from common.program import PROGRAM
from operations import backups
from operations.backups import Backup
from operations.dumps import BackupError


class Command(commands.Command):
    """Run `migrate` afterwards, not before."""

    help = "Restore a backup into an empty database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("backup", type=Path, help="the folder of one backup")

    def handle(self, *, backup: Path, **options: Any) -> None:
        try:
            backups.restore(Backup(backup.absolute()))
        except (BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Everything is restored. Now run: {PROGRAM} migrate")
