"""Rows that are added over REST: what is sent, how it is stored, what was refused; flashcards."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from django.db import transaction
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from accounts.scopes import Scope, requester
from annotation.access import readers
from annotation.imports import reasons
from annotation.imports.lines import make_lines
from common.api.endpoints import Endpoint, TakesRows, sent_values
from common.api.errors import CLOSED
from generation.flashcards import card
from generation.models import Corpus
from generation.records import Follower, Report
from generation.services.flashcards import import_flashcards

MAY_ONLY_READ = "You may read this corpus, but only its owner and managers may add to it."
ALL_ARCHIVED = "All projects of this corpus are archived, so nothing can be added to it."
MOST_ROWS = 5_000
DUPLICATE = {"position": 7, "reason": "duplicate_id", "detail": "The corpus has another sentence."}
ADDED = {"added": 498, "duplicates": 1, "refused": [DUPLICATE]}
CARDS = {
    "flashcards": [
        {"entity": "queue", "definition": "First in, first out storage.", "id": "12-3"},
    ]
}


class Text(serializers.CharField):
    """Accepts any text, even none: the import then refuses the row, and not the whole request."""

    def __init__(self, **options: Any) -> None:
        super().__init__(trim_whitespace=False, **options)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Return an empty text if it is missing or null."""
        return "" if data in (serializers.empty, None) else super().run_validation(data)


def optional(help_text: str = "") -> Text:
    return Text(default="", allow_blank=True, help_text=help_text)


class RefusedRow(serializers.Serializer[Any]):
    """A row that was not added."""

    position = serializers.IntegerField(help_text="Position in the request, from 1")
    reason = serializers.CharField(help_text="For programs")
    detail = serializers.CharField(help_text="For people")


@extend_schema_serializer(examples=[OpenApiExample("Rows were added", ADDED)])
class RowsAdded(serializers.Serializer[Any]):
    """The result for the rows of a request; sending them again adds nothing."""

    added = serializers.IntegerField()
    duplicates = serializers.IntegerField(help_text="Rows that already existed")
    refused = RefusedRow(many=True)


class Refusals:
    """Collects the refused rows of a request."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []

    def refused(self, line: int, reason: str) -> None:
        detail = reasons.in_words(reason)
        self.rows.append({"position": line, "reason": str(reason), "detail": detail})

    def stored(self, report: Report) -> None:
        pass

    def reply(self, report: Report) -> Response:
        rows = sorted(self.rows, key=lambda row: int(row["position"]))
        counts = {"added": report.added, "duplicates": report.duplicates}
        return Response(RowsAdded({**counts, "refused": rows}).data)


def store_rows(
    rows: Sequence[dict[str, str]], make_line: Callable[..., Any], store: Callable[..., Report]
) -> Response:
    """Store what `make_line` returns for each row, and reply with the outcome."""
    refusals = Refusals()
    lines = ((number, row, None) for number, row in enumerate(rows, 1))
    with transaction.atomic():
        report = store(make_lines(lines, make_line), follower=refusals)
    return refusals.reply(report)


def recorded(
    store: Callable[..., Report], act: Act, *, by: User, **about: Any
) -> Callable[..., Report]:
    """Return an import that is on record; it does not keep the lines."""

    def store_and_record(lines: Any, *, follower: Follower) -> Report:
        report = store(lines, follower=follower, keeps_lines=False)
        audit.record(act, by=by, rows=report.added, **about)
        return report

    return store_and_record


def usable_corpus(request: Request, name: str) -> Corpus:
    """Return a corpus to add to.

    Raises Http404, and PermissionDenied to those who may read it and if its projects are archived.
    """
    corpus = get_object_or_404(readers.corpora(request.user), name=name)
    if not readers.usable_corpora(request.user).filter(pk=corpus.pk).exists():
        raise PermissionDenied(MAY_ONLY_READ)
    if corpus.projects.exists() and not corpus.projects.filter(archived_at=None).exists():
        raise PermissionDenied(ALL_ARCHIVED)
    return corpus


class Flashcards(TakesRows, Endpoint):
    """Flashcards, whose definitions are paired by the method definitions."""

    @extend_schema_serializer(examples=[OpenApiExample("Flashcards", CARDS)])
    class NewFlashcards(serializers.Serializer[Any]):
        class NewFlashcard(serializers.Serializer[Any]):
            entity = Text(allow_blank=True, help_text="What the text defines")
            definition = Text(allow_blank=True, help_text="2 to 30 words")
            id = optional("Your own id. The same id is never added twice.")

        flashcards = NewFlashcard(many=True, min_length=1, max_length=MOST_ROWS)  # type: ignore[call-arg]

    tag = "Corpora and runs"
    scope = Scope.MANAGE

    @extend_schema(
        operation_id="flashcards_add", request=NewFlashcards, responses={200: RowsAdded, **CLOSED}
    )
    def post(self, request: Request, name: str) -> Response:
        """Add definitions to a corpus, each once. They are listed with its sentences."""
        corpus = usable_corpus(request, name)
        rows = sent_values(self.NewFlashcards, request)["flashcards"]
        store = partial(import_flashcards, corpus=corpus)
        by, name = requester(request), corpus.name
        return store_rows(rows, card, recorded(store, Act.SENTENCES_IMPORTED, by=by, corpus=name))
