"""Checks frozen settings dataclasses; the type of a default is the type of its field."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeAlias

Bounds: TypeAlias = Mapping[str, tuple[float, float]]  # lowest and highest value


def refuse_unknown(kind: type, values: Mapping[str, Any], *, of: str) -> None:
    """Raise ValueError for keys that are not fields of this settings class."""
    if unknown := sorted(values.keys() - {field.name for field in fields(kind)}):
        raise ValueError(f"Unknown settings of {of}: {', '.join(unknown)}.")


def check(settings: Any, bounds: Bounds) -> None:
    """Raise ValueError for a value that differs in type from its default or is out of bounds.

    Integers are accepted as floats; booleans are not accepted as numbers.
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
