"""Pairs over REST, with what became of them. Annotators are met under pseudonyms."""

from typing import Any, cast

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Correction, Judgment, SentencePair
from annotation.selectors import pseudonyms, reading, tables
from annotation.selectors.dashboard import rows
from generation.api.reading import REFUSED, PageQuery, Reading, page, paged
from generation.models import Candidate, Method, Sentence

FILTERS = {
    "method": "candidate__run__method",
    "kept": "consensus__kept",
    "label": "consensus__label",
}


class PairText(serializers.ModelSerializer[Sentence]):
    """A sentence of a pair."""

    id = serializers.UUIDField(source="public_id")

    class Meta:
        model = Sentence
        fields = ["id", "text"]


class PairRow(serializers.ModelSerializer[SentencePair]):
    """What a table of pairs says of each."""

    id = serializers.UUIDField(source="public_id")
    sentence1 = PairText(help_text="The sentence that was rewritten")
    sentence2 = PairText(help_text="Its rewrite, as it was judged")
    method = serializers.ChoiceField(choices=Method.choices, source="candidate.run.method")
    slots = serializers.IntegerField(source="asked", help_text="Judgments that the pair receives")
    answers = serializers.IntegerField(help_text="Those of them that it has so far")
    decided = serializers.SerializerMethodField(help_text="The pair has all its judgments")
    label = serializers.IntegerField(  # type: ignore[assignment]
        source="consensus.label",
        allow_null=True,
        help_text="1 paraphrase, 0 not; null while undecided and where no side has a majority",
    )
    kept = serializers.BooleanField(
        source="consensus.kept",
        allow_null=True,
        help_text="Enough annotators agree; null while undecided",
    )
    votes = serializers.ListField(
        source="consensus.tally",
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="Number of judgments for each label, from 0 on; null while undecided",
    )

    class Meta:
        model = SentencePair
        fields = [
            "id",
            "sentence1",
            "sentence2",
            "method",
            "slots",
            "answers",
            "decided",
            "label",
            "kept",
            "votes",
        ]

    def get_decided(self, pair: SentencePair) -> bool:
        return hasattr(pair, "consensus")


class PairList(Reading):
    """The pairs of one project."""

    class PairQuery(PageQuery):
        method = serializers.ChoiceField(choices=Method.choices, required=False)
        decided = serializers.BooleanField(
            required=False, help_text="Whether the pair has all its judgments"
        )
        kept = serializers.BooleanField(required=False, help_text="Decided pairs only")
        label = serializers.IntegerField(  # type: ignore[assignment]
            min_value=0, max_value=1, required=False, help_text="Decided pairs only"
        )

    query_class = PairQuery

    @extend_schema(operation_id="pairs_list", parameters=[PairQuery], responses=paged(PairRow))
    def get(self, request: Request, public_id: str) -> Response:
        """The pairs of a project, oldest first: texts, method, and what its annotators decided."""
        project = get_object_or_404(reading.projects(request.user), public_id=public_id)
        pairs = rows.pairs(project)
        return page(self, self._chosen(tables.of_pairs(pairs)), PairRow, among=pairs)

    def _chosen(self, pairs: QuerySet[SentencePair]) -> QuerySet[SentencePair]:
        wanted = {
            column: self.asked[name] for name, column in FILTERS.items() if name in self.asked
        }
        if "decided" in self.asked:
            wanted["consensus__isnull"] = not self.asked["decided"]
        return pairs.filter(**wanted)


class PairDetail(Reading):
    """One pair with its history."""

    class PairWhole(PairRow):
        class PairCandidate(serializers.ModelSerializer[Candidate]):
            run = serializers.UUIDField(source="run.public_id")

            class Meta:
                model = Candidate
                fields = [
                    "run",
                    "text",
                    "kind",
                    "rank",
                    "score",
                    "source_score",
                    "similarity",
                    "inversion_rate",
                ]

        class PairCorrection(serializers.ModelSerializer[Correction]):
            action = serializers.ChoiceField(choices=Correction.Action.choices)
            annotator = serializers.SerializerMethodField()

            class Meta:
                model = Correction
                fields = ["action", "annotator", "seconds"]

            def get_annotator(self, correction: Correction) -> str:
                return _pseudonym(correction)

        class PairJudgment(serializers.ModelSerializer[Judgment]):
            annotator = serializers.SerializerMethodField()
            label = serializers.IntegerField(  # type: ignore[assignment]
                help_text="On the scale of the project, from 0 on"
            )
            held_out = serializers.SerializerMethodField(
                help_text="The answer counts neither for the label nor in a release"
            )
            simulated = serializers.BooleanField(
                source="annotator.is_simulated", help_text="The answer was made by a program"
            )

            class Meta:
                model = Judgment
                fields = ["annotator", "label", "seconds", "held_out", "simulated"]

            def get_annotator(self, judgment: Judgment) -> str:
                return _pseudonym(judgment)

            def get_held_out(self, judgment: Judgment) -> bool:
                return judgment.held_out_id is not None

        project = serializers.UUIDField(source="project.public_id")
        candidate = PairCandidate(help_text="The rewrite as its machine gave it")
        correction = PairCorrection(allow_null=True)
        judgments = serializers.SerializerMethodField()

        class Meta:
            model = SentencePair
            fields = [
                *PairRow.Meta.fields,
                "flipped",
                "project",
                "candidate",
                "correction",
                "judgments",
            ]

        @extend_schema_field(PairJudgment(many=True))
        def get_judgments(self, pair: SentencePair) -> list[dict[str, Any]]:
            given = pair.judgments.exclude(label=None).select_related("annotator", "project")
            return list(self.PairJudgment(given.order_by("slot"), many=True).data)

    @extend_schema(operation_id="pairs_read", responses={200: PairWhole, **REFUSED})
    def get(self, request: Request, public_id: str) -> Response:
        """A pair with the way that it came, and every judgment that it has."""
        pairs = tables.of_pairs(reading.pairs(request.user)).select_related("correction__project")
        return Response(self.PairWhole(get_object_or_404(pairs, public_id=public_id)).data)


def _pseudonym(answer: Correction | Judgment) -> str:
    return pseudonyms.within(answer.project, cast(int, answer.annotator_id))
