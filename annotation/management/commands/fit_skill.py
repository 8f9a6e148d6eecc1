"""Fits the model of annotators to the decided pairs of a project."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from annotation.agreement import services
from annotation.errors import Refused
from annotation.management.arguments import project_named
from annotation.pairs.selectors import pairs
from annotation.pairs.selectors.pairs import MODEL_LABELS, PairFilters
from common import commands
from common.display import plural


class Command(commands.Command):
    """Stores the model's labels next to the consensus, as the button on the page does."""

    help = (
        "Fit Dawid and Skene's model of annotators to the decided pairs of a project. It estimates "
        "the most likely label of each pair if some people err more, and changes no label."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project")

    def handle(self, **options: Any) -> None:
        """Print the number of pairs, and those of the lists. Raises CommandError."""
        project = project_named(options["project"])
        try:
            fitted = services.fit_model(project, by=None)
        except Refused as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(f"Fitted to {plural(fitted, 'pair')}.")
        lists = [name for name in MODEL_LABELS if name]
        numbers = pairs.numbers_of(project, [PairFilters(model=name) for name in lists])
        for name, number in zip(lists, numbers, strict=True):
            self.stdout.write(f"{number:>8,}  {MODEL_LABELS[name][0]}")
