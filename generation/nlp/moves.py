"""Moves: rewrites in which parts of a sentence change their order whole."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from generation.nlp.phrases import Kind, has_letter
from generation.nlp.tagging import Token
from generation.nlp.templates import Filler, Sentence, Slot, Template


@dataclass(frozen=True, slots=True)
class Move:
    """A new order of the parts of a sentence, as a template without choice.

    `moved_places` are those of the words that move, in the source; `features` are what its
    acceptance and its meaning depend on, by name. `reattaches`: only a balanced run makes it.
    """

    template: Template
    moved_places: frozenset[int]
    features: Mapping[str, float]
    reattaches: bool = False


def arrange(sentence: Sentence, parts: Sequence[slice | None]) -> Template:
    """Return the template of the parts in this order, None being a comma, and the final mark."""
    words, spaces = zip(*_pieces(sentence, parts), strict=True)
    return Template(
        (Filler(words, spaces[:-1]),),
        (Slot(Kind.ADVERBIAL, 0, (0,), spaces[-1]),),
        sentence.capital,
    )


def _pieces(sentence: Sentence, parts: Sequence[slice | None]) -> Iterator[tuple[str, str]]:
    """Yield the words of the new sentence, in mid-sentence spelling, with the space after each."""
    tokens = sentence.tokens
    before_mark = tokens[-2].space  # of tokenised text, a space
    parts = [part for part in parts if part is None or tokens[part]]
    for part, after in zip(parts, [*parts[1:], None], strict=True):
        if part is None:
            yield ",", " "
            continue
        last = before_mark if after is None else _space_before(tokens, after.start or 0)
        spaces = [*(token.space for token in tokens[part][:-1]), last]
        yield from zip(sentence.words[part], spaces, strict=True)
    yield sentence.words[-1], tokens[-1].space


def _space_before(tokens: Sequence[Token], place: int) -> str:
    """Return a space, or before a mark the space that it has before it in the source."""
    return tokens[place - 1].space if place and not has_letter(tokens[place].text) else " "
