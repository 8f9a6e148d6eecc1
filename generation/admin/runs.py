"""Runs with their batches and candidates: watched here, and told to pause, go on, or try again."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join

from generation import selectors, tables
from generation.admin.rows import Big, Frozen, ModelAdmin, excerpt, link, listing
from generation.models import Batch, Candidate, GenerationRun
from generation.nlp.kinds import Kind
from generation.services import runs


@admin.register(GenerationRun)
class RunAdmin(Frozen, ModelAdmin):
    """A run is started by `manage.py generate`; its settings are what it can be repeated by."""

    list_display = ("run", "method", "corpus", "state", "done", "parked", "created_at")
    list_select_related = ("corpus",)
    list_filter = ("state", "method", "corpus")
    list_per_page = 50
    search_fields = ("public_id", "corpus__name")
    fields = (
        "corpus",
        "method",
        "state",
        "done",
        "parked",
        "candidates",
        "outcomes",
        "seed",
        "settings",
        "model_identities",
        "started_by",
        "created_at",
        "finished_at",
        "public_id",
    )
    readonly_fields = ("done", "parked", "candidates", "outcomes", "public_id")
    actions = ("pause", "resume", "cancel", "retry_parked")

    def get_queryset(self, request: HttpRequest) -> QuerySet[GenerationRun]:
        return tables.of_runs(super().get_queryset(request))

    def has_steer_permission(self, request: HttpRequest) -> bool:
        """Runs are not edited, but whoever may change them may steer them."""
        return request.user.has_perm("generation.change_generationrun")

    @admin.display(description="run", ordering="pk")
    def run(self, run: GenerationRun) -> str:
        return f"#{run.pk}"

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

    @admin.display(description="candidates")
    def candidates(self, run: GenerationRun) -> str:
        number = selectors.candidates(run).count()
        return listing(Candidate, f"{number:,}", run__id__exact=run.pk)

    @admin.display(description="sentences by outcome")
    def outcomes(self, run: GenerationRun) -> str:
        lines = ((f"{number:,}", name) for name, number in selectors.funnel(run).items())
        return format_html_join("", "<div>{} {}</div>", lines) or "–"

    @admin.action(description="Pause: stop after the batches in work", permissions=["steer"])
    def pause(self, request: HttpRequest, chosen: QuerySet[GenerationRun]) -> None:
        self._steer(request, chosen, runs.pause, "paused")

    @admin.action(description="Resume", permissions=["steer"])
    def resume(self, request: HttpRequest, chosen: QuerySet[GenerationRun]) -> None:
        self._steer(request, chosen, runs.resume, "resumed")

    @admin.action(description="Cancel: give up what is not done", permissions=["steer"])
    def cancel(self, request: HttpRequest, chosen: QuerySet[GenerationRun]) -> None:
        self._steer(request, chosen, runs.cancel, "cancelled")

    @admin.action(description="Try parked batches again", permissions=["steer"])
    def retry_parked(self, request: HttpRequest, chosen: QuerySet[GenerationRun]) -> None:
        self._steer(request, chosen, runs.retry_parked, "given another try")

    def _steer(
        self,
        request: HttpRequest,
        chosen: QuerySet[GenerationRun],
        move: Callable[[GenerationRun], int],
        done: str,
    ) -> None:
        moved = sum(bool(move(run)) for run in chosen)
        level = messages.SUCCESS if moved == len(chosen) else messages.WARNING
        self.message_user(request, f"{moved} of {len(chosen)} runs {done}.", level)


@admin.register(Batch)
class BatchAdmin(Frozen, Big):
    list_display = ("number", "of_run", "state", "size", "attempts", "lease_until", "why")
    list_select_related = ("run__corpus",)
    list_filter = ("state", "run__method", "run__corpus")
    search_fields = ("error",)
    search_help_text = "Words of the error"
    fields = (
        "of_run",
        "number",
        "state",
        "size",
        "attempts",
        "lease_until",
        "error",
        "outcomes",
        "finished_at",
        "candidates",
    )
    readonly_fields = ("of_run", "candidates")

    @admin.display(description="run")
    def of_run(self, batch: Batch) -> str:
        return link(batch.run)

    @admin.display(description="error")
    def why(self, batch: Batch) -> str:
        return excerpt(batch.error)

    @admin.display(description="candidates")
    def candidates(self, batch: Batch) -> str:
        return listing(Candidate, "Its candidates", batch__id__exact=batch.pk)


class KindFilter(admin.SimpleListFilter):
    """The kinds of change of word swapping, named here so that no table is read to list them."""

    title = "kind of change"
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(kind.value, kind.value.replace("_", " ")) for kind in Kind]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(kind=self.value()) if self.value() else queryset


@admin.register(Candidate)
class CandidateAdmin(Frozen, Big):
    list_display = ("text_begins", "rewrite_of", "of_run", "kind", "loss", "inversion_rate")
    list_select_related = ("run__corpus", "sentence")
    list_filter = ("run__method", KindFilter, "run__corpus")
    search_fields = ("public_id", "text")
    search_help_text = "A public id, or words of the text"
    fields = (
        "text",
        "rewrite_of",
        "of_run",
        "batch",
        "rank",
        "kind",
        "score",
        "source_score",
        "similarity",
        "inversion_rate",
        "alternatives",
        "public_id",
    )
    readonly_fields = ("rewrite_of", "of_run", "public_id")

    @admin.display(description="candidate")
    def text_begins(self, candidate: Candidate) -> str:
        return excerpt(candidate.text)

    @admin.display(description="rewrite of")
    def rewrite_of(self, candidate: Candidate) -> str:
        return link(candidate.sentence)

    @admin.display(description="run")
    def of_run(self, candidate: Candidate) -> str:
        return link(candidate.run)

    @admin.display(description="log likelihood lost")
    def loss(self, candidate: Candidate) -> str:
        if candidate.score is None or candidate.source_score is None:
            return "–"
        return f"{candidate.source_score - candidate.score:.1f}"
