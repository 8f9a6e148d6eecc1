"""Admin pages of rows that only services write; registers those of all subpackages for Django."""

from django.contrib import admin

import annotation.pairs.admin
import annotation.people.admin
import annotation.projects.admin
import annotation.quality.admin
import annotation.work.admin  # noqa: F401
from annotation.models import (
    Adjudication,
    AnnotatorQuestion,
    Consensus,
    Import,
    Intervention,
    JudgingModel,
    ModelJudgment,
    Recruitment,
    Reopening,
    Seal,
)
from annotation.questions import selectors as questions
from common.admin import LargeTable, ModelAdmin, ReadOnly, column, excerpt, link


@admin.register(Import)
class ImportAdmin(ReadOnly, LargeTable):
    list_display = ("name", "project", "kind", "state", "read", "added", "created_at")
    list_select_related = ("project",)
    list_filter = ("state", "kind", "project")
    search_fields = ("public_id", "name")
    search_help_text = "The public id of an import, or the name of its file"


class OfPair(ReadOnly, LargeTable):
    """Rows that belong to a pair."""

    search_help_text = "The public id of a pair"
    of_pair = column("pair", "pair", show=link)


@admin.register(Consensus)
class ConsensusAdmin(OfPair):
    list_display = ("of_pair", "label", "kept", "tally", "decided_at")
    list_select_related = ("pair__project",)
    list_filter = ("pair__project", "kept")
    search_fields = ("pair__public_id",)


@admin.register(Reopening)
class ReopeningAdmin(OfPair):
    list_display = ("of_pair", "number", "label", "tally", "by", "because", "created_at")
    list_select_related = ("pair__project", "by", "because")
    list_filter = ("pair__project",)
    search_fields = ("pair__public_id", "by__username")
    search_help_text = "The public id of a pair, or a person"


@admin.register(Adjudication)
class AdjudicationAdmin(OfPair):
    list_display = ("of_pair", "label", "by", "note", "created_at")
    list_select_related = ("pair__project", "by")
    list_filter = ("pair__project", "label")
    search_fields = ("pair__public_id", "by__username", "note")
    search_help_text = "The public id of a pair, a person, or words of a note"


@admin.register(ModelJudgment)
class ModelJudgmentAdmin(OfPair):
    list_display = ("of_pair", "label", "score", "model")
    list_select_related = ("model", "pair")
    list_filter = ("model__project", "model")
    search_fields = ("pair__public_id", "model__name")
    search_help_text = "The public id of a pair, or the name of a model"


@admin.register(JudgingModel)
class ModelJudgeAdmin(ReadOnly, LargeTable):
    list_display = ("name", "revision", "project", "note", "added_by", "created_at")
    list_select_related = ("project", "added_by")
    list_filter = ("project",)
    search_fields = ("public_id", "name", "revision")
    search_help_text = "A public id, a name or a revision"


@admin.register(Seal)
class SealAdmin(ReadOnly, LargeTable):
    list_display = ("number", "of_pair", "of_answer", "in_digits")
    list_select_related = ("judgment__item",)
    list_filter = ("judgment__project",)
    search_fields = ("judgment__item__public_id",)
    search_help_text = "The public id of a pair"
    fields = ("number", "of_answer", "in_digits")
    readonly_fields = ("of_answer", "in_digits")
    of_pair = column("judgment.item", "pair", show=link)
    of_answer = column("judgment", "answer", show=link)

    @admin.display(description="digest")
    def in_digits(self, seal: Seal) -> str:
        return bytes(seal.digest).hex()


@admin.register(Intervention)
class InterventionAdmin(ReadOnly, LargeTable):
    """Interventions are made on an annotator's page or in the membership table."""

    list_display = ("of_member", "kind", "by", "why", "created_at")
    list_select_related = ("membership__user", "membership__project", "by")
    list_filter = ("membership__project", "kind", ("by", admin.EmptyFieldListFilter))
    search_fields = ("membership__user__username", "by__username", "reason")
    search_help_text = "A person, or words of the reason"
    of_member = column("membership", "annotator", show=link)
    why = column("reason", "reason", show=excerpt)


@admin.register(AnnotatorQuestion)
class AnnotatorQuestionAdmin(ReadOnly, ModelAdmin):
    """Questions about annotators, with totals; no page shows single replies."""

    list_display = ("title", "project", "text", "retired_at")
    list_select_related = ("project",)
    list_filter = ("project", ("retired_at", admin.EmptyFieldListFilter))
    list_per_page = 50
    search_fields = ("public_id", "title", "text")
    fields = ("project", "number", "title", "text", "choices", "totals", "created_at", "retired_at")
    readonly_fields = ("totals",)

    @admin.display(description="answers")
    def totals(self, question: AnnotatorQuestion) -> str:
        """List the choices that enough people made, with their numbers."""
        totals = questions.totals_of(question)
        choices = {None: "would rather not say"} | dict(enumerate(question.choices))
        numbers = [f"{choices[place]}: {n}" for place, n in totals.numbers.items()]
        return "; ".join([*numbers, "others: not shown, too few people"])


@admin.register(Recruitment)
class RecruitmentAdmin(ReadOnly, ModelAdmin):
    """Links by which platforms send participants, without their addresses."""

    list_display = ("number", "project", "platform", "note", "most_people", "expires_at")
    list_select_related = ("project",)
    list_filter = ("project", "platform", ("revoked_at", admin.EmptyFieldListFilter), "expires_at")
    list_per_page = 50
    search_fields = ("public_id", "note", "created_by__username", "project__name")
    fields = (
        *("project", "platform", "kinds", "note", "most_people", "expires_at", "revoked_at"),
        *("completion_code", "completion_url", "screen_out_code", "screen_out_url"),
        *("least_answers", "nothing_left_code", "nothing_left_url", "same_browser"),
        *("reward", "currency", "created_by", "created_at", "public_id"),
    )
    number = column("pk", "recruiting link", show="#{}".format, ordering="pk")
