"""What annotators accepted as it is, next to the estimate, over REST."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.scopes import Scope
from annotation.access.api import OfProject
from annotation.agreement.api import Estimated
from annotation.runs.selectors import accepted
from generation.nlp.recalibration import FEWEST

FIGURES = {
    "corrections": 41,
    "accepted": {"value": 0.488, "interval": [0.343, 0.635]},
    "estimate": 0.732,
}
EXAMPLE = {
    "corrections": 141,
    "accepted": {"value": 0.709, "interval": [0.63, 0.778]},
    "estimate": 0.794,
    "kinds": [{"kind": "adjective", "is_worse": True} | FIGURES],
    "settings": {"estimate_slope": 0.912, "estimate_shift": -0.411},
}


class AcceptedFigures(serializers.Serializer[Any]):
    """Corrected candidates of word swap that have an estimate."""

    corrections = serializers.IntegerField(help_text="Without those of excluded people")
    accepted = Estimated(source="share", help_text="Share that was accepted as it is")
    estimate = serializers.FloatField(allow_null=True, help_text="Mean of the estimates")


class AcceptedOfKind(AcceptedFigures):
    """The same of one kind of change."""

    kind = serializers.CharField()
    is_worse = serializers.BooleanField(
        help_text="Whether its whole interval lies below that of all other kinds together"
    )


class Correction(serializers.Serializer[Any]):
    """Settings of word swap that correct the estimate."""

    estimate_slope = serializers.FloatField()
    estimate_shift = serializers.FloatField()


@extend_schema_serializer(examples=[OpenApiExample("Accepted candidates", EXAMPLE)])
class Acceptance(AcceptedFigures):
    """Corrected candidates of word swap, by kind of change, and what corrects their estimate."""

    kinds = AcceptedOfKind(many=True)
    settings = Correction(
        allow_null=True, help_text=f"For a new run; null below {FEWEST} corrections"
    )


class AcceptanceDetail(OfProject):
    """Accepted candidates next to their estimate."""

    tag = "Projects"
    scope = Scope.READ

    @extend_schema(operation_id="projects_acceptance", responses=Acceptance)
    def get(self, request: Request, public_id: str) -> Response:
        """Return how many candidates of word swap were accepted as they are, by kind of change."""
        figures = accepted.of_project(self.project)
        kinds = [
            AcceptedFigures(corrected).data | {"kind": kind, "is_worse": kind in figures.worse}
            for kind, corrected in figures.kinds.items()
        ]
        whole = {"kinds": kinds, "settings": figures.settings or None}
        return Response(AcceptedFigures(figures.total).data | whole)
