"""Filters of lists over REST: each parameter is declared, with the one column that it compares.

Nothing of a request ever names a column. What a filter does not understand is refused, where
django-filter's own would pass over it.
"""

from datetime import UTC, datetime
from typing import Any

import django_filters
from django import forms
from django.utils.dateparse import parse_datetime
from drf_spectacular.utils import extend_schema_field

_FIRST = datetime.min.replace(tzinfo=UTC)
_LAST = datetime.max.replace(tzinfo=UTC)
_YES_NO = {"true": True, "false": False}


class YesNoField(forms.Field):
    """`true` or `false`."""

    def to_python(self, value: Any) -> bool | None:
        """None for what is not asked."""
        if value in self.empty_values:
            return None
        try:
            return _YES_NO[value.lower()]
        except KeyError:
            raise forms.ValidationError("This is neither true nor false.", "invalid") from None


class MomentField(forms.Field):
    """A date and a time, with their zone: ISO 8601, such as `2026-11-21T09:30:00Z`."""

    def to_python(self, value: Any) -> datetime | None:
        """In UTC; None for what is not asked."""
        if value in self.empty_values:
            return None
        try:
            moment = parse_datetime(value.upper())
        except ValueError:
            moment = None
        if moment is None or moment.tzinfo is None:
            message = "This is no date with time and zone, such as 2026-11-21T09:30:00Z."
            raise forms.ValidationError(message, "invalid")
        return _in_utc(moment)


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:  # within a day of either end of the calendar
        return _FIRST if moment.year == 1 else _LAST


class Filters(django_filters.FilterSet):
    """The filters of one list: those that are declared, for `Meta.fields` is not used."""


class Choice(django_filters.ChoiceFilter):
    """A column that holds one of some names: `choices`."""


class YesNo(django_filters.BooleanFilter):
    """A column that is true or false; by another `lookup_expr`, whether that holds."""

    field_class = YesNoField


class Moment(django_filters.IsoDateTimeFilter):
    """A column that holds a time, by `lookup_expr` before or after the one that is given."""

    field_class = MomentField


class Whole(django_filters.Filter):
    """A column that holds whole numbers, asked for within bounds."""

    field_class = forms.IntegerField

    def __init__(self, *args: Any, least: int, most: int, **options: Any) -> None:
        super().__init__(*args, min_value=least, max_value=most, **options)
        schema = {"type": "integer", "minimum": least, "maximum": most}
        extend_schema_field(schema | {"description": options.get("help_text", "")})(self)
