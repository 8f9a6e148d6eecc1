"""Checks of settings: frozen dataclasses, whose defaults say of what type each field is."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeAlias

Bounds: TypeAlias = Mapping[str, tuple[float, float]]  # the lowest and the highest value


def refuse_unknown(kind: type, values: Mapping[str, Any], *, of: str) -> None:
    """Raise ValueError for keys that are no fields of this kind of settings."""
    if unknown := sorted(values.keys() - {field.name for field in fields(kind)}):
        raise ValueError(f"Unknown settings of {of}: {', '.join(unknown)}.")


def check(settings: Any, bounds: Bounds) -> None:
    """Raise ValueError for a value that is not of its default's type, or is out of bounds.

    A whole number may stand for any number, but true and false for none.
    """
    for field in fields(settings):
        value = getattr(settings, field.name)
        _check_type(field.name, value, type(field.default))
        if field.name in bounds:
            _check_bounds(field.name, value, *bounds[field.name])


def _check_type(name: str, value: object, kind: type) -> None:
    accepted = (int, float) if kind is float else kind
    if not isinstance(value, accepted) or (kind is not bool and isinstance(value, bool)):
        raise ValueError(f"The setting {name} must be of type {kind.__name__}, not {value!r}.")


def _check_bounds(name: str, value: float, lowest: float, highest: float) -> None:
    if not lowest <= value <= highest:
        raise ValueError(f"The setting {name} must be between {lowest} and {highest}.")
