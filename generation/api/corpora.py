"""Corpora over REST. Which of them a person may read is told by the room that knows studies."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from generation import tables
from generation.api.reading import PageQuery, Reading, page, paged
from generation.models import Corpus


def none_of_them(_reader: User | AnonymousUser) -> QuerySet[Corpus]:
    """What is readable until somebody says otherwise."""
    return Corpus.objects.none()


class CorpusList(Reading):
    """Corpora that a project of the reader draws on."""

    class CorpusQuery(PageQuery):
        after = serializers.CharField(
            required=False, max_length=100, help_text="The name of the last row of the page before"
        )

    class CorpusRow(serializers.ModelSerializer[Corpus]):
        sentences = serializers.IntegerField(help_text="Sentences that came with the corpus")

        class Meta:
            model = Corpus
            fields = ["name", "language", "licence", "description", "sentences", "created_at"]

    query_class = CorpusQuery
    readable: Callable[[Any], QuerySet[Corpus]] = staticmethod(none_of_them)

    @extend_schema(
        operation_id="corpora_list", parameters=[CorpusQuery], responses=paged(CorpusRow)
    )
    def get(self, request: Request) -> Response:
        """The corpora of the projects that you manage or research, oldest first."""
        rows = tables.of_corpora(self.readable(request.user))
        return page(self, rows, self.CorpusRow, key="name")
