"""Scores predictions that were made elsewhere, and adds them to a release's evaluation."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from common import commands
from evaluation import board, brought, cells, results
from evaluation.data import Unusable
from evaluation.experiments.figures import Figures
from evaluation.management.releases import HELP, add_out, folder_for, opened
from evaluation.run import bring


class Command(commands.Command):
    """The same name again replaces its predictions."""

    help = "Score a file of predictions on a release, and add it to the tables of its evaluation."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", type=Path, help=HELP)
        parser.add_argument(
            "file", type=Path, help="TSV with a header: id, and score (0 to 1) or label (0 or 1)"
        )
        parser.add_argument("--name", required=True, help="how the tables call it")
        parser.add_argument("--split", choices=("test", "dev"), default="test")
        add_out(parser)

    def handle(self, **options: Any) -> None:
        name, split = options["name"], options["split"]
        try:
            content = _content(options["file"])
            with opened(options["release"]) as (_, dataset):
                folder = folder_for(options["release"], dataset, options["out"])
                found = bring(dataset, folder, name=name, split=split, content=content)
        except brought.Unscorable as error:
            raise CommandError(f"{options['file']} cannot be scored:\n{error}") from error
        except Unusable as error:
            raise CommandError(str(error)) from error
        self.stdout.write(_line(name, split, found))
        self.stdout.write(f"The tables are in {folder / results.README}.")


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}.") from error


def _line(name: str, split: str, figures: Figures) -> str:
    accuracy, area = (cells.percent(figures[key]) for key in board.SHOWN[:2])
    return f"{name} on {split}: accuracy {accuracy}, AUC-PR {area}."
