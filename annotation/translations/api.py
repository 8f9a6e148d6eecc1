"""REST endpoints of translation studies: figures, and delivery."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.scopes import Scope, requester
from annotation.access.api import OfManaged
from annotation.models import Project, TranslationPlan
from annotation.people.selectors import names
from annotation.translations.selectors import figures, readiness
from annotation.translations.services import delivery
from common.api.errors import CLOSED, Conflict, RefusalResponse

AMOUNT = {"sentences": 120, "words": 2640}
RATE = {"validated": 30, "errors": 21, "words": 640, "rate": 0.033, "interval": [0.021, 0.047]}
EXAMPLE = {
    "project": "5e8f1c6a-2d2c-4f52-9a0a-64b7a5d8c911",
    "source_language": "en",
    "language": "de",
    "all": AMOUNT,
    "done": AMOUNT,
    "validating": {"sentences": 0, "words": 0},
    "waiting": {"sentences": 0, "words": 0},
    "untranslatable": {"sentences": 0, "words": 0},
    "most_error": 0.05,
    "word_error_rate": RATE,
    "translators": [
        {
            "translator": "annotator-3f2a9c07d1e4",
            "translated": AMOUNT,
            "given_up": 2,
            "accepted": 24,
            "fixed": 6,
            "rejected": 0,
            "word_error_rate": RATE,
        }
    ],
    "missing": [],
    "delivered_at": None,
    "corpus": None,
}


class SentencesAndWords(serializers.Serializer[Any]):
    """A number of sentences and of the words of their sources."""

    sentences = serializers.IntegerField()
    words = serializers.IntegerField()


class WordErrorRate(serializers.Serializer[Any]):
    """Errors of validated translations, in words of the validators' texts."""

    validated = serializers.IntegerField(source="sentences", help_text="Validated translations")
    errors = serializers.IntegerField()  # type: ignore[assignment]
    words = serializers.IntegerField()
    rate = serializers.FloatField(source="value", allow_null=True)
    interval = serializers.ListField(
        child=serializers.FloatField(), allow_null=True, help_text="At 95 %, by bootstrap"
    )


class TranslatorRow(serializers.Serializer[Any]):
    """One person's translations."""

    translator = serializers.SerializerMethodField(help_text="Pseudonym in the project")
    translated = SentencesAndWords()
    given_up = serializers.IntegerField(source="given_up.sentences")
    accepted = serializers.IntegerField(source="looked.accepted")
    fixed = serializers.IntegerField(source="looked.fixed")
    rejected = serializers.IntegerField(source="looked.rejected")
    word_error_rate = WordErrorRate(source="rate")

    def get_translator(self, person: figures.Translator) -> str:
        return names.pseudonym(self.context["project"], person.user)


@extend_schema_serializer(examples=[OpenApiExample("A translation study", EXAMPLE)])
class TranslationStudy(serializers.Serializer[Any]):
    """The figures of a translation study."""

    project = serializers.UUIDField(source="plan.project.public_id")
    source_language = serializers.CharField(source="plan.source_language", help_text="BCP 47 tag")
    language = serializers.CharField(source="plan.language", help_text="BCP 47 tag")
    all = SentencesAndWords(source="progress.all")
    done = SentencesAndWords(source="progress.done")
    validating = SentencesAndWords(source="progress.validating")
    waiting = SentencesAndWords(source="progress.waiting")
    untranslatable = SentencesAndWords(source="progress.untranslatable")
    most_error = serializers.FloatField(source="plan.most_error", help_text="To stay below")
    word_error_rate = WordErrorRate(source="overall")
    translators = TranslatorRow(many=True)
    missing = serializers.SerializerMethodField(help_text="What delivery still lacks")
    delivered_at = serializers.DateTimeField(source="plan.delivered_at", allow_null=True)
    corpus = serializers.CharField(
        source="plan.corpus.name", allow_null=True, default=None, help_text="Of final translations"
    )

    def get_missing(self, study_figures: figures.Figures) -> list[str]:
        return readiness.obstacles(
            study_figures, lambda key: names.pseudonym(self.context["project"], key)
        )


class DeliveryDone(OfManaged):
    """Delivers the translations of a study that you manage."""

    tag = "Projects"
    scope = Scope.MANAGE

    @extend_schema(
        operation_id="projects_translations_deliver",
        request=None,
        responses={200: TranslationStudy, **CLOSED, 409: RefusalResponse},
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Store the final translations as a corpus, once; nothing about them changes afterwards.

        Refused with 409 and everything that is missing. Doing it again changes nothing.
        """
        if not TranslationPlan.objects.filter(project=self.project).exists():
            raise Http404
        project = self.project

        def name_of(user: int) -> str:
            return names.pseudonym(project, user)

        try:
            delivery.deliver(project, by=requester(request), name_of=name_of)
        except delivery.NotReady as error:
            raise Conflict(str(error)) from error
        return Response(describe(project))


def describe(project: Project) -> dict[str, Any]:
    """Return the figures of a translation study as REST shows them."""
    study_figures = figures.of_study(figures.read(project))
    study_figures.plan.project = project
    return dict(TranslationStudy(study_figures, context={"project": project}).data)
