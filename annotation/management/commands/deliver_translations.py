"""Delivers the translations of a study, or says what is missing."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from annotation.management.arguments import project_named
from annotation.models import TranslationPlan
from annotation.translations.services import delivery
from common import commands

NEXT = (
    "A machine can translate them back, for translate_test: see docs/researcher/translation.md. "
    "Then build a release."
)


class Command(commands.Command):
    """Delivering twice changes nothing."""

    help = "Store the final translations of a study as the sentences of a corpus."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)

    def handle(self, **options: Any) -> None:
        """Deliver, and print the name of the corpus. Raises CommandError with what is missing."""
        project = project_named(options["project"])
        if not TranslationPlan.objects.filter(project=project).exists():
            raise CommandError(f"{project} is no translation study.")
        try:
            corpus = delivery.deliver(project)
        except delivery.NotReady as error:
            for reason in error.reasons:
                self.stderr.write(reason)
            raise CommandError("The translations can’t be delivered yet.") from error
        number = corpus.sentence_set.count()
        self.stdout.write(f"The {number:,} texts are in the corpus “{corpus}”. {NEXT}")
