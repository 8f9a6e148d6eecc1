"""Admin pages of the qualification test and of people's attempts at it."""

from typing import Any, cast

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from import_export.fields import Field  # type: ignore[import-untyped]
from import_export.widgets import ForeignKeyWidget  # type: ignore[import-untyped]

from accounts.admin_tables import CheckedResource, ExchangeAdmin
from accounts.models import User
from annotation.models import Project, QualificationAnswer, QualificationAttempt, QualificationPair
from annotation.quality.services import qualification
from common.admin import LargeTable, ModelAdmin, ReadOnly, TabularInline, column, excerpt, link
from common.forms import ModelForm
from generation.nlp import text
from generation.readers import MAX_CHARACTERS


def check(pair: QualificationPair) -> None:
    """Clean the sentences of a pair in place. Raises ValidationError for bad text or labels."""
    faults = {}
    for name in ("sentence1", "sentence2"):
        try:
            checked = text.check(getattr(pair, name), max_characters=MAX_CHARACTERS)
            setattr(pair, name, checked)
        except text.RefusedText as refused:
            faults[name] = str(refused)
    if pair.label >= pair.project.scheme.size:
        faults["label"] = f"The project has {pair.project.scheme.size} labels, from 0 on."
    if faults:
        raise ValidationError(faults)


class QualificationForm(ModelForm[QualificationPair]):
    """Validates both sentences and checks that the label is on the project's scale."""

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]
        if not self.errors:
            try:
                check(self.instance)
            except ValidationError as faults:
                self.add_error(None, faults)


class QualificationResource(CheckedResource):
    """Imports and exports pairs, identified by project name and position."""

    project = Field("project", "project", ForeignKeyWidget(Project, "name"))

    class Meta(CheckedResource.Meta):
        model = QualificationPair
        import_id_fields = ("project", "position")
        fields = ("project", "position", "sentence1", "sentence2", "label", "explanation")

    def validate_instance(self, instance: QualificationPair, *args: Any, **options: Any) -> None:
        super().validate_instance(instance, *args, **options)
        check(instance)


@admin.register(QualificationPair)
class QualificationPairAdmin(ExchangeAdmin, ModelAdmin):
    """Pairs with known answers that newcomers judge before they get work."""

    form = QualificationForm
    actions = ("delete_selected",)
    resource_classes = export_classes = (QualificationResource,)
    list_display = ("position", "project", "first", "second", "label")
    list_select_related = ("project",)
    list_filter = ("project", "label")
    list_per_page = 50
    ordering = ("project__name", "position")
    search_fields = ("public_id", "sentence1", "sentence2")
    autocomplete_fields = ("project",)
    readonly_fields = ("public_id",)

    def get_export_queryset(self, request: HttpRequest) -> QuerySet[QualificationPair]:
        rows: QuerySet[QualificationPair] = super().get_export_queryset(request)
        return rows.select_related("project")

    def delete_model(self, request: HttpRequest, obj: QualificationPair) -> None:
        """Delete the pair and finish attempts that had only this pair left."""
        qualification.remove(obj, by=cast(User, request.user))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[QualificationPair]) -> None:
        for pair in queryset:
            qualification.remove(pair, by=cast(User, request.user))

    first = column("sentence1", "sentence 1", show=excerpt)
    second = column("sentence2", "sentence 2", show=excerpt)


class AnswerInline(ReadOnly, TabularInline):
    model = QualificationAnswer
    fields = ("pair", "label")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("pair")


@admin.register(QualificationAttempt)
class QualificationAttemptAdmin(ReadOnly, LargeTable):
    inlines = (AnswerInline,)
    list_display = ("of_member", "number", "passed", "share", "started_at", "finished_at")
    list_select_related = ("membership__user", "membership__project")
    list_filter = ("membership__project", "passed", ("finished_at", admin.EmptyFieldListFilter))
    search_fields = ("membership__user__username",)
    search_help_text = "A person"
    of_member = column("membership", "person", show=link)


@admin.register(QualificationAnswer)
class QualificationAnswerAdmin(ReadOnly, LargeTable):
    list_display = ("of_attempt", "of_pair", "label")
    list_select_related = ("attempt__membership__user", "attempt__membership__project", "pair")
    list_filter = ("attempt__membership__project",)
    search_fields = ("attempt__membership__user__username",)
    search_help_text = "A person"
    of_attempt = column("attempt", "attempt", show=link)
    of_pair = column("pair", "pair", show=link)
