"""Compares the stored consensus of each decided pair with its answers, and repairs it."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from annotation.agreement import services
from annotation.agreement.services import Difference, Verdict
from annotation.management.arguments import project_named
from annotation.models import Project
from annotation.seals import selectors as seals
from common import commands
from common.display import plural
from generation.records import in_chunks

SHOWN = 20
AT_ONCE = 2000


class Command(commands.Command):
    """Repairs differences; with --check, exits with status 1 if there are any instead.

    It leaves pairs alone whose answers differ from the sealed ones, and then exits with status 1.
    """

    help = "Recompute every consensus of a project from its judgments and report differences."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        parser.add_argument(
            "--check", action="store_true", help="change nothing; exit status 1 if anything differs"
        )

    def handle(self, **options: Any) -> None:
        """Print the first differences and their number."""
        project = project_named(options["project"])
        pairs: dict[int, UUID] = {}
        for difference in services.differences(project):
            if len(pairs) < SHOWN:
                self.stdout.write(_describe_difference(difference))
            pairs[difference.key] = difference.pair
        if len(pairs) > SHOWN:
            self.stdout.write(f"and {len(pairs) - SHOWN:,} more")
        if pairs and options["check"]:
            raise CommandError(f"{plural(len(pairs), 'pair')} differ from their answers.")
        if not pairs:
            self.stdout.write("No differences.")
        else:
            self._repair(project, pairs)

    def _repair(self, project: Project, pairs: dict[int, UUID]) -> None:
        """Repair the pairs, public ids by key, whose answers match their seals."""
        untrusted = seals.untrusted_pairs(project)
        sound = [key for key, pair in pairs.items() if not untrusted & {None, pair}]
        for keys in in_chunks(sound, AT_ONCE):
            services.repair(project, keys)
        self.stdout.write(f"{plural(len(sound), 'pair')} repaired.")
        if not_repaired := len(pairs) - len(sound):
            raise CommandError(
                f"{plural(not_repaired, 'pair')} not repaired, because their answers may differ "
                "from the sealed ones. Run verify_seals, and restore the answers from a backup."
            )


def _describe_difference(difference: Difference) -> str:
    stored, right = _verdict(difference.stored), _verdict(difference.right)
    return f"{difference.pair}: stored {stored}, right {right}"


def _verdict(verdict: Verdict | None) -> str:
    if verdict is None:
        return "undecided"
    label = "no majority" if verdict.label is None else f"label {verdict.label}"
    first = f", first {list(verdict.first_tally)}" if verdict.first_tally else ""
    return f"{list(verdict.tally)}{first} {label} {'kept' if verdict.kept else 'not kept'}"
