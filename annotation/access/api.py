"""Base classes for REST endpoints of one project, and pseudonyms of people."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404
from django.utils.functional import cached_property
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.permissions import SAFE_METHODS

from annotation.access import readers
from annotation.access.readers import Reader
from annotation.errors import Refused
from annotation.models import Project
from annotation.people.selectors import names
from common.api.endpoints import Endpoint
from common.api.errors import Conflict
from common.api.filters import Known

LONGEST_PSEUDONYM = 40
ARCHIVED = "The project is archived, so nothing in it can change."
NOT_A_MANAGER = "Only managers of the project may do this."
MAY_NOT_CREATE = "You may not create projects."


def managed_project(user: Reader, public_id: Any) -> Project:
    """Return a project that may be changed. Raises NotFound, and PermissionDenied with why."""
    if (project := readers.managed_projects(user).filter(public_id=public_id).first()) is not None:
        if project.archived_at is not None:
            raise PermissionDenied(ARCHIVED)
        return project
    if readers.projects(user).filter(public_id=public_id).exists():
        raise PermissionDenied(NOT_A_MANAGER)
    raise NotFound("There is no such project.")


class OfProject(Endpoint):
    """An endpoint of one project, for its managers and researchers."""

    queryset: QuerySet[Any] = Project.objects.none()

    @cached_property
    def project(self) -> Project:
        """The project in the URL. Raises Http404."""
        projects = readers.projects(self.request.user)
        return get_object_or_404(projects, public_id=self.kwargs["public_id"])

    def initial(self, request: Any, *args: Any, **kwargs: Any) -> None:
        """Raises PermissionDenied for a change of an archived project."""
        super().initial(request, *args, **kwargs)
        writes = request.method not in SAFE_METHODS and hasattr(self, str(request.method).lower())
        if writes and self.project.archived_at is not None and not self.changes_archived():
            raise PermissionDenied(ARCHIVED)

    def changes_archived(self) -> bool:
        """Whether an archived project may be changed in this way."""
        return False

    @property
    def manages(self) -> bool:
        return readers.managed_projects(self.request.user).filter(pk=self.project.pk).exists()


@contextmanager
def refusal_as_conflict() -> Iterator[None]:
    """Answer 409 with the reason if the step in this block is refused."""
    try:
        yield
    except Refused as refused:
        raise Conflict(str(refused)) from refused


class OfManaged(OfProject):
    """An endpoint for managers only, because it identifies people."""

    def initial(self, request: Any, *args: Any, **kwargs: Any) -> None:
        """Raises Http404 for users without access, PermissionDenied for researchers."""
        super().initial(request, *args, **kwargs)
        if not self.manages:
            raise PermissionDenied(NOT_A_MANAGER)


class ByAnnotator(Known):
    """Rows of the person with this pseudonym in the view's project."""

    def __init__(self, *args: Any, **options: Any) -> None:
        text = "Pseudonym, as in the rows"
        super().__init__(*args, most=LONGEST_PSEUDONYM, help_text=text, **options)

    def condition(self, value: str) -> Q:
        project = self.parent.request.parser_context["view"].project
        return Q(annotator=names.key_of(project, value))


@extend_schema_field(OpenApiTypes.STR)
class PseudonymField(serializers.Field[Any, Any, Any, Any]):
    """The pseudonym, in the view's project, of a person given by primary key."""

    def __init__(self, **options: Any) -> None:
        super().__init__(read_only=True, **options)
        self.known: dict[int, str] = {}

    def to_representation(self, value: int) -> str:
        """Return the pseudonym, cached because a person appears in many rows of a page."""
        if value not in self.known:
            self.known[value] = names.pseudonym(self.context["view"].project, value)
        return self.known[value]
