"""Imports the labels of a model into a project."""

from argparse import ArgumentParser
from typing import Any

from annotation.imports.kinds import KINDS
from annotation.imports.lines import make_lines
from annotation.management.arguments import add_file, open_file_of, project_named, summary
from annotation.model_judgments import services as model_judgments
from annotation.models import Import
from common import commands

KIND, WHAT = KINDS[Import.Kind.MODEL_JUDGMENTS], "label"


class Command(commands.Command):
    """An invalid line is reported and skipped; an unreadable file stops the import."""

    help = (
        "Read a model's labels of pairs (csv, tsv, jsonl or xlsx: pair, label, and perhaps score). "
        "They are compared with people's labels and never affect consensus or agreement."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_file(parser)
        parser.add_argument("--project", required=True)
        parser.add_argument("--name", required=True, help="of the model")
        parser.add_argument("--revision", default="", help="revision of the model, or its digest")
        parser.add_argument("--note", default="", help="prompt and settings")

    def handle(self, **options: Any) -> None:
        """Import the labels and print a summary."""
        project = project_named(options["project"])
        about = {name: options[name] for name in ("name", "revision", "note")}
        make_line = KIND.maker(project.scheme)
        with open_file_of(self, options, KIND.fields, what=WHAT) as file:
            report = model_judgments.add(project, lines=make_lines(file.lines, make_line), **about)
        self.stdout.write(summary(report, WHAT))
