"""Readers of the annotated corpora used to train and evaluate the embedded tagger."""

import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from pathlib import Path
from typing import Literal

ARCHIVE = "treebanks.tar.xz"
Layer = Literal["pos", "ner"]
SUFFIXES: dict[Layer, str] = {"pos": "tsv", "ner": "iob"}


@dataclass(frozen=True, slots=True)
class AnnotatedSentence:
    """Words with their (universal, Penn) tag pairs, IOB tags of names, or both."""

    words: tuple[str, ...]
    tags: tuple[tuple[str, str], ...] | None = None
    iob: tuple[str, ...] | None = None


def read(folder: Path, layer: Layer, name: str) -> list[AnnotatedSentence]:
    """Read one corpus, such as ("pos", "ewt_train"), from the archive in a folder.

    Raises KeyError if the archive lacks the corpus, ValueError for a malformed line.
    """
    with tarfile.open(folder / ARCHIVE) as archive:
        member = archive.extractfile(f"{layer}/{name}.{SUFFIXES[layer]}")
        if member is None:
            raise KeyError(f"{layer}/{name} is not a file")
        text = member.read().decode("utf-8")
    return list(parse(text, layer))


def parse(text: str, layer: Layer) -> Iterator[AnnotatedSentence]:
    """Parse lines of tab-separated columns, with a blank line after each sentence.

    A line of layer "pos" is word, universal tag, Penn tag; one of layer "ner" is word, IOB tag.
    """
    columns = 3 if layer == "pos" else 2
    for filled, lines in groupby(text.split("\n"), key=bool):
        if filled:
            rows = [_row(line, columns) for line in lines]
            yield _sentence(rows, layer)


def spans(iob: Sequence[str]) -> list[tuple[int, int, str]]:
    """Return the names (start, end, type) of IOB tags; an I without a preceding B begins a name."""
    found: list[tuple[int, int, str]] = []
    for index, tag in enumerate(iob):
        prefix, _, label = tag.partition("-")
        if prefix == "I" and found and found[-1][1:] == (index, label):
            found[-1] = (found[-1][0], index + 1, label)
        elif prefix != "O":
            found.append((index, index + 1, label))
    return found


def resplit(sentence: AnnotatedSentence, pieces: Sequence[Sequence[str]]) -> AnnotatedSentence:
    """Split words as the running pipeline's tokenizer does, and propagate their annotation.

    `pieces` holds the parts of each word. A hyphen becomes HYPH and a lower-case part before it AFX
    ("re", "-", "elected"); every other part inherits the tag of its word.
    """
    split = replace(sentence, words=tuple(part for parts in pieces for part in parts))
    if sentence.tags is not None:
        tags = map(_spread, sentence.tags, pieces)
        split = replace(split, tags=tuple(chain.from_iterable(tags)))
    if sentence.iob is not None:
        iob = map(_continue, sentence.iob, pieces)
        split = replace(split, iob=tuple(chain.from_iterable(iob)))
    return split


def _row(line: str, columns: int) -> list[str]:
    cells = line.split("\t")
    if len(cells) != columns:
        raise ValueError(f"expected {columns} columns: {line!r}")
    return cells


def _sentence(rows: list[list[str]], layer: Layer) -> AnnotatedSentence:
    words = tuple(row[0] for row in rows)
    if layer == "ner":
        return AnnotatedSentence(words, iob=tuple(row[1] for row in rows))
    return AnnotatedSentence(words, tags=tuple((row[1], row[2]) for row in rows))


def _spread(pair: tuple[str, str], parts: Sequence[str]) -> Iterator[tuple[str, str]]:
    for part, following in zip(parts, [*parts[1:], ""], strict=True):
        if len(parts) > 1 and part == "-":
            yield "PUNCT", "HYPH"
        elif following == "-" and part.islower():
            yield "X", "AFX"
        else:
            yield pair


def _continue(iob: str, parts: Sequence[str]) -> list[str]:
    return [iob, *[iob.replace("B-", "I-")] * (len(parts) - 1)]
