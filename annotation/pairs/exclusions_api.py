"""REST endpoint that takes pairs out of a study, and includes them again."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    extend_schema,
    extend_schema_serializer,
)
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.scopes import Scope, requester
from annotation.access.api import OfManaged
from annotation.errors import Refused
from annotation.models import PairExclusion, SentencePair
from annotation.pairs.services import pair_exclusions
from common import bulk
from common.api.endpoints import Endpoint, Sent, TakesRows, sent_values
from common.api.errors import CLOSED

MOST_PAIRS = 5_000
EXCLUDE, INCLUDE = STEPS = ("exclude", "include")
STEP = OpenApiParameter("step", OpenApiTypes.STR, OpenApiParameter.PATH, enum=STEPS)
PAIR = "5b0e3a52-8b57-4a6f-9d0c-0d5f8f0c7a31"
REQUEST = {"pairs": [PAIR], "reason": "offensive", "note": "An insult."}


@extend_schema_serializer(examples=[OpenApiExample("To exclude", REQUEST)])
class PairsChosen(Sent, serializers.ModelSerializer[PairExclusion]):
    """Pairs, and why they are excluded; to include them, `pairs` alone."""

    pairs = serializers.ListField(
        child=serializers.UUIDField(), min_length=1, max_length=MOST_PAIRS, help_text="Their ids"
    )
    reason = serializers.ChoiceField(choices=PairExclusion.Reason.choices, required=False)

    class Meta:
        model = PairExclusion
        fields = ["pairs", "reason", "note"]


class PairsChanged(serializers.Serializer[Any]):
    """How many of the pairs were changed; the others were as asked before."""

    changed = serializers.IntegerField()
    unchanged = serializers.IntegerField()


class PairExclusions(TakesRows, OfManaged, Endpoint):
    """Excludes pairs of a project that you manage, and includes them again."""

    tag = "Pairs and answers"
    scope = Scope.MANAGE

    @extend_schema(
        operation_id="pairs_steer",
        parameters=[STEP],
        request=PairsChosen,
        responses={200: PairsChanged, **CLOSED},
    )
    def post(self, request: Request, public_id: str, step: str) -> Response:
        """Exclude pairs from work, figures and later releases, or include them again; all or none.

        Pairs that are excluded already keep their reason.
        """
        values, by = sent_values(PairsChosen, request), requester(request)
        pairs = self._pairs(values.pop("pairs"))
        changed = [pair for pair in pairs if (pair.excluded_by_id is None) == (step == EXCLUDE)]
        try:
            if step == INCLUDE:
                pair_exclusions.include_all(changed, by=by)
            else:
                pair_exclusions.exclude_all(changed, by=by, **{"reason": "", **values})
        except Refused as refused:
            raise ValidationError(str(refused), code="invalid") from refused
        counts = {"changed": len(changed), "unchanged": len(pairs) - len(changed)}
        return Response(PairsChanged(counts).data)

    def _pairs(self, public_ids: list[Any]) -> list[SentencePair]:
        """Return pairs of the project. Raises ValidationError that names the first unknown one."""
        are_named = bulk.among("public_id", {*public_ids})
        pairs = list(SentencePair.objects.filter(are_named, project=self.project, gold_label=None))
        ids_of_project = {pair.public_id for pair in pairs}
        for place, public_id in enumerate(public_ids):
            if public_id not in ids_of_project:
                reason = f"The project has no pair {public_id}. See GET projects/ID/pairs/."
                raise ValidationError({f"pairs.{place}": reason}, code="does_not_exist")
        return pairs
