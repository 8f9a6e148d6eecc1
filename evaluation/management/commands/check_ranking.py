"""Lets people check the back-translated sentences of a ranking, and takes over their answers."""

from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings as installation
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from annotation.errors import Refused
from annotation.management.arguments import managers_named, project_named
from common import commands
from common.display import plural
from common.program import PROGRAM
from evaluation import ranking_checks
from evaluation.data import Unusable
from evaluation.ranking.files import Ranking, read_ranking
from evaluation.ranking.making import check_place, put
from evaluation.ranking.refusals import manifest_of
from evaluation.ranking.verification import differences
from releases.dataset.reader import Unreadable

DAMAGED = "{ranking} is damaged: {first}. Make it again with make_ranking --back-translate."
NEXT = (
    f"Invite people there. When all sentences are answered: {PROGRAM} check_ranking {{ranking}} "
    "--project '{project}' --out DIR"
)


class Command(commands.Command):
    """Without --out it creates the project, with --out it reads the answers."""

    help = (
        "Create a project in which people compare the back-translated sentences of a ranking with "
        "their pivots; or, with --out, write the ranking again with their answers."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ranking", type=Path, help="a folder that make_ranking wrote")
        parser.add_argument("--project", required=True, metavar="NAME", help="a new one; see --out")
        text = "a new folder: write the ranking with the answers of the project there"
        parser.add_argument("--out", type=Path, metavar="DIR", help=text)
        parser.add_argument(
            "--manager", help="user name of its manager; default: all administrators"
        )

    def handle(self, **options: Any) -> None:
        try:
            if options["out"]:
                check_place(options["out"], source=options["ranking"])
            ranking = _read_intact(options["ranking"])
            (self._write if options["out"] else self._create)(ranking, options)
        except ValidationError as error:
            raise CommandError("; ".join(error.messages)) from error
        except Unreadable as error:
            raise CommandError(f"{error.difference}.") from error
        except (Refused, Unusable) as error:
            raise CommandError(str(error)) from error

    def _create(self, ranking: Ranking, options: dict[str, Any]) -> None:
        managers = managers_named(options["manager"])
        project = ranking_checks.create(ranking, name=options["project"], managers=managers)
        self.stdout.write(f"Created the project {project}: /projects/{project.public_id}/")
        self.stdout.write(f"To compare: {plural(project.items.count(), 'sentence')}.")
        self.stdout.write(NEXT.format(ranking=options["ranking"], project=project))

    def _write(self, ranking: Ranking, options: dict[str, Any]) -> None:
        rows = ranking_checks.rows_with_answers(ranking, project_named(options["project"]))
        checked_ranking = replace(ranking, back_translated=rows)
        put(checked_ranking, options["out"])
        for outcome, number in (checked_ranking.checks or {}).items():
            self.stdout.write(f"{outcome}: {number:,}")
        self.stdout.write(
            f"{options['out']} has {plural(len(checked_ranking.rows), 'checked sentence')}."
        )


def _read_intact(folder: Path) -> Ranking:
    """Read a ranking. Raises Unusable for anything else, and if a file has changed."""
    manifest_of(folder)
    if difference := next(differences(folder, None, version=installation.VERSION), None):
        raise Unusable(DAMAGED.format(ranking=folder, first=difference))
    return read_ranking(folder)
