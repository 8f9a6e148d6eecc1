"""REST endpoint that compares generators."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.scopes import Scope
from annotation.access.api import OfProject
from annotation.agreement.api import Estimated
from annotation.models import Project
from annotation.runs.selectors import comparison
from annotation.runs.selectors.comparison import Comparison
from generation.models import Method

FIGURES = {
    "candidates": 50000,
    "corrected": 50000,
    "fixed": {"value": 0.3, "interval": [0.296, 0.304]},
    "rejected": {"value": 0.054, "interval": [0.052, 0.056]},
    "pairs": 47288,
    "judged": 47288,
    "paraphrase": {"value": 0.095, "interval": [0.092, 0.098]},
    "agreement": {"value": 0.921, "interval": [0.919, 0.923]},
    "kept": {"value": 0.928, "interval": [0.926, 0.93]},
    "kept_pairs": 43900,
    "answers_per_kept": 6.5,
}
PARTS = {
    "method": "word_swap",
    "preset": "default",
    "changed": "per_sentence=3",
    "models": "en_core_web_sm + gpt2",
    "kind": "noun",
    "corpus": "rivers",
    "run": "6a1d7c52-9f0e-4d53-8f38-6f5b9b8a2e11",
}


def _example(*parts: str) -> list[dict[str, Any]]:
    return [{"figures": FIGURES} | {name: PARTS[name] for name in ("method", *parts)}]


EXAMPLE = {
    "total": FIGURES,
    "methods": _example(),
    "presets": _example("preset", "changed"),
    "models": _example("models"),
    "kinds": _example("kind"),
    "runs": _example("preset", "changed", "models", "corpus", "run"),
}
CHANGED = "The one setting that differs from the preset, or empty"
NO_PRESET = "Empty: own settings; imported: candidates made elsewhere"


class GeneratorYield(serializers.Serializer[Any]):
    """Results of candidates; undefined values are null."""

    candidates = serializers.IntegerField(help_text="Candidates added to the project")
    corrected = serializers.IntegerField(help_text="Corrections that are done")
    fixed = Estimated(help_text="Share of corrections that changed the text")
    rejected = Estimated(help_text="Share of corrections that rejected the candidate")
    pairs = serializers.IntegerField(help_text="Pairs to be judged, or judged")
    judged = serializers.IntegerField(help_text="Pairs with all their answers")
    paraphrase = Estimated(help_text="Share of judged pairs whose majority is paraphrase")
    agreement = Estimated(help_text="Share of labels that equal the majority of their pair")
    kept = Estimated(help_text="Share of judged pairs on which enough annotators agree")
    kept_pairs = serializers.IntegerField()
    answers_per_kept = serializers.FloatField(
        allow_null=True, help_text="Corrections and judgments for each kept pair"
    )


class MethodYield(serializers.Serializer[Any]):
    """Figures of a method."""

    method = serializers.ChoiceField(choices=Method.choices, source="generator.method")
    figures = GeneratorYield()


class PresetYield(MethodYield):
    """Figures of a preset of a method."""

    preset = serializers.CharField(source="generator.preset", help_text=NO_PRESET)
    changed = serializers.CharField(source="generator.changed", help_text=CHANGED)


class ModelsYield(MethodYield):
    """Figures of the models that a method used."""

    models = serializers.CharField(source="generator.models", help_text="Their names")


class KindYield(MethodYield):
    """Figures of a kind of change by a method."""

    kind = serializers.CharField(
        source="generator.kind", help_text="Empty where the method names none"
    )


class RunYield(PresetYield, ModelsYield):
    """Figures of a run."""

    run = serializers.UUIDField(source="generator.run")
    corpus = serializers.CharField(source="generator.corpus", help_text="Its name")


@extend_schema_serializer(examples=[OpenApiExample("A comparison", EXAMPLE)])
class GeneratorComparison(serializers.Serializer[Comparison]):
    """Results of candidates, grouped in five ways.

    A pair from several generators counts for each of them, and once in the total.
    """

    total = GeneratorYield()
    methods = MethodYield(many=True, source="lines.method")
    presets = PresetYield(many=True, source="lines.preset")
    models = ModelsYield(many=True, source="lines.models")
    kinds = KindYield(many=True, source="lines.kind")
    runs = RunYield(many=True, source="lines.run")


class GeneratorDetail(OfProject):
    """Generators compared."""

    tag = "Projects"
    scope = Scope.READ
    queryset = Project.objects.none()

    @extend_schema(operation_id="projects_generators", responses=GeneratorComparison)
    def get(self, request: Request, public_id: str) -> Response:
        """Return what became of candidates by method, preset, models, kind of change and run."""
        return Response(GeneratorComparison(comparison.of_project(self.project)).data)
