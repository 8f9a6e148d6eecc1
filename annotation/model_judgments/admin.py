"""Read-only admin pages for models and their judgments."""

from django.contrib import admin

from annotation.models import JudgingModel, ModelJudgment
from common.admin import LargeTable, ReadOnly, link


@admin.register(JudgingModel)
class ModelJudgeAdmin(ReadOnly, LargeTable):
    list_display = ("name", "revision", "project", "note", "added_by", "created_at")
    list_select_related = ("project", "added_by")
    list_filter = ("project",)
    search_fields = ("public_id", "name", "revision")
    search_help_text = "A public id, a name or a revision"


@admin.register(ModelJudgment)
class ModelJudgmentAdmin(ReadOnly, LargeTable):
    list_display = ("of_pair", "label", "score", "model")
    list_select_related = ("model", "pair")
    list_filter = ("model__project", "model")
    search_fields = ("pair__public_id", "model__name")
    search_help_text = "The public id of a pair, or the name of a model"

    @admin.display(description="pair")
    def of_pair(self, judgment: ModelJudgment) -> str:
        return link(judgment.pair)
