"""REST lists of judgments and corrections, one row per answer."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from accounts.scopes import Scope
from annotation.access.api import ByAnnotator, OfProject, PseudonymField
from annotation.models import Correction, Judgment, SentencePair
from annotation.pairs.selectors import long_tables
from annotation.pairs.selectors.pairs import is_made_by
from annotation.projects.label_fields import ByLabel, LabelField
from annotation.work.correct import final_text
from common import bulk
from common.api.endpoints import ListEndpoint
from common.api.filters import Choice, Filters, Moment, YesNo
from common.api.flat import FlatRows, Present, columns
from common.api.paging import Pages
from generation.api.filters import ByModel, ByRun
from generation.models import Method

MOST = 2**15 - 1  # largest value of the columns
# Most pairs have five answers. If few answers match a filter, more pairs are read at a time.
PAIR_SLOTS, MOST_PAIRS = 5, 5_000
JUDGMENT = {
    "pair": "5b0e3a52-8b57-4a6f-9d0c-0d5f8f0c7a31",
    "slot": 1,
    "round": 1,
    "annotator": "annotator-3f2a9c07d1e4",
    "label": 0,
    "seconds": 6.4,
    "submitted_at": "2026-11-03T10:12:45.120000Z",
    "highlighted": True,
    "reason": "Who married whom is the other way round.",
    "words": [[1, 0, 7], [2, 16, 23]],
    "excluded": False,
    "superseded": False,
    "simulated": False,
}


@extend_schema_serializer(examples=[OpenApiExample("A judgment", JUDGMENT)])
class JudgmentRow(serializers.Serializer[Any]):
    """One person's answer on one pair. It counts unless it is excluded or superseded."""

    pair = serializers.UUIDField(source="item__public_id")
    slot = serializers.IntegerField(
        source="number", help_text="Which of the pair's answers, from 1"
    )
    round = serializers.IntegerField(help_text="1: first round; 2 and higher: judged again")
    annotator = PseudonymField(help_text="The same throughout the project")
    label = LabelField(help_text="The value of a label")  # type: ignore[assignment]
    seconds = serializers.FloatField(
        allow_null=True, help_text="Time on the pair: measured by its page, at most since the claim"
    )
    submitted_at = serializers.DateTimeField(allow_null=True)
    highlighted = serializers.BooleanField(
        allow_null=True, help_text="Whether differences were highlighted"
    )
    reason = serializers.CharField(
        help_text="Why the label was chosen; empty if no one asked, or a manager hid it"
    )
    words = serializers.ListField(
        source="marked",
        child=serializers.ListField(child=serializers.IntegerField(), min_length=3, max_length=3),
        allow_null=True,
        help_text="The words that decide it: sentence (1 or 2), start and end, in code points",
    )
    excluded = serializers.BooleanField(
        source="out",
        help_text="Excluded: all of its author's answers, or the pair",
    )
    superseded = Present(
        source="superseded_by",
        help_text="The pair was judged again by other people, whose answers count instead",
    )
    simulated = serializers.BooleanField(
        source="annotator__is_simulated", help_text="The answer was made by a program"
    )

    class Meta:
        list_serializer_class = FlatRows


class ByMethod(Choice):
    """Pairs that a method made, first or again; `path` leads to the pair."""

    def __init__(self, path: str = "") -> None:
        text = "Also pairs that the method made again"
        super().__init__(path, choices=Method.choices, help_text=text)

    def filter(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        if not value:
            return rows
        project = self.parent.request.parser_context["view"].project
        return rows.filter(is_made_by(value, project, path=str(self.field_name)))


class JudgmentFilter(Filters):
    """Filters of the list."""

    annotator = ByAnnotator()
    run = ByRun("item__candidate__run__public_id")
    model = ByModel("item__candidate__run")
    label = ByLabel("label")
    method = ByMethod("item__")
    excluded = YesNo("out")
    superseded = YesNo("superseded_by", "isnull", exclude=True)
    simulated = YesNo("annotator__is_simulated")
    submitted_from = Moment("submitted_at", "gte", help_text="At this moment or later")
    submitted_before = Moment("submitted_at", "lt")


class BySlot(Pages):
    """Ordered by pair, then slot; `after` combines both, such as `5b0e...31.1`."""

    order = ("place", "number")
    key = {
        "item__public_id": serializers.UUIDField(),
        "number": serializers.IntegerField(min_value=1, max_value=MOST),
    }
    key_schema = {"type": "string", "pattern": r"^[0-9a-f-]{36}\.[0-9]{1,5}$"}

    def _order_values(self, view: Any, after: dict[str, Any] | None) -> tuple[Any, ...] | None:
        """Look up the pair, then its answer by its key; `_page` says why."""
        if after is not None:
            pairs = SentencePair.objects.filter(project=view.project)
            keys = list(pairs.filter(public_id=after["item__public_id"]).values_list("pk")[:1])
            after = {"item__in": [key for (key,) in keys], "number": after["number"]}
        return super()._order_values(view, after)

    def _page(
        self, queryset: Any, view: Any, limit: int, after: dict[str, Any] | None
    ) -> tuple[list[Any], bool]:
        """Read the answers of some pairs at a time, by the keys of the pairs.

        With statistics from before the answers, Postgres would read and sort all remaining answers
        for each page.
        """
        place = self._order_values(view, after)
        pairs = SentencePair.objects.filter(project=view.project, gold_label=None).order_by("pk")
        first, size, rows = place[0] if place else 0, limit // PAIR_SLOTS + 1, list[Any]()
        while len(rows) <= limit:
            keys = list(pairs.filter(pk__gte=first).values_list("pk", flat=True)[:size])
            # Keys for both tables, so that a join reads neither of them as a whole.
            answers = queryset.filter(bulk.among("item", keys), bulk.among("place", keys))
            answers = answers.order_by(*self.order)
            if place and first == place[0]:
                answers = self.beyond(answers, place)
            rows += answers[: limit + 1 - len(rows)]
            if len(keys) < size:
                break
            first, size = keys[-1] + 1, min(2 * size, MOST_PAIRS)
        return rows[:limit], len(rows) > limit


class JudgmentList(OfProject, ListEndpoint):
    """All judgments on the pairs of a project, in the order of pair and slot.

    Includes answers that do not count; `excluded=false&superseded=false` leaves them out.
    """

    tag = "Pairs and answers"
    scope = Scope.READ
    serializer_class = JudgmentRow
    filterset_class = JudgmentFilter
    pagination_class = BySlot
    queryset = Judgment.objects.none()

    def get_queryset(self) -> QuerySet[Any]:
        return long_tables.judgments(self.project)


CORRECTION = {
    "id": "f3a1b6f8-3a0e-4f83-bb0b-1a0a6d3cf1c2",
    "candidate": "2c1f0d0e-6a3b-4f0e-9b52-1f8f3f6a7b10",
    "pair": "5b0e3a52-8b57-4a6f-9d0c-0d5f8f0c7a31",
    "method": "word_swap",
    "source": "The boats sail from Bristol to Cork.",
    "text": "The boats sails from Cork to Bristol.",
    "action": "fix",
    "final_text": "The boats sail from Cork to Bristol.",
    "words_kept": 0.857,
    "annotator": "annotator-3f2a9c07d1e4",
    "simulated": False,
    "seconds": 11.8,
    "submitted_at": "2026-11-03T09:40:12.500000Z",
}


@extend_schema_serializer(examples=[OpenApiExample("A correction", CORRECTION)])
class CorrectionRow(serializers.Serializer[Any]):
    """One person's correction of one candidate."""

    id = serializers.UUIDField(source="item__public_id")
    candidate = serializers.UUIDField(source="item__candidate__public_id")
    pair = serializers.UUIDField(
        allow_null=True,
        help_text="The resulting pair; null for a rejection",
    )
    method = serializers.ChoiceField(choices=Method.choices, source="item__candidate__run__method")
    source = serializers.CharField(  # type: ignore[assignment]
        source="item__candidate__sentence__text", help_text="The sentence that was rewritten"
    )
    text = serializers.CharField(source="item__candidate__text", help_text="Its rewrite")
    action = serializers.ChoiceField(choices=Correction.Action.choices)
    final_text = serializers.SerializerMethodField(
        help_text="The text that is judged: the rewrite, or its fix; null for a rejection"
    )
    words_kept = serializers.FloatField(
        allow_null=True, help_text="Share of the rewrite's words that a fix kept; null otherwise"
    )
    annotator = PseudonymField(help_text="The same throughout the project")
    simulated = serializers.BooleanField(
        source="annotator__is_simulated", help_text="The answer was made by a program"
    )
    seconds = serializers.FloatField(
        allow_null=True,
        help_text="Time on the candidate: measured by its page, at most since the claim",
    )
    submitted_at = serializers.DateTimeField(allow_null=True)

    class Meta:
        list_serializer_class = FlatRows

    def get_final_text(self, row: Any) -> str | None:
        return final_text(row.action, row.text, row.item__candidate__text)


class CorrectionFilter(Filters):
    """Filters of the list."""

    annotator = ByAnnotator()
    run = ByRun("item__candidate__run__public_id")
    model = ByModel("item__candidate__run")
    action = Choice("action", choices=Correction.Action.choices)
    method = Choice("item__candidate__run__method", choices=Method.choices)
    simulated = YesNo("annotator__is_simulated")
    submitted_from = Moment("submitted_at", "gte", help_text="At this moment or later")
    submitted_before = Moment("submitted_at", "lt")


class ByCandidate(Pages):
    """Pages ordered by candidate, oldest first."""

    order = ("item_id",)
    key = {"item__public_id": serializers.UUIDField()}


class CorrectionList(OfProject, ListEndpoint):
    """All corrections of a project, with candidate, action and final text."""

    tag = "Pairs and answers"
    scope = Scope.READ
    serializer_class = CorrectionRow
    filterset_class = CorrectionFilter
    pagination_class = ByCandidate
    queryset = Correction.objects.none()

    def get_queryset(self) -> QuerySet[Any]:
        rows = long_tables.corrections(self.project)
        return rows.values_list(*columns(CorrectionRow()), "text", named=True)
