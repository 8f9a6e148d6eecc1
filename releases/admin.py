"""Admin pages of releases and their examples, which are read-only."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from common import bulk
from common.admin import LargeTable, ModelAdmin, ReadOnly, column, excerpt, listing
from releases.dataset.rows import SPLITS
from releases.models import Comparison, Example, Release


class SplitFilter(admin.SimpleListFilter):
    """All splits, so that no table is read to list them."""

    title = "split"
    parameter_name = "split"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(split, split) for split in SPLITS]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(split=self.value()) if self.value() else queryset


@admin.register(Release)
class ReleaseAdmin(ReadOnly, ModelAdmin):
    """Releases are drafted, built and withdrawn on their project's pages, or by commands."""

    list_display = ("version", "project", "state", "examples", "is_simulated", "frozen_at")
    list_select_related = ("project",)
    list_filter = ("state", "project")
    list_per_page = 50
    search_fields = ("public_id", "version", "project__name")
    fields = (
        "project",
        "version",
        "state",
        "failure",
        "withdrawal_reason",
        "withdrawn_by",
        "withdrawn_at",
        "names_forgotten_at",
        "examples",
        "seed",
        "settings",
        "metadata",
        "facts",
        "left_out",
        "public_id",
        "created_by",
        "created_at",
        "frozen_at",
    )
    readonly_fields = ("examples", "public_id")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Release]:
        rows: QuerySet[Release] = super().get_queryset(request)
        return rows.annotate(examples_held=bulk.count_of(Example.objects.all(), "release"))

    @admin.display(description="examples")
    def examples(self, release: Any) -> str:
        return listing(Example, f"{release.examples_held:,}", release__id__exact=release.pk)

    @admin.display(description="contains simulated answers", boolean=True)
    def is_simulated(self, release: Release) -> bool | None:
        return release.manifest["simulated"] if release.manifest else None


@admin.register(Example)
class ExampleAdmin(ReadOnly, LargeTable):
    list_display = ("first", "second", "origin", "label", "subset", "split", "release")
    list_select_related = ("release__project",)
    list_filter = ("release", "origin", SplitFilter, "kept")
    search_fields = ("public_id", "sentence1", "sentence2")
    search_help_text = "A public id, or words of either sentence"
    first = column("sentence1", "sentence 1", show=excerpt)
    second = column("sentence2", "sentence 2", show=excerpt)


@admin.register(Comparison)
class ComparisonAdmin(ReadOnly, ModelAdmin):
    """Comparison studies are created on the page of a release, or by `create_comparison`."""

    list_display = ("project", "release", "purpose", "sample", "taught", "seed", "created_at")
    list_select_related = ("project", "release__project")
    search_fields = ("project__name",)
