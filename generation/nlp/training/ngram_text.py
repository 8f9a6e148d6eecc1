"""Training text as numbers: counts words, chooses the vocabulary, concatenates sentences."""

import lzma
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import spacy
from numpy.typing import NDArray
from spacy.language import Language

from generation.nlp.ngram import ENDING_SIZES, SPECIAL, Vocabulary, ending_class, normal_form

_END = ""  # never a word
_LINES_AT_ONCE = 2000


@dataclass(frozen=True, slots=True)
class WordTypes:
    """A text as numbers: `forms[stream[i]]` is its i-th word in lower case, 0 a sentence end."""

    forms: list[str]
    stream: NDArray[np.int32]

    def counts(self) -> Counter[str]:
        numbers = np.bincount(self.stream, minlength=len(self.forms))
        return Counter(dict(zip(self.forms, numbers.tolist(), strict=True)))


def tokenised(path: Path, *, processes: int = 1) -> Iterator[list[str]]:
    """Yield the words of each line of an .xz text, tokenised as by the tagger at run time."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        if processes == 1:
            yield from map(_words, lines)
            return
        with get_context("spawn").Pool(processes) as pool:
            yield from pool.imap(_words, lines, chunksize=_LINES_AT_ONCE)


def _words(line: str) -> list[str]:
    document = _pipeline().make_doc(line.rstrip("\n"))
    return [token.text for token in document if not token.is_space]


@cache
def _pipeline() -> Language:
    return spacy.blank("en")


class _Numbering(dict[str, int]):
    """Numbers words on first use; spellings that differ only in case share a number."""

    def __init__(self) -> None:
        super().__init__({_END: 0})
        self.forms = {_END: 0}

    def __missing__(self, word: str) -> int:
        number = self.forms.setdefault(word.lower(), len(self.forms))
        self[word] = number
        return number


def read(sentences: Iterable[Sequence[str]]) -> WordTypes:
    numbering = _Numbering()
    parts = [
        np.fromiter(map(numbering.__getitem__, [*words, _END]), np.int32, len(words) + 1)
        for words in sentences
    ]
    return WordTypes(list(numbering.forms), np.concatenate(parts))


def choose_vocabulary(text: WordTypes, *, size: int, ending_count: int) -> Vocabulary:
    """Choose the most frequent words, and classes for endings of at least `ending_count` others.

    `size` includes everything, even SPECIAL, and is below 65,536 so that a word fits in 16 bits.
    """
    counts = _normal_counts(text.counts())
    ranked = sorted(counts, key=lambda form: (-counts[form], form))
    room = size - len(SPECIAL)
    rare = {form: counts[form] for form in ranked[room:]}
    classes = [ending_class(ending) for ending in _endings(rare, ending_count)]
    return Vocabulary([*SPECIAL, *classes, *ranked[: room - len(classes)]])


def _normal_counts(counts: Counter[str]) -> Counter[str]:
    result: Counter[str] = Counter()
    for form, count in counts.items():
        if form != _END:
            result[normal_form(form)] += count
    return result


def _endings(counts: dict[str, int], least: int) -> list[str]:
    """Return endings of one to three letters, frequent enough outside the longer endings taken."""
    taken: list[str] = []
    for size in ENDING_SIZES:
        seen: Counter[str] = Counter()
        for form, count in counts.items():
            seen[form[-size:]] += count
        new = {ending for ending, count in seen.items() if count >= least}
        counts = {form: count for form, count in counts.items() if form[-size:] not in new}
        taken += sorted(new)
    return taken


def encode(text: WordTypes, vocabulary: Vocabulary) -> NDArray[np.uint16]:
    """Return the text in vocabulary numbers, with BOS before and EOS after each sentence."""
    numbers = vocabulary.ids(text.forms).astype(np.uint16)
    numbers[0] = vocabulary.eos
    words = numbers[text.stream]
    starts = np.flatnonzero(words[:-1] == vocabulary.eos) + 1
    return np.insert(words, np.concatenate(([0], starts)), np.uint16(vocabulary.bos))
