"""Filters of REST lists by run and by the model that generated a candidate."""

from typing import Any

import django_filters
from django.db.models import Q

from common.api.filters import Known
from generation import selectors

MOST_CHARACTERS = 200


class ByRun(django_filters.UUIDFilter):
    """Compares the id of a run."""


class ByModel(Known):
    """Rows whose run, at the declared path, was generated with a model of this name."""

    def __init__(self, *args: Any, **options: Any) -> None:
        text = "Exact name of a model, in any part, such as `generator` or `language_model`"
        super().__init__(*args, most=MOST_CHARACTERS, help_text=text, **options)

    def condition(self, value: str) -> Q:
        return Q(**{f"{self.field_name}__in": selectors.runs_with_model(value)})
