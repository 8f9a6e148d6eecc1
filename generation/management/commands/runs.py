"""Lists, shows and steers runs."""

import uuid
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from generation import selectors, tasks
from generation.errors import NotNow
from generation.management import output
from generation.models import GenerationRun
from generation.services import runs
from generation.services.runs import Action


class Command(BaseCommand):
    """Accepts the number or the public id of a run."""

    help = "List generation runs, show one, or approve, pause, resume, retry or cancel some."

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_subparsers(dest="what", metavar="ACTION", required=True)
        listing = what.add_parser("list", help="all runs, newest first")
        listing.add_argument("--state", choices=GenerationRun.State.values)
        listing.add_argument("--corpus")
        what.add_parser("show", help="settings, progress and outcomes").add_argument("run")
        for action in Action:
            steered = what.add_parser(action, help=HELP[action])
            steered.add_argument("run", nargs="+")

    def handle(self, **options: Any) -> None:
        what = options["what"]
        if what == "list":
            lines = _listed(state=options["state"], corpus__name=options["corpus"])
        elif what == "show":
            lines = _shown(_named(options["run"]))
        else:
            lines = [_steered(run, Action(what)) for run in map(_named, options["run"])]
        self.stdout.write("\n".join(lines))


HELP = {
    Action.APPROVE: "continue after the preview",
    Action.PAUSE: "pause after the batches in progress",
    Action.RESUME: "continue after a pause",
    Action.RETRY: "retry parked batches",
    Action.CANCEL: "cancel unfinished batches; finished ones are kept",
}


def _listed(**filters: str | None) -> list[str]:
    chosen = {name: value for name, value in filters.items() if value is not None}
    found = GenerationRun.objects.filter(**chosen).select_related("corpus")
    return [_row(run) for run in selectors.of_runs(found)] or ["There are no such runs."]


def _row(run: Any) -> str:
    share = run.sentences_done / run.sentences if run.sentences else 1
    marks = ["preview"] if run.preview else []
    marks += [f"{run.batches_parked} parked"] if run.batches_parked else []
    notes = f"  {', '.join(marks)}" if marks else ""
    counts = f"{run.sentences_done:>9,} of {run.sentences:>9,} ({share:.0%})"
    return f"{run.pk:>5}  {run.state:<9}  {run.method:<16}  {counts}  {run.corpus}{notes}"


def _shown(run: GenerationRun) -> list[str]:
    models = (f"  {part}: {identity}" for part, identity in run.model_identities.items())
    settings = (f"  {name} = {value!r}" for name, value in run.settings.items())
    return [
        output.headline(run),
        f"Public id {run.public_id}, seed {run.seed}, queue {run.queue}.",
        *_pairs_of(run),
        *("Models:", *models),
        *("Settings:", *settings),
        f"{output.progress(run)}.",
        *output.funnel(run),
        *filter(None, [output.complaint(run)]),
        *_preview(run),
        f"Actions: {', '.join(runs.possible(run)) or 'none'}.",
    ]


def _pairs_of(run: GenerationRun) -> list[str]:
    numbers = ", ".join(str(other.pk) for other in run.pairs_of.order_by("pk"))
    return [f"Rewrites both sentences of each pair of the runs {numbers}."] if numbers else []


def _preview(run: GenerationRun) -> list[str]:
    if not selectors.awaits_approval(run):
        return []
    return ["The preview awaits approval:", *output.preview(run)]


def _steered(run: GenerationRun, action: Action) -> str:
    try:
        runs.steer(run, action)
    except NotNow as error:
        raise CommandError(f"Run {run.pk}: {error}") from error
    tasks.wake(run.pk)
    return output.headline(run)


def _named(name: str) -> GenerationRun:
    known = GenerationRun.objects.select_related("corpus")
    found = known.filter(pk=int(name)) if name.isdecimal() else known.filter(public_id=_uuid(name))
    if (run := found.first()) is None:
        raise CommandError(f"There is no run {name}.")
    return run


def _uuid(name: str) -> uuid.UUID:
    try:
        return uuid.UUID(name)
    except ValueError:
        raise CommandError(f"There is no run {name}: name its number or its public id.") from None
