"""Scores predictions that were made elsewhere, and adds them to a release's evaluation."""

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from common import commands
from evaluation import brought, cells, results
from evaluation.board import TESTED
from evaluation.data import Unusable
from evaluation.experiments.sets import Dataset
from evaluation.management.releases import HELP, add_out, folder_for, open_release
from evaluation.run import bring, remove

# Predictions of more than a million pairs.
MOST_BYTES = 100_000_000
REPLACED = " Earlier predictions of this name were replaced."


class Command(commands.Command):
    """The same name again replaces its predictions."""

    help = "Add predictions of a model to the tables of a release's evaluation, or remove them."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", type=Path, help=HELP)
        parser.add_argument(
            "file",
            type=Path,
            nargs="?",
            help="TSV with a header: id, and score (0 to 1) or label (0 or 1)",
        )
        parser.add_argument("--name", required=True, help="how the tables call it")
        parser.add_argument(
            "--split", choices=TESTED, help="the set of the file, by default test; or see --remove"
        )
        parser.add_argument(
            "--remove",
            action="store_true",
            help="remove the predictions of this name, of both sets or of one --split",
        )
        add_out(parser)

    def handle(self, **options: Any) -> None:
        if bool(options["file"]) == options["remove"]:
            raise CommandError("Give either a file of predictions or --remove, not both.")
        try:
            with open_release(options["release"]) as (_, dataset):
                folder = folder_for(options["release"], dataset, options["out"])
                change = _remove if options["remove"] else _score
                self.stdout.write(change(dataset, folder, options))
        except Unusable as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"The tables are in {folder / results.README}.")


def _score(dataset: Dataset, folder: Path, options: Mapping[str, Any]) -> str:
    """Score a file, and return a line about it. Raises Unusable and CommandError."""
    name, split, content = (
        options["name"],
        options["split"] or TESTED[0],
        _read_content(options["file"]),
    )
    try:
        figures, replaced = bring(dataset, folder, name=name, split=split, content=content)
    except brought.Unscorable as error:
        raise CommandError(f"{options['file']} cannot be scored:\n{error}") from error
    return f"{name} on {split}: {cells.summary(figures)}.{REPLACED if replaced else ''}"


def _remove(dataset: Dataset, folder: Path, options: Mapping[str, Any]) -> str:
    """Remove predictions, and return a line about them. Raises Unusable."""
    name, splits = options["name"], [options["split"]] if options["split"] else TESTED
    removed_splits = remove(dataset, folder, name=name, splits=splits)
    return f"The predictions of {name} on {' and '.join(removed_splits)} are removed."


def _read_content(file: Path) -> bytes:
    try:
        if file.stat().st_size > MOST_BYTES:
            raise CommandError(
                f"{file} is larger than 100 MB. Write only the columns id and score."
            )
        return file.read_bytes()
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}.") from error
