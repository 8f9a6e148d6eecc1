"""Compares the stored consensus of each decided pair with its answers, and repairs it."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from annotation.agreement import services
from annotation.agreement.services import Difference, Verdict
from annotation.management.arguments import project_named
from common import commands

SHOWN = 20
AT_ONCE = 2000


class Command(commands.Command):
    """Repairs differences; with --check, exits with status 1 if there are any instead."""

    help = "Recompute every consensus of a project from its judgments and report differences."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        parser.add_argument(
            "--check", action="store_true", help="change nothing; exit status 1 if anything differs"
        )

    def handle(self, **options: Any) -> None:
        """Print the first differences and their number."""
        project = project_named(options["project"])
        found: list[int] = []
        for difference in services.differences(project):
            if len(found) < SHOWN:
                self.stdout.write(_in_words(difference))
            found.append(difference.key)
        if len(found) > SHOWN:
            self.stdout.write(f"and {len(found) - SHOWN:,} more")
        if found and options["check"]:
            raise CommandError(f"{_pairs(len(found))} differ from their answers.")
        for first in range(0, len(found), AT_ONCE):
            services.repair(project, found[first : first + AT_ONCE])
        self.stdout.write(f"{_pairs(len(found))} repaired." if found else "No differences.")


def _in_words(difference: Difference) -> str:
    stored, right = _verdict(difference.stored), _verdict(difference.right)
    return f"{difference.pair}: stored {stored}, right {right}"


def _verdict(verdict: Verdict | None) -> str:
    if verdict is None:
        return "undecided"
    label = "no majority" if verdict.label is None else f"label {verdict.label}"
    return f"{list(verdict.tally)} {label} {'kept' if verdict.kept else 'not kept'}"


def _pairs(number: int) -> str:
    return f"{number:,} pair{'' if number == 1 else 's'}"
