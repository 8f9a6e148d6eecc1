"""Imports gold pairs into a project."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from annotation.management import labelled_files
from annotation.management.arguments import project_named
from annotation.pairs import labelled_lines
from annotation.quality.services import gold_pairs

WHAT = "gold pairs"


class Command(BaseCommand):
    """An invalid line is reported and skipped; an unreadable file stops the import."""

    help = (
        "Read gold pairs (tsv or jsonl: sentence1, sentence2, label) that show who reads carefully."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        labelled_files.add_arguments(parser)

    def handle(self, **options: Any) -> None:
        """Import the pairs, and print a summary and whether the project shows gold pairs."""
        project = project_named(options["project"])
        with labelled_files.opened(
            labelled_lines.gold_pairs, project, what=WHAT, options=options
        ) as lines:
            report = gold_pairs.add(project, lines)
        self.stdout.write(labelled_files.summary(report, WHAT))
        if project.gold_every is None:
            self.stdout.write(f"{project} shows no gold pairs yet: set how often in its settings.")
