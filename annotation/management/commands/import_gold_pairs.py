"""Imports gold pairs into a project."""

from argparse import ArgumentParser
from typing import Any

from annotation.imports.kinds import KINDS
from annotation.imports.lines import make_lines
from annotation.management.arguments import add_file, open_file_of, project_named, summary
from annotation.models import Import
from annotation.quality.services import gold_pairs
from common import commands

KIND, WHAT = KINDS[Import.Kind.GOLD_PAIRS], "gold pair"


class Command(commands.Command):
    """An invalid line is reported and skipped; an unreadable file stops the import."""

    help = (
        "Read gold pairs (csv, tsv, jsonl or xlsx: sentence1, sentence2, label) that check "
        "attention."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_file(parser)
        parser.add_argument("--project", required=True)

    def handle(self, **options: Any) -> None:
        """Import the pairs, and print a summary and whether the project shows gold pairs."""
        project = project_named(options["project"])
        make_line = KIND.maker(project.scheme)
        with open_file_of(self, options, KIND.fields, what=WHAT) as file:
            report = gold_pairs.add(project, make_lines(file.lines, make_line))
        self.stdout.write(summary(report, WHAT))
        if project.gold_every is None:
            self.stdout.write(
                f"{project} shows no gold pairs yet: set in its settings how often they appear."
            )
