"""Imports gold pairs into a project."""

from argparse import ArgumentParser
from typing import Any

from annotation.management.arguments import add_file, lines_of, project_named, summary
from annotation.pairs import labelled_lines
from annotation.quality.services import gold_pairs
from common import commands

WHAT = "gold pairs"


class Command(commands.Command):
    """An invalid line is reported and skipped; an unreadable file stops the import."""

    help = "Read gold pairs (tsv or jsonl: sentence1, sentence2, label) that check attention."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_file(parser)
        parser.add_argument("--project", required=True)

    def handle(self, **options: Any) -> None:
        """Import the pairs, and print a summary and whether the project shows gold pairs."""
        project = project_named(options["project"])
        scale = {"max_label": project.max_label}
        with lines_of(options, labelled_lines.gold_pairs, what=WHAT, **scale) as lines:
            report = gold_pairs.add(project, lines)
        self.stdout.write(summary(report, WHAT))
        if project.gold_every is None:
            self.stdout.write(
                f"{project} shows no gold pairs yet: set in its settings how often they appear."
            )
