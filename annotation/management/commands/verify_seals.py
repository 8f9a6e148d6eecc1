"""Checks every sealed answer against the seal chain."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandError

from annotation.management.arguments import project_named
from annotation.seals import selectors as seals
from annotation.seals.chain import Fault
from annotation.seals.selectors import Added, Broken, Head
from common import commands

WORDS = {
    Fault.DIFFERS: "is not of this answer, or does not follow on the one before",
    Fault.GONE: "has lost its answer",
    Fault.MISSING: "missing",
}


class Command(commands.Command):
    """Exits with status 1 if anything differs from what was sealed."""

    help = (
        "Recompute the chain of digests over the answers of decided pairs and report differences."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--project", help="report only differences that concern this project, or may concern it"
        )
        parser.add_argument(
            "--head",
            type=Head.parse,
            metavar="NUMBER:DIGEST",
            help="a head that was printed earlier and must still be in the chain",
        )

    def handle(self, **options: Any) -> None:
        """Print all faults and the head of the chain."""
        project = project_named(options["project"]).pk if options["project"] else None
        head, waiting = seals.head(), seals.waiting_consensus().count()
        number = 0
        for line in [*_report_lost_head(options["head"]), *_faults(project)]:
            self.stdout.write(line)
            number += 1
        self.stdout.write(
            f"{head.number:,} answers are sealed; {waiting:,} pairs are waiting to be sealed."
        )
        self.stdout.write(f"Head: {head}")
        if number:
            raise CommandError(f"{number:,} differ from what was sealed.")


def _report_lost_head(head: Head | None) -> Iterator[str]:
    if head is not None and seals.digest_at(head.number) != head.digest:
        yield f"seal {head.number:,}: is not the head that was written down"


def _faults(project: int | None) -> Iterator[str]:
    for broken in seals.broken_links():
        if project is None or broken.project in (None, project):
            yield _broken(broken)
    for added in seals.unsealed_on_sealed_pairs():
        if project in (None, added.project):
            yield _describe_added(added)


def _broken(broken: Broken) -> str:
    if broken.fault == Fault.MISSING and broken.first != broken.last:
        return f"seals {broken.first:,} to {broken.last:,}: {WORDS[broken.fault]}"
    where = f", pair {broken.pair}, slot {broken.slot}" if broken.pair else ""
    return f"seal {broken.first:,}{where}: {WORDS[broken.fault]}"


def _describe_added(added: Added) -> str:
    return f"pair {added.pair}, slot {added.slot}: was answered after the pair was sealed"
