"""Flashcards over REST: added to a corpus."""

from functools import partial
from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.audited_acts import Act
from accounts.scopes import Scope, requester
from annotation.imports.api import usable_corpus
from annotation.imports.rows_api import (
    MOST_ROWS,
    REFUSALS,
    RowsAdded,
    Text,
    added,
    optional,
    sent_rows,
)
from common.api.endpoints import Endpoint, RowsParser
from generation.flashcards import card
from generation.services.flashcards import import_flashcards

CARDS = {
    "flashcards": [
        {"entity": "queue", "definition": "First in, first out storage.", "id": "12-3"},
    ]
}


class Flashcards(Endpoint):
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
    parser_classes = [RowsParser]
    largest_body = RowsParser.most

    @extend_schema(
        operation_id="flashcards_add", request=NewFlashcards, responses={200: RowsAdded, **REFUSALS}
    )
    def post(self, request: Request, name: str) -> Response:
        """Add definitions to a corpus, each once. They are listed with its sentences."""
        corpus = usable_corpus(request, name)
        rows = sent_rows(self.NewFlashcards, request)["flashcards"]
        store = partial(import_flashcards, corpus=corpus)
        act, by = Act.SENTENCES_IMPORTED, requester(request)
        return added(rows, card, store, act=act, by=by, corpus=corpus.name)
