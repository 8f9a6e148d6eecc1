"""The ids of the sentences of published sets, which have none in their files."""

from functools import cache
from uuid import NAMESPACE_URL, UUID, uuid5


def namespace_of(name: str, version: str = "") -> UUID:
    """Return the namespace of the ids of a set's pairs, or, of no version, of its sentences."""
    return uuid5(NAMESPACE_URL, f"pawsmith:{name}\n{version}")


def sentence_id(name: str, text: str) -> str:
    """Return the id of a sentence of a set: equal texts are one sentence in all versions."""
    return str(uuid5(_sentences_of(name), text))


@cache
def _sentences_of(name: str) -> UUID:
    return namespace_of(name)
