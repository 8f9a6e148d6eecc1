"""REST endpoints of the glossary of a translation study."""

import uuid
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.functional import cached_property
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.scopes import Scope, requester
from annotation.access.api import NOT_A_MANAGER, OfProject, refusal_as_conflict
from annotation.glossary import services
from annotation.models import Term, TranslationPlan
from common.api.endpoints import CheckedJSONParser, Endpoint, ListEndpoint, Sent, sent_values
from common.api.errors import CLOSED, Conflict, RefusalResponse

NO_GLOSSARY = "The project is no translation study, so it has no glossary."
GIVEN = {"source": "Rome", "target": "Rom", "note": "The city."}
ROW = {
    "id": "0f9f5a0e-55a4-4d8b-9d9b-3f2b0c1f8a77",
    **GIVEN,
    "approved": True,
    "created_at": "2026-11-02T08:00:00Z",
}
REFUSALS = CLOSED | {409: RefusalResponse}


@extend_schema_serializer(examples=[OpenApiExample("A term", ROW)])
class TermRow(serializers.Serializer[Any]):
    """An entry of the glossary."""

    id = serializers.UUIDField(source="public_id")
    source = serializers.CharField(help_text="The term in the language of the sentences")  # type: ignore[assignment]
    target = serializers.CharField(help_text="Its translation")
    note = serializers.CharField(help_text="What translators should know; may be empty")
    approved = serializers.SerializerMethodField(
        help_text="Whether translators see it; else it is a proposal"
    )
    created_at = serializers.DateTimeField()

    def get_approved(self, term: Any) -> bool:
        return term.approved_at is not None


@extend_schema_serializer(examples=[OpenApiExample("A term", GIVEN)])
class TermRequest(Sent):
    """A term that translators see."""

    source = serializers.CharField(max_length=services.LONGEST)  # type: ignore[assignment]
    target = serializers.CharField(max_length=services.LONGEST)
    note = serializers.CharField(max_length=services.LONGEST, allow_blank=True, required=False)


class OfGlossary(OfProject):
    """An endpoint that managers and researchers read, and managers change."""

    tag = "Projects"
    scope = Scope.READ
    parser_classes = [CheckedJSONParser]

    def check_manages(self) -> None:
        """Raises PermissionDenied for researchers."""
        if not self.manages:
            raise PermissionDenied(NOT_A_MANAGER)


class TermList(OfGlossary, ListEndpoint):
    """The glossary of a translation study, oldest terms first; empty for other projects."""

    serializer_class = TermRow
    queryset = Term.objects.none()

    def get_queryset(self) -> QuerySet[Any]:
        return Term.objects.filter(project=self.project)

    @extend_schema(
        operation_id="projects_terms_create",
        request=TermRequest,
        responses={201: TermRow, **REFUSALS},
    )
    def post(self, request: Request, public_id: str) -> Response:
        """Add a term, which translators see immediately."""
        self.check_manages()
        values = sent_values(TermRequest, request)
        if not TranslationPlan.objects.filter(project=self.project).exists():
            raise Conflict(NO_GLOSSARY)
        with refusal_as_conflict():
            term = services.add(self.project, **values, by=requester(request))
        return Response(TermRow(term).data, status.HTTP_201_CREATED)


class TermDetail(OfGlossary, Endpoint):
    """One term of the glossary."""

    serializer_class = TermRow

    @cached_property
    def term(self) -> Term:
        return get_object_or_404(Term, project=self.project, public_id=self.kwargs["term_id"])

    @extend_schema(operation_id="projects_terms_retrieve", responses=TermRow)
    def get(self, request: Request, public_id: str, term_id: uuid.UUID) -> Response:
        return Response(TermRow(self.term).data)

    @extend_schema(
        operation_id="projects_terms_change",
        request=TermRequest(partial=True),
        responses={200: TermRow, **REFUSALS},
    )
    def patch(self, request: Request, public_id: str, term_id: uuid.UUID) -> Response:
        """Change a term. A proposal is approved by it; an empty object approves it as it is."""
        self.check_manages()
        term, values = self.term, sent_values(TermRequest, request, partial=True)
        texts = {"source": term.source, "target": term.target, "note": term.note} | values
        with refusal_as_conflict():
            services.change(term, **texts, by=requester(request))
        return Response(TermRow(term).data)

    @extend_schema(
        operation_id="projects_terms_delete", request=None, responses={204: None, **REFUSALS}
    )
    def delete(self, request: Request, public_id: str, term_id: uuid.UUID) -> Response:
        """Remove a term from the glossary."""
        self.check_manages()
        services.remove(self.term, by=requester(request))
        return Response(status=status.HTTP_204_NO_CONTENT)
