"""Reviews the quality of answers once, on demand."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from annotation.management.arguments import project_named
from annotation.quality.services import review


class Command(BaseCommand):
    """Like the review by workers, but covers everyone who has ever judged."""

    help = "Look at the last answers of everybody in a project, and flag whom they speak against."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)

    def handle(self, **options: Any) -> None:
        """Review, and print new flags with their reasons."""
        project = project_named(options["project"])
        new = review.review(project)
        for flag in new:
            self.stdout.write(f"{flag.membership.user}: {flag.reason}")
        self.stdout.write(f"{len(new)} new flags in {project}.")
