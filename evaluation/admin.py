"""Admin page of evaluations, which is read-only."""

from django.contrib import admin

from common.admin import ModelAdmin, ReadOnly, column
from evaluation.models import Evaluation


@admin.register(Evaluation)
class EvaluationAdmin(ReadOnly, ModelAdmin):
    """Evaluations are requested and cancelled on the page of their release."""

    list_display = (
        "release",
        "experiment",
        "models",
        "seeds",
        "state",
        "attempts",
        "asked_by",
        "asked_at",
        "finished_at",
    )
    list_select_related = ("release__project", "asked_by")
    list_filter = ("state", "experiment")
    list_per_page = 50
    search_fields = ("public_id", "release__version", "release__project__name", "failure")
    fields = (
        "release",
        "experiment",
        "models",
        "seeds",
        "state",
        "step",
        "done",
        "total",
        "attempts",
        "lease_until",
        "failure",
        "results",
        "public_id",
        "asked_by",
        "asked_at",
        "finished_at",
    )
    readonly_fields = ("models", "public_id")
    models = column("names", "models", show=", ".join)
