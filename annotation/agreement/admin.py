"""Read-only admin pages for consensus, reopenings, adjudications and seals."""

from django.contrib import admin

from annotation.models import Adjudication, Consensus, Reopening, Seal
from common.admin import LargeTable, ReadOnly, link


@admin.register(Consensus)
class ConsensusAdmin(ReadOnly, LargeTable):
    list_display = ("of_pair", "label", "kept", "tally", "decided_at")
    list_select_related = ("pair__project",)
    list_filter = ("pair__project", "kept")
    search_fields = ("pair__public_id",)
    search_help_text = "The public id of a pair"

    @admin.display(description="pair")
    def of_pair(self, consensus: Consensus) -> str:
        return link(consensus.pair)


@admin.register(Reopening)
class ReopeningAdmin(ReadOnly, LargeTable):
    list_display = ("of_pair", "number", "label", "tally", "by", "created_at")
    list_select_related = ("pair__project", "by")
    list_filter = ("pair__project",)
    search_fields = ("pair__public_id", "by__username")
    search_help_text = "The public id of a pair, or a person"

    @admin.display(description="pair")
    def of_pair(self, reopening: Reopening) -> str:
        return link(reopening.pair)


@admin.register(Adjudication)
class AdjudicationAdmin(ReadOnly, LargeTable):
    list_display = ("of_pair", "label", "by", "note", "created_at")
    list_select_related = ("pair__project", "by")
    list_filter = ("pair__project", "label")
    search_fields = ("pair__public_id", "by__username", "note")
    search_help_text = "The public id of a pair, a person, or words of a note"

    @admin.display(description="pair")
    def of_pair(self, adjudication: Adjudication) -> str:
        return link(adjudication.pair)


@admin.register(Seal)
class SealAdmin(ReadOnly, LargeTable):
    list_display = ("number", "of_pair", "of_answer", "in_digits")
    list_select_related = ("judgment__item",)
    list_filter = ("judgment__project",)
    search_fields = ("judgment__item__public_id",)
    search_help_text = "The public id of a pair"
    fields = ("number", "of_answer", "in_digits")
    readonly_fields = ("of_answer", "in_digits")

    @admin.display(description="pair")
    def of_pair(self, seal: Seal) -> str:
        return link(seal.judgment.item)

    @admin.display(description="answer")
    def of_answer(self, seal: Seal) -> str:
        return link(seal.judgment)

    @admin.display(description="digest")
    def in_digits(self, seal: Seal) -> str:
        return bytes(seal.digest).hex()
