"""Admin list filters for pairs and judgments."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest


class AnsweredFilter(admin.SimpleListFilter):
    """Slots by state: answered, in progress or free."""

    title = "state"
    parameter_name = "slot"
    states = (("answered", "answered"), ("in_progress", "in progress"), ("free", "free"))

    def lookups(self, request: HttpRequest, model_admin: Any) -> tuple[tuple[str, str], ...]:
        return self.states

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() == "answered":
            return queryset.filter(submitted_at__isnull=False)
        if self.value() in ("in_progress", "free"):
            claimed = self.value() == "in_progress"
            return queryset.filter(submitted_at=None, annotator__isnull=not claimed)
        return queryset


class DecidedFilter(admin.SimpleListFilter):
    """Pairs by consensus."""

    title = "consensus"
    parameter_name = "consensus"
    states = (
        ("open", "not decided"),
        ("decided", "decided"),
        ("kept", "decided and kept"),
        ("low", "decided, too little agreement"),
        ("paraphrase", "kept, same meaning"),
        ("different", "kept, different meaning"),
    )
    conditions: dict[str, dict[str, Any]] = {
        "open": {"consensus": None},
        "decided": {"consensus__isnull": False},
        "kept": {"consensus__kept": True},
        "low": {"consensus__kept": False},
        "paraphrase": {"consensus__kept": True, "consensus__label": 1},
        "different": {"consensus__kept": True, "consensus__label": 0},
    }

    def lookups(self, request: HttpRequest, model_admin: Any) -> tuple[tuple[str, str], ...]:
        return self.states

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(**self.conditions.get(self.value() or "", {}))


class GoldFilter(admin.SimpleListFilter):
    """Gold pairs, or all other pairs; uses an index."""

    title = "gold"
    parameter_name = "gold"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "gold pairs"), ("no", "pairs of the study")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() in ("yes", "no"):
            return queryset.filter(gold_label__isnull=self.value() == "no")
        return queryset


class ExcludedFilter(admin.SimpleListFilter):
    """Judgments by whether they are excluded."""

    title = "excluded"
    parameter_name = "excluded"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "excluded from consensus"), ("no", "counts")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() in ("yes", "no"):
            return queryset.filter(excluded_by__isnull=self.value() == "no")
        return queryset
