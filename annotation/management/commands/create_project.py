"""Creates a project with a named protocol."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from accounts.models import User
from annotation.projects.protocols import PROTOCOLS
from annotation.projects.services import projects
from common import commands


class Command(commands.Command):
    """The settings of the protocol can be changed until the project has pairs."""

    help = "Make a project. Its protocol says how many judge each pair and how many must agree."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--protocol", choices=sorted(PROTOCOLS), default="paws")
        parser.add_argument("--guidelines", type=Path, help="a Markdown file")
        parser.add_argument("--seed", type=commands.seed, default=0)
        parser.add_argument("--manager", help="user name of an existing account")

    def handle(self, **options: Any) -> None:
        """Create the project and print its URL."""
        name = options["manager"]
        try:
            project = projects.create(
                options["name"],
                protocol=options["protocol"],
                seed=options["seed"],
                guidelines=options["guidelines"].read_text() if options["guidelines"] else "",
                manager=User.objects.get(username=name) if name else None,
            )
        except User.DoesNotExist:
            raise CommandError(f"There is no account {name!r}.") from None
        self.stdout.write(f"Made the project {project}: /projects/{project.public_id}/")
