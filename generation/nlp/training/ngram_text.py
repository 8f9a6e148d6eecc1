"""Training text as numbers: words counted, the vocabulary chosen, sentences laid end to end."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generation.nlp.vocabulary import (
    BOS,
    ENDING_SIZES,
    EOS,
    SPECIAL,
    Vocabulary,
    ending_class,
    normal_form,
)


@dataclass(frozen=True, slots=True)
class WordTypes:
    """A text as numbers of word types: `forms[stream[i]]` is its i-th word, sentences ended by EOS."""

    forms: list[str]
    stream: NDArray[np.int32]

    def counts(self) -> NDArray[np.int64]:
        """How often each form occurs: shape (len(forms),)."""
        return np.bincount(self.stream, minlength=len(self.forms))


class _Numbering(dict[str, int]):
    """Numbers for words as they come, two words of one normal form sharing theirs."""

    def __init__(self) -> None:
        super().__init__({EOS: 0})
        self.forms = {EOS: 0}

    def __missing__(self, word: str) -> int:
        number = self.forms.setdefault(normal_form(word), len(self.forms))
        self[word] = number
        return number


def read(sentences: Iterable[Sequence[str]]) -> WordTypes:
    """Number the words of tokenised sentences."""
    numbering = _Numbering()
    parts = [
        np.fromiter(map(numbering.__getitem__, [*words, EOS]), np.int32, len(words) + 1)
        for words in sentences
    ]
    return WordTypes(list(numbering.forms), np.concatenate(parts))


def choose_vocabulary(text: WordTypes, *, size: int, ending_count: int) -> Vocabulary:
    """The most frequent words, and classes for the endings that `ending_count` other words share.

    `size` counts everything, SPECIAL included, and stays below 65,536 so that a word is 16 bits.
    """
    counts = text.counts()
    order = np.argsort(-counts, kind="stable")
    ranked = [text.forms[number] for number in order if text.forms[number] != EOS]
    rare = {form: int(counts[number]) for number, form in enumerate(text.forms) if form != EOS}
    for form in ranked[:size]:
        del rare[form]
    classes = [ending_class(ending) for ending in _endings(rare, ending_count)]
    kept = ranked[: size - len(SPECIAL) - len(classes)]
    return Vocabulary([*SPECIAL, *classes, *kept])


def _endings(counts: dict[str, int], least: int) -> list[str]:
    """Endings of one to three letters, each seen often enough beside the longer ones taken."""
    taken: list[str] = []
    for size in ENDING_SIZES:
        seen: Counter[str] = Counter()
        for form, count in counts.items():
            seen[form[-size:]] += count
        new = sorted(ending for ending, count in seen.items() if count >= least)
        counts = {form: count for form, count in counts.items() if form[-size:] not in set(new)}
        taken += new
    return taken


def encode(text: WordTypes, vocabulary: Vocabulary) -> NDArray[np.uint16]:
    """The text in the vocabulary's numbers, with BOS before each sentence and EOS after it."""
    numbers = vocabulary.ids(text.forms).astype(np.uint16)
    words = numbers[text.stream]
    starts = np.flatnonzero(words[:-1] == vocabulary.eos) + 1
    return np.insert(words, np.concatenate(([0], starts)), np.uint16(vocabulary.bos))
