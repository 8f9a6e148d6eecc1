"""Says what a study would give and cost, from a simulation; stores nothing."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandError

from annotation.management.arguments import project_named
from annotation.projects.protocols import PRESETS, of_project
from annotation.projects.selectors.measured import LEAST_ANSWERS, Figures, measured
from annotation.stats.agreement_tables import coefficient
from annotation.stats.planning import (
    ERROR,
    HARD_ERROR,
    HARD_SHARE,
    SECONDS,
    SEED,
    Alternative,
    BadPlan,
    Plan,
    Study,
    plan,
    with_numbers,
)
from common import commands
from common.tables import as_text, percent

COLUMNS = ("", "pairs", "kept", "share kept", "label right")


class Command(commands.Command):
    """Prints the figures of the page Plan, for the labels of a preset or of a study."""

    help = "Plan a study: kept pairs, right labels, people, hours and alpha, before anybody works."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--pairs", type=commands.at_least_one, required=True)
        parser.add_argument("--people", type=commands.at_least_one, required=True)
        basis = parser.add_mutually_exclusive_group()
        basis.add_argument("--preset", choices=list(PRESETS), default="paws")
        text = f"labels, errors and seconds as in this study, from {LEAST_ANSWERS} answers on"
        basis.add_argument("--project", metavar="NAME", help=text)
        text = "people who judge each pair; default: as in the preset or study"
        parser.add_argument("--judgments", type=commands.at_least_one, help=text)
        text = "votes needed to keep a pair; default: as in the preset or study"
        parser.add_argument("--votes", type=commands.at_least_one, help=text)
        text = "ask one more person at a time, up to this number in all, where too few agree"
        parser.add_argument("--judgments-at-most", type=commands.at_least_one, help=text)
        text = "decide a pair once enough people agree"
        parser.add_argument("--early", action="store_true", default=None, help=text)
        text = "one person corrects each pair first, and does not judge it"
        parser.add_argument("--corrected", action="store_true", help=text)
        text = "most answers of a person"
        parser.add_argument("--limit", type=commands.at_least_one, help=text)
        text = f"share of wrong answers, default: {ERROR}, or as in the study"
        parser.add_argument("--error", type=commands.share, help=text)
        text = f"share of hard pairs, default: {HARD_SHARE}, or none as in the study"
        parser.add_argument("--hard-share", type=commands.share, help=text)
        text = "share of wrong answers to hard pairs"
        parser.add_argument("--hard-error", type=commands.share, default=HARD_ERROR, help=text)
        text = f"for an answer, default: {SECONDS:.0f}, or the median of the study"
        parser.add_argument("--seconds", type=float, help=text)
        parser.add_argument("--pay", type=float, metavar="PER_HOUR")
        parser.add_argument("--seed", type=commands.seed, default=SEED)

    def handle(self, **options: Any) -> None:
        """Print the plan. Raises CommandError for numbers that no study can have."""
        try:
            study = _study(options)
        except BadPlan as problem:
            raise CommandError(str(problem)) from problem
        self.stdout.write("\n".join(_lines(plan(study, seed=options["seed"]))))


def _study(options: dict[str, Any]) -> Study:
    """Return the numbers of the arguments. Raises BadPlan, CommandError."""
    project = project_named(options["project"]) if options["project"] else None
    protocol = of_project(project) if project else PRESETS[options["preset"]].protocol
    numbers = (options[name] for name in ("judgments", "votes", "early", "judgments_at_most"))
    figures = measured(project) if project else Figures()
    return Study(
        pairs=options["pairs"],
        people=options["people"],
        protocol=with_numbers(protocol, *numbers),
        hard_error=options["hard_error"],
        pay_per_hour=options["pay"],
        limit=options["limit"],
        is_corrected=options["corrected"],
        **figures.changed(options),
    )


def _lines(planned: Plan) -> Iterator[str]:
    study, quality = planned.study, planned.quality
    wrong = f"{study.error:.1%} of answers are wrong"
    if study.hard_share:
        wrong += f", {study.hard_error:.1%} on hard pairs ({study.hard_share:.1%} of all)"
    yield f"Assumed: {wrong}; an answer takes {study.seconds:.1f} seconds."
    rows = [
        ("pairs kept", percent(quality.kept)),
        ("of these, label right", percent(quality.right)),
        ("alpha", coefficient(planned.alpha)),
        ("answers", f"{planned.answers:,}"),
        ("answers per person", f"{planned.answers_per_person:,.0f}"),
        ("people needed", f"{planned.least_people:,}"),
        ("hours", f"{planned.hours:,.1f}"),
    ]
    if planned.cost is not None:
        rows.append(("cost", f"{planned.cost:,.2f}"))
    yield as_text(rows)
    yield ""
    yield "As many answers give:"
    yield as_text([COLUMNS, *map(_row, (planned.as_planned, *planned.alternatives))])


def _row(of: Alternative) -> tuple[str, ...]:
    people, votes = of.protocol.judgments_per_pair, of.protocol.consensus_min_votes
    shares = percent(of.quality.kept), percent(of.quality.right)
    protocol = f"{votes} of {people} votes" if of.protocol.scheme.decides else f"{people} answers"
    if of.protocol.asks_more:
        protocol += f", up to {of.protocol.most_judgments}"
    return protocol, f"{of.pairs:,}", f"{of.kept_pairs:,}", *shares
