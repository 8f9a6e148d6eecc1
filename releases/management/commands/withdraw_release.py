"""Permanently withdraws a release: deletes its files and stores the reason."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.errors import AnnotationError
from annotation.management.arguments import project_named
from releases import services as releases
from releases.models import Release


class Command(BaseCommand):
    """Withdraws frozen releases only; drafts are discarded on their page."""

    help = "Withdraw a release: delete its files; its row, its manifest and the reason stay."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        parser.add_argument("--release", required=True, metavar="VERSION")
        parser.add_argument("--reason", required=True, help="for everybody who asks for it later")

    def handle(self, **options: Any) -> None:
        project, version = project_named(options["project"]), options["release"]
        try:
            release = Release.objects.select_related("project").get(
                project=project, version=version
            )
            releases.withdraw(release, by=None, reason=options["reason"])
        except Release.DoesNotExist:
            raise CommandError(f"{project} has no release {version!r}.") from None
        except AnnotationError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Release {version} of {project} is withdrawn, its files are deleted.")
