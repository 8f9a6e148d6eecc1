"""The methods of generation by name.

To add one: add a module with its METHOD, register it in generation/apps.py, and add its name to
generation.models.Method.
"""

from collections.abc import Mapping
from typing import Any

from generation.errors import UnknownMethod
from generation.methods.contract import GenerationMethod
from generation.models import Method

METHODS: dict[str, GenerationMethod] = {}


def named(name: str) -> GenerationMethod:
    """Return the method with this name. Raises UnknownMethod."""
    if name not in METHODS:
        raise UnknownMethod(f"No method {name!r}; there are {', '.join(METHODS)}.")
    return METHODS[name]


def preset_of(method: str, settings: Mapping[str, Any], most: int = 1) -> tuple[str, str]:
    """Return the preset of a run ("" if more than `most` settings differ), and the differences."""
    run_method = METHODS.get(method)
    if run_method is None or not any(field.name in settings for field in run_method.fields):
        return str(Method.IMPORTED.value), ""
    return run_method.preset_of(settings, most)
