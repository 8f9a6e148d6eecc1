"""Creates a project in which other people judge pairs of a release's test set."""

from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from accounts.models import User
from annotation.errors import Refused
from annotation.models import Role
from common import commands
from common.display import plural
from releases.management.releases import release_named
from releases.selectors.comparisons import suggested_name
from releases.services import comparisons

MOST_USUAL = "{}, or all if there are fewer"
# The type, the usual number in words and the meaning of each option that is a number.
NUMBERS: dict[str, tuple[Callable[[str], int], str, str]] = {
    "sample": (
        commands.at_least_one,
        MOST_USUAL.format(comparisons.SAMPLE),
        "pairs of the test set to judge",
    ),
    "taught": (
        commands.from_zero,
        MOST_USUAL.format(comparisons.TAUGHT),
        "pairs of the train set to learn from",
    ),
    "people": (commands.at_least_one, str(comparisons.PEOPLE), "people who judge each pair"),
    "seed": (commands.seed, "0", "of the draw: the same seed draws the same pairs"),
}


class Command(commands.Command):
    """The managers of the released project manage it; annotators are invited as usual."""

    help = (
        "Create a comparison study (PARADE 5.3): people see pairs of the train set with their "
        "labels, then judge a random sample of the test set. `report` shows their scores."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--release", required=True, metavar="VERSION")
        parser.add_argument("--project", help="of the release; default: the only one with it")
        parser.add_argument("--name", help="of the new project")
        for name, (kind, usual, what) in NUMBERS.items():
            text = f"{what} (default: {usual})"
            parser.add_argument(f"--{name}", type=kind, metavar="N", help=text)

    def handle(self, **options: Any) -> None:
        release = release_named(options["release"], options["project"])
        numbers = {name: options[name] for name in NUMBERS if options[name] is not None}
        memberships = release.project.memberships.filter(role=Role.MANAGER)
        managers = User.objects.filter(pk__in=memberships.values("user"))
        name = options["name"] or suggested_name(release)
        try:
            comparison = comparisons.create(release, name=name, managers=managers, **numbers)
        except comparisons.TooFew as error:
            raise CommandError(f"--{error.option}: {error}") from error
        except (Refused, ValidationError) as error:
            raise CommandError("; ".join(getattr(error, "messages", [str(error)]))) from error
        project = comparison.project
        self.stdout.write(
            f"Created the project {project} with {plural(comparison.sample, 'pair')} to judge and "
            f"{comparison.taught:,} to learn from: /projects/{project.public_id}/"
        )
