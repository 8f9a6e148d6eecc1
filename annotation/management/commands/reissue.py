"""Reassigns answers of annotators with a low kappa to the best ones (PARADE 4.3)."""

from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandError

from annotation.errors import Refused
from annotation.management.arguments import project_named
from annotation.quality.services import reissue
from annotation.quality.services.reissue import Plan, Rated
from annotation.stats.reissue import BOUNDS, PARADE
from annotation.stats.report import Row, as_text, count
from common import commands

HELP = {
    "below": "kappa below which answers are replaced",
    "above": "kappa above which annotators are asked",
    "most": "how many of the best are asked, at most",
    "fewest": "decided pairs that a kappa needs",
}


class Command(commands.Command):
    """Carries the plan out; with --plan, prints it and changes nothing."""

    help = "Exclude the answers of annotators with a low kappa, and let the best judge their pairs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        parser.add_argument("--plan", action="store_true", help="print the plan; change nothing")
        for name, usual in asdict(PARADE).items():
            low, high = BOUNDS[name]
            what = f"{HELP[name]}, {low:g} to {high:g} (default: {usual:g})"
            parser.add_argument(f"--{name}", type=type(usual), default=usual, help=what)
        parser.add_argument("--reason", default="", help="the message to the low annotators")
        parser.add_argument(
            "--anybody",
            action="store_true",
            help="let anybody judge the pairs that none of the best can judge",
        )

    def handle(self, **options: Any) -> None:
        project = project_named(options["project"])
        try:
            plan = reissue.plan(project, **{name: options[name] for name in BOUNDS})
            self.stdout.write(_in_words(plan))
            if options["plan"]:
                return
            asked = {name: options[name] for name in ("reason", "anybody")}
            answers = reissue.carry_out(plan, None, **asked)
        except (Refused, ValueError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{answers:,} answers excluded and reassigned.")


def _in_words(plan: Plan) -> str:
    header: Row = ("", "", "Kappa", "Decided pairs", "Answers")
    rows = [*(_row("low", each) for each in plan.low), *(_row("best", each) for each in plan.best)]
    counts = f"{plan.slots:,} answers to reassign, {plan.stuck:,} that none of the best can give."
    return f"{as_text([header, *rows])}\n{counts}"


def _row(level: str, each: Rated) -> Row:
    name = each.membership.user.get_username()
    return (
        name,
        level,
        f"{each.kappa:.3f}",
        count(each.pairs),
        count(each.answers) if level == "low" else "",
    )
