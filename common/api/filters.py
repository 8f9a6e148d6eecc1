"""Filters of REST lists. Each parameter is declared with the one column that it compares.

A request never names a column. An invalid value is refused, where django-filter would ignore it.
"""

from datetime import UTC, datetime
from typing import Any

import django_filters
from django import forms
from django.db.models import Q, QuerySet
from django.utils.dateparse import parse_datetime
from drf_spectacular.utils import extend_schema_field
from rest_framework.exceptions import ValidationError

_YES_NO = {"true": True, "false": False}


class YesNoField(forms.Field):
    """`true` or `false`."""

    def to_python(self, value: Any) -> bool | None:
        """None where the parameter is absent."""
        if value in self.empty_values:
            return None
        try:
            return _YES_NO[value.lower()]
        except KeyError:
            raise forms.ValidationError("Enter true or false.", "invalid") from None


class MomentField(forms.Field):
    """A date and time with time zone, ISO 8601: `2026-11-21T09:30:00Z`."""

    def to_python(self, value: Any) -> datetime | None:
        """The time in UTC; None where the parameter is absent."""
        if value in self.empty_values:
            return None
        try:
            moment = parse_datetime(value.upper())
            if moment is not None and moment.tzinfo is not None:
                return moment.astimezone(UTC)
        except (ValueError, OverflowError):  # the latter within a day of the end of the calendar
            pass
        message = "This is no date with time and zone, such as 2026-11-21T09:30:00Z."
        raise forms.ValidationError(message, "invalid")


class Filters(django_filters.FilterSet):
    """The declared filters of one list; `Meta.fields` is not used."""


class Choice(django_filters.ChoiceFilter):
    """Compares a column with one of `choices`."""


class YesNo(django_filters.BooleanFilter):
    """Compares a boolean column, or the result of `lookup_expr`."""

    field_class = YesNoField


class Moment(django_filters.IsoDateTimeFilter):
    """Compares a time column by `lookup_expr`, before or after the given time."""

    field_class = MomentField


class Known(django_filters.CharFilter):
    """Compares a text column with a value that at least one row of the whole list has."""

    def __init__(self, *args: Any, most: int, **options: Any) -> None:
        super().__init__(*args, max_length=most, **options)

    def filter(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """Raises ValidationError for a value that no row has, which may be misspelt."""
        if not value:
            return rows
        condition = self.condition(value)
        if not self.parent.queryset.filter(condition).exists():
            name = next(key for key, filter_ in self.parent.filters.items() if filter_ is self)
            raise ValidationError(
                {name: "No row has this value. Check its spelling."}, code="unknown"
            )
        return rows.filter(condition)

    def condition(self, value: str) -> Q:
        """Return what matches the rows with this value."""
        return Q(**{self.field_name: value})


class Whole(django_filters.Filter):
    """Compares an integer column with a number within bounds."""

    field_class = forms.IntegerField

    def __init__(self, *args: Any, least: int, most: int, **options: Any) -> None:
        super().__init__(*args, min_value=least, max_value=most, **options)
        schema = {"type": "integer", "minimum": least, "maximum": most}
        extend_schema_field(schema | {"description": options.get("help_text", "")})(self)
