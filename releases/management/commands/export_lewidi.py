"""Writes the answers of a release in the layout of LeWiDi 2025."""

from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from common import commands
from common.display import plural
from releases.dataset.folders import unpack
from releases.dataset.lewidi import export_lewidi
from releases.dataset.reader import Unreadable

KEYS = 2


class Command(commands.Command):
    """It needs the files of the release only."""

    help = (
        "Write who gave which label to each pair of a release as JSON, in the layout of LeWiDi "
        "2025 (Learning with Disagreements): a file for each split, and one of the annotators. "
        "Labels are their values or, of more than two without an order, their names. Everybody "
        "gives one label: several, as in VariErrNLI, are not in a release."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", type=Path, help="a folder, or the same as one .tar.gz")
        parser.add_argument(
            "--out", type=Path, required=True, metavar="DIR", help="a new folder for the files"
        )
        parser.add_argument(
            "--task",
            default="",
            help="what people did, such as “natural language inference”; default: the name of the "
            "release",
        )
        parser.add_argument(
            "--keys",
            type=_keys,
            default=(),
            metavar="FIRST,SECOND",
            help="names of both sentences, such as Question1,Question2; default: their roles, else "
            "sentence1,sentence2",
        )

    def handle(self, **options: Any) -> None:
        release, out = options["release"], options["out"]
        try:
            with unpack(release) as folder:
                numbers = export_lewidi(folder, out, task=options["task"], keys=options["keys"])
        except Unreadable as error:
            raise CommandError(f"{error.difference}.") from error
        *splits, (people_file, people) = numbers.items()
        for path, pairs in splits:
            self.stdout.write(f"{out / path}: {plural(pairs, 'pair')}")
        self.stdout.write(f"{out / people_file}: {plural(people, 'annotator')}")


def _keys(text: str) -> tuple[str, ...]:
    """Parse the names of both sentences. Raises ArgumentTypeError."""
    names = tuple(name.strip() for name in text.split(","))
    if len({*filter(None, names)}) != KEYS or len(names) != KEYS:
        raise ArgumentTypeError(f"{text!r} are not two names, such as Question1,Question2")
    return names
