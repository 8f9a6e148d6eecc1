"""Looks after the quality of answers, once and by hand."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from annotation.management.arguments import project_named
from annotation.quality.services import review


class Command(BaseCommand):
    """What workers do by themselves, but of everybody, however long ago they judged."""

    help = "Look at the last answers of everybody in a project, and flag whom they speak against."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)

    def handle(self, **options: Any) -> None:
        """Review, and say who is newly flagged and why."""
        project = project_named(options["project"])
        new = review.review(project)
        for flag in new:
            self.stdout.write(f"{flag.membership.user}: {flag.reason}")
        self.stdout.write(f"{len(new)} new flags in {project}.")
