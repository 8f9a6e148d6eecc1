"""Runs simulated annotators on a project."""

from argparse import ArgumentParser, ArgumentTypeError
from collections import Counter
from typing import Any

from django.core.management.base import CommandError
from tqdm import tqdm

from annotation.management.arguments import project_named
from annotation.models import Correction
from annotation.pairs.services import intake
from annotation.work import kinds, simulation
from common import commands


class Command(commands.Command):
    """For trials and load tests: the accounts, and releases of their answers, are marked."""

    help = "Do all work of a project with simulated people, through the same services as real ones."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        parser.add_argument("--annotators", type=int, required=True, metavar="N")
        parser.add_argument("--accuracy", type=float, required=True, metavar="P")
        parser.add_argument("--seed", type=commands.seed, required=True, metavar="S")
        parser.add_argument(
            "--corrections", type=int, metavar="N", help="stop correcting after this number"
        )
        parser.add_argument(
            "--careless",
            type=_careless,
            action="append",
            default=[],
            metavar="KIND:N",
            help=f"N more who do not read; KIND is one of: {', '.join(simulation.CARELESS)}",
        )

    def handle(self, **options: Any) -> None:
        """Add finished batches, then work until no items are left."""
        if not 0 <= options["accuracy"] <= 1 or options["annotators"] < 1:
            raise CommandError("--accuracy is a probability, and --annotators at least 1.")
        project = project_named(options["project"])
        intake.take_in(project)
        people = simulation.crowd(
            project,
            size=options["annotators"],
            accuracy=options["accuracy"],
            seed=options["seed"],
            careless=dict(options["careless"]),
        )
        answers = simulation.work(people, most={Correction.KIND: options["corrections"]})
        counts = Counter(tqdm(answers, unit=" answers", disable=None))
        answers_in_words = " and ".join(
            f"{counts[kind.name]:,} {kind.answers}" for kind in kinds.of_project(project)
        )
        self.stdout.write(f"{len(people)} simulated people made {answers_in_words} in {project}.")


def _careless(text: str) -> tuple[str, int]:
    """Parse KIND:N. Raises ArgumentTypeError."""
    kind, _, number = text.partition(":")
    if kind not in simulation.CARELESS or not number.isdecimal():
        raise ArgumentTypeError(f"{text!r} is not KIND:N")
    return kind, int(number)
