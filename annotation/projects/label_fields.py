"""Labels over REST: stored places of a scheme, shown and compared as the values of its labels."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from annotation.stats.labels import LEAST_VALUE, MOST_VALUE, Scheme
from common.api.filters import Whole

DIGITS = 6


@extend_schema_field(int)
class LabelField(serializers.IntegerField):
    """The value of the label at a stored place; the view of the list has the `project`."""

    @cached_property
    def scheme(self) -> Scheme:
        scheme: Scheme = self.context["view"].project.scheme
        return scheme

    @cached_property
    def values(self) -> Sequence[int]:
        return self.scheme.values

    def to_representation(self, place: Any) -> Any:
        return self.values[place]


class OutcomeField(LabelField):
    """The value of the outcome at a stored place: a side, 0 or 1, or the value of a label."""

    @cached_property
    def values(self) -> Sequence[int]:
        return self.scheme.outcome_values


@extend_schema_field(str)
class OutcomeNameField(LabelField):
    """The name of the outcome at a stored place."""

    def to_representation(self, place: Any) -> Any:
        return self.scheme.outcomes[place]


@extend_schema_field(float)
class MeanField(LabelField):
    """The mean value of answers that are counted by label, rounded; null if none is taken."""

    def to_representation(self, tally: Any) -> Any:
        return _rounded(self.scheme.mean(tally)) if self.scheme.has_mean else None


@extend_schema_field(float)
class SpreadField(LabelField):
    """The standard deviation of answers that are counted by label, rounded; null without a mean."""

    def to_representation(self, tally: Any) -> Any:
        return _rounded(self.scheme.spread(tally)) if self.scheme.has_mean else None


def _rounded(figure: float | None) -> float | None:
    return None if figure is None else round(figure, DIGITS)


class ByLabel(Whole):
    """Rows with a label, given by its value; `is_outcome` says that the column has outcomes."""

    def __init__(self, *args: Any, is_outcome: bool = False, **options: Any) -> None:
        super().__init__(*args, least=LEAST_VALUE, most=MOST_VALUE, **options)
        self.is_outcome = is_outcome

    def filter(self, rows: QuerySet[Any], value: int | None) -> QuerySet[Any]:
        """Raises ValidationError for a value that is no label of the project."""
        if value is None:
            return rows
        scheme: Scheme = self.parent.request.parser_context["view"].project.scheme
        values = scheme.outcome_values if self.is_outcome else scheme.values
        matching: QuerySet[Any] = super().filter(rows, place_of(value, values))
        return matching


def place_of(value: int, values: Sequence[int]) -> int:
    """Return the place of a label. Raises ValidationError for a value that is none."""
    if value not in values:
        message = f"The labels of this project are {', '.join(map(str, values))}."
        raise ValidationError({"label": message}, code="unknown")
    return values.index(value)
