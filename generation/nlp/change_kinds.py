"""The kinds of change of word swaps (PAWS Table 2), and the kind of each word."""

from collections.abc import Iterable
from enum import StrEnum


class Kind(StrEnum):
    """The kind of a template slot, or of a whole swap.

    MIXED applies to whole swaps only: slots of more than one kind have changed.
    """

    NAME = "name"
    DATE = "date"
    NUMBER = "number"
    ADJECTIVE = "adjective"
    NOUN = "noun"
    VERB = "verb"
    ADVERB = "adverb"
    PREPOSITION = "preposition"
    OTHER = "other"
    MIXED = "mixed"


MOVABLE = tuple(kind for kind in Kind if kind not in (Kind.OTHER, Kind.MIXED))

KIND_OF_TAG = {
    **dict.fromkeys(("NNP", "NNPS"), Kind.NAME),
    **dict.fromkeys(("CD",), Kind.NUMBER),
    **dict.fromkeys(("JJ", "JJR", "JJS"), Kind.ADJECTIVE),
    **dict.fromkeys(("NN", "NNS"), Kind.NOUN),
    **dict.fromkeys(("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"), Kind.VERB),
    **dict.fromkeys(("RB", "RBR", "RBS"), Kind.ADVERB),
    **dict.fromkeys(("IN", "TO", "RP"), Kind.PREPOSITION),
}


def of_tag(tag: str) -> Kind:
    """Return the kind of a word with this Penn Treebank tag."""
    return KIND_OF_TAG.get(tag, Kind.OTHER)


def of_change(changed: Iterable[Kind]) -> Kind:
    """Return the kind of a whole swap, from the kinds of its changed slots."""
    kinds = set(changed)
    return kinds.pop() if len(kinds) == 1 else Kind.MIXED
