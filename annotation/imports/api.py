"""Data over REST: corpora that are created, sentences and pairs that are added, and the imports."""

from functools import partial
from typing import Any

from django.core.exceptions import ValidationError as Invalid
from django.core.validators import RegexValidator
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.audited_acts import Act
from accounts.scopes import Scope, requester
from annotation.access import readers
from annotation.access.api import NOT_A_MANAGER, OfProject, managed_project
from annotation.errors import Refused
from annotation.imports.rows_api import (
    MOST_ROWS,
    RowsAdded,
    Text,
    optional,
    recorded,
    store_rows,
    usable_corpus,
)
from annotation.imports.services import corpora
from annotation.models import Import
from annotation.pairs.api import PairList
from annotation.projects import additions
from annotation.runs import services as runs
from common.api.endpoints import CheckedJSONParser, ListEndpoint, TakesRows, sent_values
from common.api.errors import CLOSED, invalid
from common.languages import TAG
from generation import readers as lines
from generation.api.corpora import EXAMPLE, CorpusList, CorpusRow, SentenceList
from generation.models import Corpus
from generation.selectors import annotate_corpora
from generation.services.imported_pairs import import_candidates
from generation.services.sentences import Handling, import_sentences

LANGUAGE_TAG = RegexValidator(
    rf"^{TAG.pattern}$", _("Enter a language tag, such as en, de or pt-BR.")
)
NEW = {name: EXAMPLE[name] for name in ("name", "language", "licence", "description")}
NEW["project"] = "0b0e7d0c-3f0b-4a9c-9c55-0f8a4d1f2e61"
SENTENCES = {"sentences": [{"id": "12-3", "text": "It rained in May.", "group": "12"}]}
PAIR = {
    "sentence1": "It rained in May.",
    "sentence2": "In May it rained.",
    "sentence1_id": "12-3",
    "pair_id": "rivers-7",
    "method": "back_translation",
    "model": "opus-mt",
}
PAIRS = {"corpus": "rivers", "pairs": [PAIR]}
IMPORT = {
    "id": "5f0f3b86-6a0f-4a35-9a9e-1d7f4c1f0a55",
    "kind": "sentences",
    "state": "done",
    "name": "rivers.csv",
    "corpus": "rivers",
    "read": 500,
    "added": 498,
    "duplicates": 1,
    "refused": {"empty": 1},
    "failure": "",
    "created_at": "2026-11-02T08:00:00Z",
    "finished_at": "2026-11-02T08:00:02Z",
}


class Corpora(CorpusList):
    """The corpora that you own or that your projects have, by name."""

    @extend_schema_serializer(examples=[OpenApiExample("A corpus", NEW)])
    class NewCorpus(serializers.Serializer[Any]):
        project = serializers.UUIDField(help_text="The id of a project that you manage")
        name = serializers.CharField(max_length=100)
        language = serializers.CharField(max_length=35, default="en", validators=[LANGUAGE_TAG])
        licence = serializers.CharField(max_length=200, default="", allow_blank=True)
        description = serializers.CharField(max_length=2000, default="", allow_blank=True)

    parser_classes = [CheckedJSONParser]

    @extend_schema(
        operation_id="corpora_create",
        request=NewCorpus,
        responses={201: CorpusRow, 200: CorpusRow, **CLOSED},
    )
    def post(self, request: Request) -> Response:
        """Create a corpus of yours, and add it to a project that you manage.

        Returns 200 if the project has the same one already.
        """
        values, user = sent_values(self.NewCorpus, request), requester(request)
        project = managed_project(user, values.pop("project"))
        same = project.corpora.filter(**values, owner=user).first()
        try:
            corpus = same or corpora.create(**values, owner=user, project=project)
        except Refused as refused:
            raise PermissionDenied(str(refused)) from refused
        except Invalid as error:
            raise invalid(error) from error
        row = annotate_corpora(Corpus.objects.filter(pk=corpus.pk), readers.runs(user)).get()
        return Response(
            CorpusRow(row).data, status.HTTP_200_OK if same else status.HTTP_201_CREATED
        )


class Sentences(TakesRows, SentenceList):
    """The sentences imported into a corpus, in the order of their files."""

    @extend_schema_serializer(examples=[OpenApiExample("Sentences", SENTENCES)])
    class NewSentences(serializers.Serializer[Any]):
        class NewSentence(serializers.Serializer[Any]):
            text = Text(allow_blank=True)
            id = optional("Your own id. The same id is never added twice.")
            group = optional("Sentences of one group stay in one split")

        sentences = NewSentence(many=True, min_length=1, max_length=MOST_ROWS)  # type: ignore[call-arg]

    @extend_schema(
        operation_id="sentences_add", request=NewSentences, responses={200: RowsAdded, **CLOSED}
    )
    def post(self, request: Request, name: str) -> Response:
        """Add sentences to a corpus, each text and each id once. Others are not affected."""
        corpus = usable_corpus(request, name)
        rows = sent_values(self.NewSentences, request)["sentences"]
        store = partial(
            import_sentences,
            corpus=corpus,
            near_duplicates=Handling.OFF,  # it would read the whole corpus for each request
        )
        by, name = requester(request), corpus.name
        return store_rows(
            rows, lines.row, recorded(store, Act.SENTENCES_IMPORTED, by=by, corpus=name)
        )


class Pairs(TakesRows, PairList):
    """Every pair of a project, without gold pairs, oldest first."""

    @extend_schema_serializer(examples=[OpenApiExample("Pairs", PAIRS)])
    class NewPairs(serializers.Serializer[Any]):
        class NewPair(serializers.Serializer[Any]):
            sentence1 = Text(allow_blank=True, help_text="The source sentence")
            sentence2 = Text(allow_blank=True, help_text="Its rewrite")
            sentence1_id = optional("Your own id of the source sentence, or the one it has here")
            method = optional("word_swap, back_translation, prompted, definitions or imported")
            model = optional("What made the rewrite")
            pair_id = optional("Your own id of the pair")

        corpus = serializers.CharField(
            max_length=100, trim_whitespace=False, help_text="The name of a corpus that you may use"
        )
        pairs = NewPair(many=True, min_length=1, max_length=MOST_ROWS)  # type: ignore[call-arg]

    @extend_schema(operation_id="pairs_add", request=NewPairs, responses={200: RowsAdded, **CLOSED})
    def post(self, request: Request, **_kwargs: object) -> Response:
        """Add finished pairs. A worker then adds them to the project."""
        if not self.manages:
            raise PermissionDenied(NOT_A_MANAGER)
        if reason := additions.refusal(self.project):
            raise PermissionDenied(reason)
        values, by = sent_values(self.NewPairs, request), requester(request)
        corpus = readers.usable_corpora(by).filter(name=values["corpus"]).first()
        if corpus is None:
            reason = "There is no such corpus among those that you may use."
            raise ValidationError({"corpus": reason}, code="does_not_exist")
        on_run = partial(runs.adopt, self.project)
        store = partial(import_candidates, corpus=corpus, origin="REST", on_run=on_run)
        on_record = recorded(store, Act.PAIRS_IMPORTED, by=by, on=self.project)
        return store_rows(values["pairs"], lines.pair_line, on_record)


@extend_schema_serializer(examples=[OpenApiExample("An import", IMPORT)])
class ImportRow(serializers.ModelSerializer[Import]):
    """An uploaded file and the result for its lines."""

    id = serializers.UUIDField(source="public_id")
    corpus = serializers.CharField(source="corpus.name", allow_null=True, default=None)
    read = serializers.IntegerField(help_text="Lines processed")
    refused = serializers.DictField(
        child=serializers.IntegerField(), help_text="Refused lines by reason"
    )

    class Meta:
        model = Import
        fields = list(IMPORT)


class ImportList(OfProject, ListEndpoint):
    """The files that were uploaded to a project, oldest first."""

    tag = "Corpora and runs"
    scope = Scope.READ
    serializer_class = ImportRow
    queryset = Import.objects.none()

    def get_queryset(self) -> QuerySet[Import]:
        return self.project.imports.select_related("corpus")
