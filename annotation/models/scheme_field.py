"""A column that holds a label scheme, as JSON."""

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext

from annotation.stats.labels import BadScheme, Scheme
from common.marked import MarkedError


def in_words(problem: MarkedError) -> str:
    """Return what is wrong, in the language of the page."""
    text = gettext(problem.message)
    return text % problem.values if problem.values else text


def parse_scheme(values: Any) -> Scheme:
    """Return the scheme that JSON values describe. Raises ValidationError."""
    if isinstance(values, Scheme):
        return values
    try:
        return Scheme.from_dict(values)
    except BadScheme as problem:
        raise ValidationError(in_words(problem)) from None


@lru_cache(maxsize=256)
def _read(text: str) -> Scheme:
    return Scheme.from_dict(json.loads(text))


class SchemeFormField(forms.JSONField):
    """Edits a scheme as JSON text, in the admin."""

    def prepare_value(self, value: Any) -> Any:
        return super().prepare_value(value.to_dict() if isinstance(value, Scheme) else value)

    def to_python(self, value: Any) -> Any:
        values = value if isinstance(value, Scheme) else super().to_python(value)
        return values if values in self.empty_values else parse_scheme(values)

    def has_changed(self, initial: Any, data: Any) -> bool:
        initial = initial.to_dict() if isinstance(initial, Scheme) else initial
        return super().has_changed(initial, data)


class SchemeField(models.JSONField):
    """Holds a `Scheme`."""

    if TYPE_CHECKING:
        _pyi_private_get_type: Scheme

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return None if value is None else _read(value)

    def to_python(self, value: Any) -> Any:
        return None if value is None else parse_scheme(value)

    def get_prep_value(self, value: Any) -> Any:
        return value.to_dict() if isinstance(value, Scheme) else value

    def value_to_string(self, obj: models.Model) -> Any:
        """Return JSON values, for `dumpdata`."""
        return self.get_prep_value(self.value_from_object(obj))

    def validate(self, value: Any, model_instance: Any) -> None:
        """Whatever is a Scheme is valid."""

    def formfield(self, **options: Any) -> Any:
        return super().formfield(**{"form_class": SchemeFormField} | options)
