"""The page of one run while it works: progress, preview, candidates, settings, and its buttons."""

import uuid
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.models import Membership, Project
from annotation.projects import charts
from annotation.projects.charts import Shares
from annotation.projects.views import table_page
from annotation.runs import words
from annotation.runs.forms import CandidatesForm
from annotation.runs.selectors import candidates
from annotation.runs.selectors import runs as selectors
from annotation.runs.selectors.candidates import Order
from common.display import duration
from generation import estimates, run_figures, tasks, usage_figures
from generation import selectors as generation
from generation.errors import AtLimit, BadLimit, NotNow
from generation.forms import LimitsForm
from generation.models import Batch, GenerationRun, Method, Sentence
from generation.selectors import Progress
from generation.services import runs
from generation.services.runs import Action

MOST_PARKED = 20
# Changed settings that are named with the preset.
MOST_CHANGED = 5
# Sentences of a parked batch that are shown.
FIRST = 3
# The id of the table of candidates on the page.
PART = "run-list"
ORDERS = {
    Order.CORPUS: gettext_lazy("In corpus order"),
    Order.HIGHEST: gettext_lazy("Highest estimate first"),
    Order.LOWEST: gettext_lazy("Lowest estimate first"),
}
BUTTONS = {
    Action.APPROVE: gettext_lazy("Rewrite all %(number)s sentences"),
    Action.PAUSE: gettext_lazy("Pause"),
    Action.RESUME: gettext_lazy("Resume"),
    Action.RETRY: gettext_lazy("Retry parked batches"),
}
DONE = {
    Action.APPROVE: gettext_lazy("Approved. Workers continue with the whole corpus."),
    Action.RESUME: gettext_lazy("Resumed."),
    Action.RETRY: gettext_lazy("Parked batches will be retried."),
    Action.CANCEL: gettext_lazy("Cancelled."),
}


@dataclass(frozen=True, slots=True)
class Bar:
    """A count with its name and the length of its bar."""

    name: str
    number: int
    share: Shares


@gates.signed_in
@require_safe
def run(request: Request, project_id: uuid.UUID, run_id: uuid.UUID) -> HttpResponse:
    """Show a run: progress, preview, candidates, settings, and the buttons that steer it."""
    member = gates.reader(request, project_id)
    shown_run = _run(member.project, run_id)
    context = _run_context(member, shown_run) | {
        "settings": words.settings_of(shown_run),
        "models": words.models_of(shown_run),
        "parked": _parked_batches(shown_run),
    }
    if context["preview"] is None:
        context |= _candidates(request, shown_run)
    status = table_page.BAD_REQUEST if "problem" in context else 200
    return render(request, "annotation/runs/run.html", context, status=status)


@gates.signed_in
@require_safe
def run_progress(request: Request, project_id: uuid.UUID, run_id: uuid.UUID) -> HttpResponse:
    """Return what has changed on the page of a run since the browser received `shown`."""
    member = gates.reader(request, project_id)
    run = _run(member.project, run_id)
    context = _run_context(member, run)
    tokens = (request.GET.get("shown", ""), context["token"])
    shown, current = ([*token.split("."), "", ""] for token in tokens)
    context["is_announced"] = shown[:2] != current[:2]
    if (shown[0], shown[2]) != (current[0], current[2]):
        context |= {"has_turned": True, "parked": _parked_batches(run)}
    return render(request, "annotation/runs/parts/news.html", context)


@gates.signed_in
@require_POST
def steer_run(request: Request, project_id: uuid.UUID, run_id: uuid.UUID) -> HttpResponse:
    run = _run(gates.manager(request, project_id).project, run_id)
    action = request.POST.get("action", "")
    if action not in list(Action):
        messages.error(request, _("Choose one of the buttons."))
        return redirect("run", project_id, run_id)
    limits = LimitsForm(request.POST)
    if not limits.is_valid():
        messages.error(request, _("The run was not resumed: a limit is a number above 0."))
        return redirect("run", project_id, run_id)
    try:
        runs.steer(run, Action(action), by=request.user, **limits.cleaned_data)
    except (AtLimit, BadLimit) as error:
        messages.error(request, str(error))
    except NotNow:
        messages.error(
            request,
            _(
                "Nothing was done, because the run has changed since you loaded the page. Check it "
                "and try again."
            ),
        )
    else:
        tasks.wake(run.pk)
        done = run_figures.paused(run) if action == Action.PAUSE else DONE[Action(action)]
        messages.success(request, done)
    return redirect("run", project_id, run_id)


@gates.signed_in
@require_safe
def cancel_run(request: Request, project_id: uuid.UUID, run_id: uuid.UUID) -> HttpResponse:
    """Ask for confirmation, because a cancelled run cannot be resumed."""
    member = gates.manager(request, project_id)
    run = _run(member.project, run_id)
    if Action.CANCEL not in runs.possible_actions(run):
        messages.error(request, _("The run has already ended, so it can’t be cancelled."))
        return redirect("run", project_id, run_id)
    context = {
        "project": member.project,
        "manages": True,
        "run": run,
        "name": words.name_of(run),
        "progress": generation.progress(run),
    }
    return render(request, "annotation/runs/cancel_run.html", context)


def _run(project: Project, run_id: uuid.UUID) -> GenerationRun:
    """Return a run of the project. Raises Http404."""
    return get_object_or_404(project.runs.select_related("corpus"), public_id=run_id)


def _parked_batches(run: GenerationRun) -> list[tuple[Batch, list[Sentence]]]:
    """Return the first parked batches with their first sentences."""
    batches = generation.parked_batches_of(run)[:MOST_PARKED]
    return [(batch, list(generation.sentences_of_batch(batch)[:FIRST])) for batch in batches]


def _actions_with_buttons(actions: list[Action], *, waits: bool) -> list[Action]:
    """Return the actions with a button: a preview is approved once there is something to see."""
    hidden = Action.PAUSE if waits else Action.APPROVE
    return [action for action in actions if action in BUTTONS and action is not hidden]


def _button(action: Action, run: GenerationRun, progress: Progress) -> str:
    text = str(BUTTONS[action])
    if action is Action.APPROVE and run.is_by_entity:
        text = _("Pair all %(number)s definitions")
    elif action is Action.APPROVE and not Method(run.method).makes_pairs:
        text = _("Translate all %(number)s sentences")
    return text % {"number": number_format(progress.total, force_grouping=True)}


def _bars(counts: list[tuple[str, int]]) -> list[Bar]:
    """Return a bar for each count, the longest of the full width."""
    longest = max((number for _name, number in counts), default=0)
    return [Bar(name, number, charts.shares({"lost": number}, longest)) for name, number in counts]


def _run_context(member: Membership, run: GenerationRun) -> dict[str, Any]:
    """Return the context of a run's page.

    `token` changes with its state, its progress in tenths, and the sentences of its preview.
    """
    manages = member.role == Membership.Role.MANAGER
    progress, preview = generation.progress(run), selectors.preview(run)
    waits = generation.awaits_approval(run)
    status = run_figures.status(run, progress, waits=waits)
    activity, lacks_worker = run_figures.activity(run, waits=waits)
    if lacks_worker:
        status, activity = activity, ""
    actions = runs.possible_actions(run) if manages else []
    reasons = run_figures.reasons(run)
    turn = f"{run.state}-{run.preview:d}{waits:d}-{progress.parked_batches}"
    if run.is_at_limit:
        actions = [action for action in actions if action is not Action.RESUME]  # with its form
    return {
        "project": member.project,
        "manages": manages,
        "run": run,
        "name": words.name_of(run),
        "progress": progress,
        "left": None if progress.seconds_left is None else duration(progress.seconds_left),
        "state": words.state(run, waits=waits),
        "status": status,
        "activity": activity,
        "lacks_worker": lacks_worker,
        "announcement": run_figures.announcement(status, progress),
        "reasons": _bars(reasons),
        "number_refused": sum(number for _name, number in reasons),
        "dropped": _bars(run_figures.dropped(generation.dropped(run))),
        "shapes": {} if preview else candidates.by_shape(run),
        "preview": preview,
        "preset": words.preset_name(run, MOST_CHANGED),
        "step": runs.PREVIEW_SENTENCES,
        "enough": generation.PREVIEW_CANDIDATES,
        "most": runs.PREVIEW_SENTENCES * runs.PREVIEW_BATCHES,
        "waits": waits,
        **_use_of_models(run, progress, waits=waits),
        "actions": actions,
        "buttons": [
            (action, _button(action, run, progress))
            for action in _actions_with_buttons(actions, waits=waits)
        ],
        "token": f"{turn}.{run_figures.tenths(progress)}.{preview.size if preview else 0}",
        "seconds": run_figures.seconds(run, waits=waits),
    }


def _use_of_models(run: GenerationRun, progress: Progress, *, waits: bool) -> dict[str, Any]:
    """Return what the page of a run shows of the models on other servers that it asks."""
    if not usage_figures.asks_models(run):
        return {}
    is_at_limit = run.state == GenerationRun.State.PAUSED and run.is_at_limit
    context = {
        "use": usage_figures.use(run),
        "use_warnings": usage_figures.warnings(run),
        "not_repeatable": "" if usage_figures.is_repeatable(run) else usage_figures.NOT_REPEATABLE,
        "limit_reached": usage_figures.limit_reached(run, progress) if is_at_limit else "",
        "limits": LimitsForm.from_spender(run) if is_at_limit else None,
    }
    estimate = estimates.of_others(run, progress.done, progress.open) if waits else None
    if estimate and estimate.items:
        context["estimate"] = usage_figures.estimated(estimate)
        context["exceeds_limit"] = usage_figures.exceeds_limit(run, estimate)
    return context


def _candidates(request: Request, run: GenerationRun) -> dict[str, Any]:
    """Return the page of candidates that was asked for.

    If there is none, return the `problem` with the order, or "" if it is the page.
    """
    orders = candidates.orders(run)
    form = CandidatesForm(request.GET, orders=orders)
    if not form.is_valid():
        return {"problem": " ".join(map(str, form.errors.get("order", [])))}
    number_without = candidates.number_without(run)
    context = {
        "orders": [(order, ORDERS[order]) for order in orders],
        "number_without": number_without,
    }
    if number_without and form.cleaned_data["without"]:
        without = candidates.sentences_without(run, **form.page_keys(1))
        links = table_page.links(request.GET, without, part=PART)
        return context | {"number": number_without, "without": without.rows, "links": links}
    order = Order(form.cleaned_data["order"] or Order.CORPUS)
    page = candidates.page(run, order, **form.page_keys(len(candidates.COLUMNS[order])))
    return context | {
        "order": order,
        "number": candidates.number(run, order),
        "candidates": [selectors.compare(run, row.sentence, row) for row in page.rows],
        "links": table_page.links(request.GET, page, part=PART),
    }
