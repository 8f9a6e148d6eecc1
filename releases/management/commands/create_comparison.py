"""Creates a project in which people judge pairs of a release without knowing its labels."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from accounts.models import User
from annotation.errors import Refused
from annotation.models import Role
from annotation.projects.protocols import PRESETS
from common import commands
from common.display import plural
from releases.dataset.rows import SPLITS
from releases.management.arguments import release_named
from releases.models import Comparison
from releases.selectors.comparisons import suggested_name
from releases.services import comparisons

MOST_USUAL = "{}, or all if there are fewer"
# The type, the usual number in words and the meaning of each option that is a number.
NUMBERS: dict[str, tuple[Callable[[str], int], str, str]] = {
    "sample": (
        commands.at_least_one,
        f"{MOST_USUAL.format(comparisons.SAMPLE)}; of labels: all",
        "pairs to judge",
    ),
    "taught": (
        commands.from_zero,
        MOST_USUAL.format(comparisons.TAUGHT),
        "pairs of the train set to learn from",
    ),
    "people": (commands.at_least_one, str(comparisons.PEOPLE), "people who judge each pair"),
    "seed": (commands.seed, "0", "of the draw: the same seed draws the same pairs"),
}
# The options that one purpose alone has.
OF_PURPOSE = {
    Comparison.Purpose.PEOPLE: ("taught", "people"),
    Comparison.Purpose.LABELS: ("preset", "splits"),
}


class Command(commands.Command):
    """The managers of the released project manage it; annotators are invited as usual."""

    help = (
        "Create a project in which people judge pairs of a release. To measure people (PARADE "
        "5.3), they see pairs of the train set with their labels first, then judge a random "
        "sample of the test set; to measure labels, pairs are judged again. `report` shows how "
        "well both agree."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--release", required=True, metavar="VERSION")
        parser.add_argument("--project", help="of the release; default: the only one with it")
        parser.add_argument("--name", help="of the new project")
        parser.add_argument(
            "--purpose",
            type=Comparison.Purpose,
            choices=[*Comparison.Purpose],
            default=Comparison.Purpose.PEOPLE,
            help="what is measured (default: people)",
        )
        parser.add_argument(
            "--preset",
            choices=list(PRESETS),
            help="of labels: protocol and guidelines (default: those of the release)",
        )
        parser.add_argument(
            "--splits", type=_splits, help="of labels, with commas between (default: test)"
        )
        for name, (kind, usual, what) in NUMBERS.items():
            text = f"{what} (default: {usual})"
            parser.add_argument(f"--{name}", type=kind, metavar="N", help=text)

    def handle(self, **options: Any) -> None:
        purpose = options["purpose"]
        for other, names in OF_PURPOSE.items():
            for name in names:
                if other != purpose and options[name] is not None:
                    raise CommandError(f"--{name} is for --purpose {other}. Leave it out.")
        release = release_named(options["release"], options["project"])
        named = {
            name: options[name]
            for name in ("sample", "seed", *OF_PURPOSE[purpose])
            if options[name] is not None
        }
        memberships = release.project.memberships.filter(role=Role.MANAGER)
        managers = User.objects.filter(pk__in=memberships.values("user"))
        name = options["name"] or suggested_name(release, purpose)
        create = (
            comparisons.judge_again if purpose == Comparison.Purpose.LABELS else comparisons.create
        )
        try:
            comparison = create(release, name=name, managers=managers, **named)
        except comparisons.TooFew as error:
            raise CommandError(f"--{error.option}: {error}") from error
        except (Refused, ValidationError) as error:
            raise CommandError("; ".join(getattr(error, "messages", [str(error)]))) from error
        project = comparison.project
        lessons = f" and {comparison.taught:,} to learn from" if comparison.taught else ""
        self.stdout.write(
            f"Created the project {project} with {plural(project.pairs.count(), 'pair')} to judge"
            f"{lessons}: /projects/{project.public_id}/"
        )


def _splits(text: str) -> list[str]:
    """Parse names with commas between. Raises ArgumentTypeError."""
    names = [name.strip() for name in text.split(",")]
    if unknown := [name for name in names if name not in SPLITS]:
        raise ArgumentTypeError(f"{unknown[0]!r} is no split. Choose of {', '.join(SPLITS)}.")
    return [name for name in SPLITS if name in names]
