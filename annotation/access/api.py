"""What is read of one project: by its managers and researchers, or by its managers alone."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.functional import cached_property
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied

from annotation.access import readers, selectors
from annotation.models import Project
from annotation.people.selectors import pseudonyms
from common.api.endpoints import Endpoint

NOT_A_MANAGER = "Only managers of the project may do this."


class OfProject(Endpoint):
    """An endpoint of one project, which the person manages or researches."""

    @cached_property
    def project(self) -> Project:
        """The one that the address names. Raises Http404."""
        projects = readers.projects(self.request.user)
        return get_object_or_404(projects, public_id=self.kwargs["public_id"])

    @property
    def manages(self) -> bool:
        """Whether whoever asks manages it."""
        return selectors.managed(self.request.user).filter(pk=self.project.pk).exists()


class OfManaged(OfProject):
    """An endpoint of one project that tells who is who, so it is for managers."""

    def initial(self, request: Any, *args: Any, **kwargs: Any) -> None:
        """Raises Http404 for whoever reads nothing of it, PermissionDenied for researchers."""
        super().initial(request, *args, **kwargs)
        if not self.manages:
            raise PermissionDenied(NOT_A_MANAGER)


@extend_schema_field(OpenApiTypes.STR)
class PseudonymField(serializers.Field[Any, Any, Any, Any]):
    """A person, by primary key, under their name in the view's project."""

    def __init__(self, **options: Any) -> None:
        super().__init__(read_only=True, **options)
        self.known: dict[int, str] = {}

    def to_representation(self, value: int) -> str:
        """The same person stands in many rows of a page."""
        if value not in self.known:
            self.known[value] = pseudonyms.within(self.context["view"].project, value)
        return self.known[value]
