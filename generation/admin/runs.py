"""Admin pages of runs, which are started and steered elsewhere."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join

from common.admin import ModelAdmin, ReadOnly, column, listing
from generation import selectors
from generation.models import Batch, GenerationRun


@admin.register(GenerationRun)
class RunAdmin(ReadOnly, ModelAdmin):
    list_display = ("run", "method", "corpus", "condition", "done", "parked", "created_at")
    list_select_related = ("corpus",)
    list_filter = ("state", "preview", "method", "corpus")
    list_per_page = 50
    search_fields = ("public_id", "corpus__name")
    fields = (
        "corpus",
        "method",
        "condition",
        "done",
        "parked",
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
    readonly_fields = ("condition", "done", "parked", "configuration", "models", "public_id")

    def get_queryset(self, request: HttpRequest) -> QuerySet[GenerationRun]:
        return selectors.of_runs(super().get_queryset(request))

    run = column("pk", "run", show="#{}".format, ordering="pk")

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
        return _lines({part: _listed(model) for part, model in run.model_identities.items()})


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
