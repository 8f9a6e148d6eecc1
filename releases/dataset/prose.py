"""Sentences about a release as parts, so that Markdown and LaTeX have the same words."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from annotation.stats import latex
from common.tables import count


class Kind(StrEnum):
    TEXT = "text"
    NUMBER = "number"
    NAME = "name"  # of a file, a model, a licence: set as code


class Part(NamedTuple):
    kind: Kind
    value: str


Sentence: TypeAlias = tuple[Part, ...]
# What a sentence is composed of: a text, a number, or parts that were composed before.
Piece: TypeAlias = "str | int | Sentence"
# Sentences by the title of their paragraph.
Paragraphs: TypeAlias = Mapping[str, Sequence[Sentence]]


def name(value: str) -> Sentence:
    return (Part(Kind.NAME, value),)


def sentence(*pieces: Piece) -> Sentence:
    parts: list[Part] = []
    for piece in pieces:
        if isinstance(piece, str):
            parts.append(Part(Kind.TEXT, piece))
        elif isinstance(piece, int):
            parts.append(Part(Kind.NUMBER, count(piece)))
        else:
            parts += piece
    return tuple(parts)


def amount(number: int, noun: str, plural: str = "") -> Sentence:
    """Return a number of things: 1 pair, 2 pairs."""
    return sentence(number, f" {noun if number == 1 else plural or f'{noun}s'}")


def listed(items: Iterable[Piece]) -> Sentence:
    """Return items as a list: a, b and c."""
    *others, last = items
    pieces: list[Piece] = []
    for item in others:
        pieces += [item, ", "]
    return sentence(*pieces[:-1], " and ", last) if others else sentence(last)


def with_full_stop(text: str) -> str:
    """Return a text that people entered, with a full stop unless it ends like a sentence."""
    return text if text.rstrip("\"'’”)")[-1:] in ".!?…。" else f"{text}."


def as_markdown(paragraphs: Paragraphs) -> str:
    """Return the paragraphs, each behind its title; those without sentences are left out."""
    return "\n\n".join(
        f"**{title}.** {' '.join(map(_in_markdown, sentences))}"
        for title, sentences in paragraphs.items()
        if sentences
    )


def as_text(sentences: Iterable[Sentence]) -> str:
    """Return sentences without any markup."""
    return " ".join("".join(part.value for part in words) for words in sentences)


def as_latex(paragraphs: Paragraphs) -> str:
    return "\n\n".join(
        "\n".join((f"\\paragraph{{{latex.escape(title)}.}}", *map(_in_latex, sentences)))
        for title, sentences in paragraphs.items()
        if sentences
    )


def _in_markdown(words: Sentence) -> str:
    return "".join(_code(part.value) if part.kind is Kind.NAME else part.value for part in words)


def _code(text: str) -> str:
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def _in_latex(words: Sentence) -> str:
    texts = ((part.kind, latex.escape(part.value)) for part in words)
    return "".join(f"\\texttt{{{text}}}" if kind is Kind.NAME else text for kind, text in texts)
