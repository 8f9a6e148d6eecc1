"""REST list of the comments of a project."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from accounts.scopes import Scope
from annotation.access.api import OfProject, PseudonymField
from annotation.comments import selectors
from annotation.models import Comment, CommentThread, Judgment
from annotation.work.kinds import KINDS
from common.api.endpoints import ListEndpoint
from common.api.filters import Filters, YesNo

COMMENT = {
    "author": "annotator-3f2a9c07d1e4",
    "text": "Is “May” the month here?",
    "created_at": "2026-11-03T10:13:20.500000Z",
}
THREAD = {
    "id": "8f0c1c57-62a2-4b0c-9a3e-0c1f7a6b5d21",
    "item": "5b0e3a52-8b57-4a6f-9d0c-0d5f8f0c7a31",
    "kind": Judgment.KIND,
    "annotator": "annotator-3f2a9c07d1e4",
    "closed_at": None,
    "comments": [COMMENT],
}


class CommentRow(serializers.ModelSerializer[Comment]):
    """A comment. Its text is empty once its author's account was erased."""

    author = PseudonymField(source="author_id", help_text="Pseudonym, of managers too")

    class Meta:
        model = Comment
        fields = list(COMMENT)


@extend_schema_serializer(examples=[OpenApiExample("Comments on a pair", THREAD)])
class ThreadRow(serializers.ModelSerializer[CommentThread]):
    """The comments of an annotator and the managers, or of managers alone, on an item."""

    id = serializers.UUIDField(source="public_id")
    item = serializers.UUIDField(source="item.public_id", help_text="A pair, if kind is judge")
    kind = serializers.ChoiceField(source="item.kind", choices=list(KINDS))
    annotator = PseudonymField(
        source="annotator_id", help_text="Who sees the comments; null: managers and researchers"
    )
    comments = CommentRow(many=True, help_text="Oldest first")

    class Meta:
        model = CommentThread
        fields = list(THREAD)


class ThreadFilter(Filters):
    """Filters for comments."""

    closed = YesNo("closed_at", "isnull", exclude=True)


class CommentList(OfProject, ListEndpoint):
    """List the comments of a project by item, oldest first. No release contains them."""

    tag = "Pairs and answers"
    scope = Scope.READ
    serializer_class = ThreadRow
    filterset_class = ThreadFilter
    queryset = CommentThread.objects.none()

    def get_queryset(self) -> QuerySet[Any]:
        return selectors.of_project(self.project, state="all")
