"""The methods of generation by name.

To add one: add a module with its METHOD, an entry in METHODS, a name in generation.models.Method.
"""

from generation.errors import UnknownMethod
from generation.methods import back_translation, word_swap
from generation.methods.contract import GenerationMethod
from generation.models import Method

METHODS: dict[str, GenerationMethod] = {
    Method.WORD_SWAP: word_swap.METHOD,
    Method.BACK_TRANSLATION: back_translation.METHOD,
}


def named(name: str) -> GenerationMethod:
    """Return the method with this name. Raises UnknownMethod."""
    if name not in METHODS:
        raise UnknownMethod(f"No method {name!r}; there are {', '.join(METHODS)}.")
    return METHODS[name]
