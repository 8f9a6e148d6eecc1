"""The methods of generation by name.

To add one: add a module with its METHOD, register it in generation/apps.py, and add its name to
generation.models.Method.
"""

from generation.errors import UnknownMethod
from generation.methods.contract import GenerationMethod

METHODS: dict[str, GenerationMethod] = {}


def named(name: str) -> GenerationMethod:
    """Return the method with this name. Raises UnknownMethod."""
    if name not in METHODS:
        raise UnknownMethod(f"No method {name!r}; there are {', '.join(METHODS)}.")
    return METHODS[name]
