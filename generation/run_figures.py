"""What pages show of a run while it is worked on: its state in words, a chart, the next refresh."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from generation import outcomes, selectors
from generation.models import GenerationRun, Method, Queue
from generation.nlp.rewrites import ACCEPTED
from generation.selectors import Progress

State = GenerationRun.State

# Seconds between refreshes: while workers are active, and while only a person can act.
WATCHING, WAITING = 2, 15


def status(run: GenerationRun, progress: Progress, *, waits: bool) -> str:
    """Return the state of a run as a sentence; `waits` is whether it waits for approval."""
    if waits and not Method(run.method).makes_pairs:
        return _("The preview is done. Approve it to translate the other sentences.")
    if waits:
        return _(
            "The preview is done. Approve it to add its candidates to this project and run on the "
            "other sentences."
        )
    if run.state == State.RUNNING:
        return _("Working on the preview.") if run.preview else _("Running.")
    if run.state == State.PAUSED:
        return _("Paused. Batches in progress will be finished.")
    if run.state == State.CANCELLED:
        return _("Cancelled. Finished batches are kept.")
    return _("Done, except for parked batches.") if progress.parked_batches else _("Done.")


def activity(run: GenerationRun, *, waits: bool) -> tuple[str, bool]:
    """Return what workers do with a running run, and whether a worker is missing."""
    if run.state != State.RUNNING or waits:
        return "", False
    if number := selectors.held(run).count():
        text = ngettext(
            "%(n)d batch is being worked on.", "%(n)d batches are being worked on.", number
        )
        return text % {"n": number}, False
    if selectors.present_workers(run.queue):
        return _("Waiting for the next free worker."), False
    if run.queue == Queue.GPU:
        return _("No worker with a GPU is running: the run waits until one is started."), True
    return _("No worker is running: the run waits until one is started."), True


def announcement(status: str, progress: Progress) -> str:
    """Return the text for screen readers: the state and the progress."""
    parts = [status, _("%(share)d percent done.") % {"share": round(100 * progress.share)}]
    if number := progress.parked_batches:
        text = ngettext("%(n)d batch parked.", "%(n)d batches parked.", number)
        parts.append(text % {"n": number})
    return " ".join(parts)


def tenths(progress: Progress) -> int:
    """Return the progress in steps of 10 percent, at which it is announced again."""
    return int(progress.share * 10)


def seconds(run: GenerationRun, *, waits: bool) -> int | None:
    """Return the seconds until the next refresh, or None once the run has ended."""
    if run.state == State.RUNNING and not waits:
        return WATCHING
    return WAITING if waits or run.state == State.PAUSED else None


def chart(run: GenerationRun) -> list[dict[str, Any]]:
    """Return a bar for each outcome; the longest takes the full width."""
    funnel = selectors.funnel(run)
    total, longest = sum(funnel.values()), max(funnel.values(), default=0)
    return [
        {
            "name": _outcome(run, name),
            "count": count,
            "percent": 100 * count / total,
            "width": f"{100 * count / longest:.2f}%",
            "is_accepted": name == ACCEPTED,
        }
        for name, count in funnel.items()
    ]


def _outcome(run: GenerationRun, name: str) -> str:
    """Return an outcome in words: results of a method that makes no pairs are no candidates."""
    is_translated = name == ACCEPTED and not Method(run.method).makes_pairs
    return _("translated") if is_translated else outcomes.in_words(name)


def dropped(counts: dict[str, int]) -> list[tuple[str, int]]:
    """Return why pairs were left out, in words, and how many."""
    return [(outcomes.why_dropped(name), count) for name, count in counts.items()]
