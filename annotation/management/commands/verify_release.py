"""Checks the files of a release against each other, without any database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.dataset.verification import verify


class Command(BaseCommand):
    """Exit status 1 when anything differs."""

    help = "Recompute checksums, labels, splits and counts of a release from its files alone."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, **options: Any) -> None:
        """Name every difference, or say that there is none."""
        folder: Path = options["folder"]
        if not folder.is_dir():
            raise CommandError(f"{folder} is not a folder.")
        differences = verify(folder)
        for difference in differences:
            self.stdout.write(str(difference))
        if differences:
            raise CommandError(f"{len(differences):,} differences in {folder}.")
        self.stdout.write(f"{folder} is sound.")
