"""Admin pages for runs: progress, and buttons to approve, pause, resume, retry or cancel."""

from typing import Any, cast

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.html import format_html_join
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRefresh

from accounts.models import User
from common.admin import ModelAdmin, ReadOnly, listing
from common.display import duration, readable
from generation import outcomes, run_figures, selectors, tasks
from generation.errors import NotNow
from generation.models import Batch, Candidate, GenerationRun
from generation.services import runs
from generation.services.runs import Action

MOST_PARKED = 20
MOST_CANDIDATES = 3
BUTTONS = {
    Action.APPROVE: "Approve: go on with the whole corpus",
    Action.PAUSE: "Pause",
    Action.RESUME: "Resume",
    Action.RETRY: "Retry parked batches",
    Action.CANCEL: "Cancel…",
}
RUN_PAGE = "admin:generation_generationrun_change"


@admin.register(GenerationRun)
class RunAdmin(ReadOnly, ModelAdmin):
    """Shows runs and steers them. Runs are started from a project, and their settings are fixed."""

    change_form_template = "admin/generation/generationrun/change_form.html"
    list_display = ("run", "method", "corpus", "condition", "done", "parked", "created_at")
    list_select_related = ("corpus",)
    list_filter = ("state", "preview", "method", "corpus")
    list_per_page = 50
    search_fields = ("public_id", "corpus__name")
    fields = (
        "corpus",
        "method",
        "queue",
        "seed",
        "configuration",
        "models",
        "pairs_of",
        "started_by",
        "created_at",
        "finished_at",
        "public_id",
    )
    readonly_fields = ("configuration", "models", "public_id")

    def get_queryset(self, request: HttpRequest) -> QuerySet[GenerationRun]:
        return selectors.of_runs(super().get_queryset(request))

    def get_urls(self) -> list[URLPattern]:
        own = [
            path("<int:pk>/figures/", self.figures, name="generation_generationrun_figures"),
            path(
                "<int:pk>/steer/",
                self.admin_site.admin_view(require_POST(self.steer)),
                name="generation_generationrun_steer",
            ),
            path(
                "<int:pk>/cancel/",
                self.admin_site.admin_view(self.ask_before_cancelling),
                name="generation_generationrun_cancel",
            ),
        ]
        return [*own, *super().get_urls()]

    def has_steer_permission(self, request: HttpRequest) -> bool:
        """Runs cannot be edited, but users with the change permission may steer them."""
        return request.user.has_perm("generation.change_generationrun")

    @admin.display(description="run", ordering="pk")
    def run(self, run: GenerationRun) -> str:
        return f"#{run.pk}"

    @admin.display(description="state", ordering="state")
    def condition(self, run: GenerationRun) -> str:
        return f"{run.state}, preview" if run.preview else run.state

    @admin.display(description="sentences done")
    def done(self, run: Any) -> str:
        share = run.sentences_done / run.sentences if run.sentences else 1
        text = f"{run.sentences_done:,} of {run.sentences:,} ({share:.0%})"
        return listing(Batch, text, run__id__exact=run.pk)

    @admin.display(description="batches parked")
    def parked(self, run: Any) -> str:
        if not run.batches_parked:
            return "–"
        parked = Batch.State.PARKED
        return listing(Batch, run.batches_parked, run__id__exact=run.pk, state__exact=parked)

    @admin.display(description="settings")
    def configuration(self, run: GenerationRun) -> str:
        return _lines(run.settings)

    @admin.display(description="models")
    def models(self, run: GenerationRun) -> str:
        return _lines({part: _listed(known) for part, known in run.model_identities.items()})

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        run: GenerationRun = kwargs["obj"]
        context |= self._context(request, run)
        response: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        return response

    def _context(self, request: HttpRequest, run: GenerationRun) -> dict[str, Any]:
        """Return what the page of a run shows besides its fields."""
        progress = selectors.progress(run)
        waits = selectors.awaits_approval(run)
        said = run_figures.status(run, progress, waits=waits)
        tenth = run_figures.tenths(progress)
        bars = run_figures.chart(run)
        possible = runs.possible(run) if self.has_steer_permission(request) else []
        return {
            "run": run,
            "progress": progress,
            "done": f"{progress.done:,} of {progress.total:,} ({progress.share:.0%})",
            "rate": None if progress.rate is None else f"{progress.rate:,.1f}",
            "left": None if progress.seconds_left is None else duration(progress.seconds_left),
            "status": said,
            "announcement": run_figures.announcement(said, progress),
            "bars": bars,
            "chart_height": run_figures.BAR_HEIGHT * len(bars),
            "previewed": _previewed(run) if run.preview else [],
            "parked": selectors.parked(run)[:MOST_PARKED],
            "buttons": [(str(action), BUTTONS[action]) for action in possible],
            "batches": listing(Batch, "All batches", run__id__exact=run.pk),
            "candidates": listing(Candidate, "All candidates", run__id__exact=run.pk),
            # A token for what is shown: the state of buttons and lists, then progress.
            "shown": f"{run.state}-{run.preview:d}{waits:d}-{progress.parked_batches}.{tenth}",
            "seconds": run_figures.seconds(run, waits=waits),
        }

    def figures(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Return what has changed on the page of a run since the browser received `shown`.

        A browser that was signed out reloads the whole page, which asks for sign-in.
        """
        if not (self.admin_site.has_permission(request) and self.has_view_permission(request)):
            return HttpResponseClientRefresh()
        run = get_object_or_404(GenerationRun.objects.select_related("corpus"), pk=pk)
        context = self._context(request, run)
        shown, now = request.GET.get("shown", ""), context["shown"]
        context["is_announced"] = shown != now
        context["has_turned"] = shown.partition(".")[0] != now.partition(".")[0]
        return TemplateResponse(request, "admin/generation/generationrun/parts/news.html", context)

    def steer(self, request: HttpRequest, pk: int) -> HttpResponse:
        run = self._steerable(request, pk)
        if (asked := request.POST.get("action")) not in list(Action):
            raise Http404
        action = Action(asked)
        try:
            runs.steer(run, action, by=cast(User, request.user))
        except NotNow as error:
            self.message_user(request, str(error), messages.WARNING)
        else:
            tasks.wake(run.pk)
            self.message_user(request, f"The run was {runs.DONE[action]}.", messages.SUCCESS)
        return redirect(RUN_PAGE, run.pk)

    def ask_before_cancelling(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask for confirmation, because a cancelled run cannot be resumed."""
        run = self._steerable(request, pk)
        context = self.admin_site.each_context(request) | {
            "title": "Cancel this run?",
            "opts": self.opts,
            "run": run,
            "progress": selectors.progress(run),
        }
        return TemplateResponse(request, "admin/generation/generationrun/cancel.html", context)

    def _steerable(self, request: HttpRequest, pk: int) -> GenerationRun:
        """Return the run if the user may steer it. Raises PermissionDenied or Http404."""
        if not self.has_steer_permission(request):
            raise PermissionDenied
        return get_object_or_404(GenerationRun.objects.select_related("corpus"), pk=pk)


def _lines(named: dict[str, Any]) -> str:
    """Return one line for each name with its value, or a dash if there are none."""
    lines = ((name, _listed(value)) for name, value in named.items())
    return format_html_join("", '<div class="run-line">{} = {}</div>', lines) or "–"


def _listed(value: Any) -> str:
    """Format a value, such as “name, date” or “name gpt2, revision 3f2a”."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {part}" for name, part in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value) or "–"


def _previewed(run: GenerationRun) -> list[dict[str, Any]]:
    return [
        {
            "source": row.sentence.text,
            "candidates": [_measured(each) for each in row.candidates[:MOST_CANDIDATES]],
            "more": max(len(row.candidates) - MOST_CANDIDATES, 0),
            "reason": outcomes.in_words(row.reason),
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
