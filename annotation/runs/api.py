"""REST endpoints that list, start and compare the runs of projects."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from accounts.scopes import Scope, requester
from annotation.access import readers
from annotation.access.api import OfProject, managed_project
from annotation.agreement.api import Estimated
from annotation.errors import Refused
from annotation.runs import services
from annotation.runs.selectors import comparison
from annotation.runs.selectors.comparison import Comparison
from common.api.endpoints import CheckedJSONParser, sent_values
from common.api.errors import CLOSED
from common.bounded_json import MAX_INTEGER
from generation import methods, tasks
from generation.api.runs import WHOLE as RUN
from generation.api.runs import RunList, RunWhole
from generation.api.usage import Limits
from generation.errors import BadSettings, GenerationError
from generation.models import Corpus, Method

MOST_CORPORA = 50
REQUEST = {
    "project": "0b0e7d0c-3f0b-4a9c-9c55-0f8a4d1f2e61",
    "corpora": ["rivers", "towns"],
    "method": "word_swap",
    "preset": "more",
    "settings": {"beam": 50},
    "seed": 7,
    "preview": True,
}
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
    "usage": None,
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
CHANGED = (
    "The one setting that differs from the preset; `recalibrated` where corrections correct the "
    "estimate; or empty"
)
NO_PRESET = "Empty: own settings; imported: candidates made elsewhere"


class GeneratorUsage(serializers.Serializer[Any]):
    """What the runs of a generator used of models on other servers."""

    tokens_in = serializers.IntegerField()
    tokens_out = serializers.IntegerField()
    tokens_per_kept = serializers.FloatField(
        allow_null=True, help_text="Tokens, sent and received, for each kept pair"
    )
    cost = serializers.FloatField(
        allow_null=True,
        help_text="In the currency; null without prices, or with prices in several currencies",
    )
    currency = serializers.CharField(help_text="Empty where `cost` is null")
    cost_per_kept = serializers.FloatField(allow_null=True)


class GeneratorYield(serializers.Serializer[Any]):
    """Results of candidates; undefined values are null."""

    candidates = serializers.IntegerField(help_text="Candidates added to the project")
    corrected = serializers.IntegerField(help_text="Corrections that are done")
    fixed = Estimated(help_text="Share of corrections that changed the text")
    rejected = Estimated(help_text="Share of corrections that rejected the candidate")
    pairs = serializers.IntegerField(help_text="Pairs to be judged, or judged")
    judged = serializers.IntegerField(help_text="Pairs with all their answers")
    paraphrase = Estimated(
        help_text="Of two sides: share of judged pairs whose majority is the upper one"
    )
    agreement = Estimated(help_text="Share of labels that equal the majority of their pair")
    kept = Estimated(help_text="Share of judged pairs on which enough annotators agree")
    kept_pairs = serializers.IntegerField()
    answers_per_kept = serializers.FloatField(
        allow_null=True, help_text="Corrections and judgments for each kept pair"
    )
    usage = GeneratorUsage(
        allow_null=True, help_text="Null if no model on another server was asked, and for kinds"
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

    @extend_schema(operation_id="projects_generators", responses=GeneratorComparison)
    def get(self, request: Request, public_id: str) -> Response:
        """Return what became of candidates by method, preset, models, kind of change and run."""
        return Response(GeneratorComparison(comparison.of_project(self.project)).data)


class Runs(RunList):
    """The runs of the projects that you manage or research, oldest first."""

    @extend_schema_serializer(examples=[OpenApiExample("Two runs", REQUEST)])
    class RunStart(Limits):
        project = serializers.UUIDField(help_text="The id of a project that you manage")
        corpora = serializers.ListField(
            child=serializers.CharField(max_length=100, trim_whitespace=False),
            min_length=1,
            max_length=MOST_CORPORA,
            help_text="Names of corpora that you may use. A separate run rewrites each.",
        )
        method = serializers.ChoiceField(choices=Method.choices)
        preset = serializers.CharField(
            required=False,
            max_length=40,
            help_text="Named settings, such as more or paper. Default: those that New run shows "
            "first, of word swap balanced",
        )
        settings = serializers.DictField(
            default=dict, help_text="Settings that override the preset"
        )
        seed = serializers.IntegerField(min_value=0, max_value=MAX_INTEGER, default=0)
        rewrite = serializers.ChoiceField(
            choices=services.Rewrites.values,
            required=False,
            help_text="What back translation rewrites: both sentences of each word-swap pair of "
            "the project, or the imported sentences. Default: pairs, if there are any",
        )
        preview = serializers.BooleanField(
            default=False, help_text="Rewrite the first sentences and wait for approval"
        )

        def validate_corpora(self, corpora: list[str]) -> list[str]:
            """Refuse duplicates."""
            if len(set(corpora)) < len(corpora):
                raise ValidationError("A corpus is listed twice. Remove one.", code="repeated")
            return corpora

        def validate_method(self, name: str) -> str:
            """Accept only methods that run here."""
            if name not in methods.METHODS:
                raise ValidationError(
                    f"Unknown method. Choose one of: {', '.join(methods.METHODS)}.", code="unknown"
                )
            return name

        def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
            attrs = super().validate(attrs)
            method, preset = methods.named(attrs["method"]), attrs.pop("preset", "")
            try:
                return attrs | {"settings": method.with_preset(preset, attrs["settings"])}
            except BadSettings as error:
                raise ValidationError({"preset": str(error)}, code="unknown") from error

    @extend_schema_serializer(examples=[OpenApiExample("One run", {"runs": [RUN]})])
    class RunsStarted(serializers.Serializer[dict[str, Any]]):
        runs = RunWhole(many=True)

    parser_classes = [CheckedJSONParser]
    readable = staticmethod(readers.runs)

    @extend_schema(
        operation_id="runs_start",
        request=RunStart,
        responses={201: RunsStarted, **CLOSED},
    )
    def post(self, request: Request) -> Response:
        """Start a run over each corpus, for a project that you manage: all runs, or none."""
        values = sent_values(self.RunStart, request)
        project = managed_project(requester(request), values.pop("project"))
        corpora = _readable_corpora(requester(request), values.pop("corpora"))
        try:
            runs = services.start(project, corpora, **values, started_by=requester(request))
        except Refused as refused:
            raise PermissionDenied(str(refused)) from refused
        except GenerationError as error:
            field = "settings" if isinstance(error, BadSettings) else "non_field_errors"
            raise ValidationError({field: str(error)}, code="invalid") from error
        for run in runs:
            tasks.wake(run.pk)
        return Response(self.RunsStarted({"runs": runs}).data, status.HTTP_201_CREATED)


def _readable_corpora(user: User, names: list[str]) -> list[Corpus]:
    """Return corpora that the user may use. Unknown and hidden ones are refused alike."""
    rows = readers.usable_corpora(user).filter(name__in=names)
    corpora_by_name = {corpus.name: corpus for corpus in rows}
    reason = "There is no such corpus among those that you may use."
    missing: Any = {
        number: [reason] for number, name in enumerate(names) if name not in corpora_by_name
    }
    if missing:
        raise ValidationError({"corpora": missing}, code="does_not_exist")
    return [corpora_by_name[name] for name in names]
