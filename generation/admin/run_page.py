"""Context for the admin page of a run: progress, outcomes and available actions."""

from typing import Any

from common.admin import listing
from common.display import duration, readable
from generation import selectors
from generation.models import Batch, Candidate, GenerationRun
from generation.selectors import Progress
from generation.services import runs
from generation.services.runs import Action

State = GenerationRun.State

MOST_PARKED = 20
MOST_CANDIDATES = 3
# Seconds between refreshes: while workers are active, and while only a person can act.
WATCHING, WAITING = 2, 15
BAR_HEIGHT = 34
BUTTONS = {
    Action.APPROVE: "Approve: go on with the whole corpus",
    Action.PAUSE: "Pause",
    Action.RESUME: "Resume",
    Action.RETRY: "Retry parked batches",
    Action.CANCEL: "Cancel…",
}


def context(run: GenerationRun, *, may_steer: bool) -> dict[str, Any]:
    progress = selectors.progress(run)
    waits = selectors.awaits_approval(run)
    bars = chart(selectors.funnel(run))
    possible = runs.possible(run) if may_steer else []
    return {
        "run": run,
        "progress": progress,
        "done": f"{progress.done:,} of {progress.total:,} ({progress.share:.0%})",
        "rate": f"{progress.rate:,.1f}" if progress.rate is not None else None,
        "left": None if progress.seconds_left is None else duration(progress.seconds_left),
        "status": status(run, progress, waits=waits),
        "announcement": announcement(run, progress, waits=waits),
        "bars": bars,
        "chart_height": BAR_HEIGHT * len(bars),
        "previewed": _previewed(run) if run.preview else [],
        "parked": selectors.parked(run)[:MOST_PARKED] if progress.parked_batches else [],
        "buttons": [(str(action), BUTTONS[action]) for action in possible],
        "batches": listing(Batch, "All batches", run__id__exact=run.pk),
        "candidates": listing(Candidate, "All candidates", run__id__exact=run.pk),
        "shown": _shown(run, progress, waits=waits),
        "seconds": _seconds(run, waits=waits),
    }


def news(run: GenerationRun, *, shown: str, may_steer: bool) -> dict[str, Any]:
    """Return the same context, plus what changed since the browser received `shown`."""
    now = context(run, may_steer=may_steer)
    before, _, _ = shown.partition(".")
    after, _, _ = now["shown"].partition(".")
    return now | {"is_announced": shown != now["shown"], "has_turned": before != after}


def status(run: GenerationRun, progress: Progress, *, waits: bool) -> str:
    if waits:
        return "The preview is done. Its candidates enter a project once it is approved."
    if run.state == State.RUNNING:
        return "Working on the preview." if run.preview else "Running."
    if run.state == State.PAUSED:
        return "Paused. Batches in progress will be finished."
    if run.state == State.CANCELLED:
        return "Cancelled. Finished batches are kept."
    return "Done, except for parked batches." if progress.parked_batches else "Done."


def announcement(run: GenerationRun, progress: Progress, *, waits: bool) -> str:
    """Return the text for screen readers: the state, and progress in steps of 10 percent."""
    parked = f" {progress.parked_batches} parked." if progress.parked_batches else ""
    return f"{status(run, progress, waits=waits)} {10 * _tenth(progress)} percent done.{parked}"


def chart(funnel: dict[str, int]) -> list[dict[str, Any]]:
    """Return a bar for each outcome, `top` in pixels; the longest takes the full width."""
    total, longest = sum(funnel.values()), max(funnel.values(), default=0)
    return [
        {
            "name": readable(name),
            "count": f"{count:,}",
            "share": f"{count / total:.1%}",
            "width": f"{100 * count / longest:.2f}%",
            "top": BAR_HEIGHT * number,
            "is_accepted": name == "accepted",
        }
        for number, (name, count) in enumerate(funnel.items())
    ]


def _previewed(run: GenerationRun) -> list[dict[str, Any]]:
    return [
        {
            "source": row.sentence.text,
            "candidates": [_measured(each) for each in row.candidates[:MOST_CANDIDATES]],
            "more": max(len(row.candidates) - MOST_CANDIDATES, 0),
        }
        for row in selectors.previewed(run)
    ]


def _measured(candidate: Candidate) -> dict[str, Any]:
    loss = selectors.loss(candidate)
    return {
        "text": candidate.text,
        "kind": readable(candidate.kind),
        "loss": "" if loss is None else f"{loss:z.1f}",
        "inversions": f"{candidate.inversion_rate:.2f}",
    }


def _shown(run: GenerationRun, progress: Progress, *, waits: bool) -> str:
    """Return a token for what the page shows: state of buttons and lists, then progress."""
    turn = f"{run.state}-{run.preview:d}{waits:d}-{progress.parked_batches}"
    return f"{turn}.{_tenth(progress)}"


def _tenth(progress: Progress) -> int:
    return int(progress.share * 10)


def _seconds(run: GenerationRun, *, waits: bool) -> int | None:
    """Return the seconds until the next refresh, or None once the run has ended."""
    if run.state == State.RUNNING and not waits:
        return WATCHING
    return WAITING if waits or run.state == State.PAUSED else None
