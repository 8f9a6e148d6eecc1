"""Reassigns answers of annotators with a low kappa to the best ones (PARADE 4.3)."""

import re
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandError

from annotation.errors import Refused
from annotation.management.arguments import project_named
from annotation.quality.services import reissue
from annotation.quality.services.reissue import Plan, Rated
from annotation.stats.reissue import BOUNDS, PARADE
from common import commands
from common.display import plural
from common.tables import Row, as_text, count

HELP = {
    "below": "kappa below which answers are replaced",
    "above": "kappa above which annotators are asked",
    "most": "how many of the best are asked, at most",
    "fewest": "decided pairs that a kappa needs",
}

NONE_LOW = (
    "No annotator with at least {rules.fewest} decided pairs has a kappa below {rules.below:g}, so "
    "there is nothing to re-issue. To include more annotators, raise --below or lower --fewest."
)
NO_MAJORITY = (
    "In {project} votes decide no label, so no one has a kappa with the decisions. Compare people "
    "by their distance from the others on the page People, and exclude answers there."
)
STUCK = (
    "{answers} can go to none of the best annotators. Lower --above, raise --most, or let anybody "
    "judge these pairs: --anybody."
)


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
        plan = _plan(options)
        if not plan.low:
            self._say_none_is_low(plan, is_error=not options["plan"])
            return
        self.stdout.write(_describe_plan(plan))
        if options["plan"]:
            return
        if plan.stuck and not options["anybody"]:
            raise CommandError(STUCK.format(answers=plural(plan.stuck, "answer")))
        chosen_options = {name: options[name] for name in ("reason", "anybody")}
        try:
            answers = reissue.carry_out(plan, None, **chosen_options)
        except Refused as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{plural(answers, 'answer')} excluded and reassigned.")

    def _say_none_is_low(self, plan: Plan, *, is_error: bool) -> None:
        text = NONE_LOW.format(rules=plan.rules)
        if is_error:
            raise CommandError(text)
        self.stdout.write(text)


def _plan(options: dict[str, Any]) -> Plan:
    """Return the plan. Raises CommandError, which names the options that are out of bounds."""
    try:
        project = project_named(options["project"])
        if not project.scheme.decides:
            raise CommandError(NO_MAJORITY.format(project=project))
        return reissue.plan(project, **{name: options[name] for name in BOUNDS})
    except ValueError as error:
        # The message names parameters; the person wrote options.
        message = re.sub(rf"\b({'|'.join(BOUNDS)})\b", r"--\1", str(error))
        raise CommandError(f"{message}.") from error


def _describe_plan(plan: Plan) -> str:
    header: Row = ("", "", "Kappa", "With the others", "Decided pairs", "Answers")
    rows = [_plan_row("low", rated) for rated in plan.low]
    rows += [_plan_row("best", rated) for rated in plan.best]
    slots = plural(plan.slots, "answer")
    counts = f"{slots} to reassign, {plan.stuck:,} that none of the best can give."
    return f"{as_text([header, *rows])}\n{counts}"


def _plan_row(level: str, rated: Rated) -> Row:
    name = rated.membership.user.get_username()
    return (
        name,
        level,
        f"{rated.kappa:.3f}",
        "-" if rated.with_others is None else f"{rated.with_others:.3f}",
        count(rated.pairs),
        count(rated.answers) if level == "low" else "",
    )
