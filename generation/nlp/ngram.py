"""A trigram language model with back-off, in sorted arrays: vocabulary, file format and look-up.

For each stored bigram and trigram the model has the gain in log-probability of the last word over
the shorter context, and for each context the weight of the shorter one (backoff):

    log p(w)     = unigram[w]
    log p(w|v)   = word_backoff[v]   + log p(w)   + bigram_gain[v, w]      (0 if not stored)
    log p(w|u,v) = pair_backoff[u,v] + log p(w|v) + trigram_gain[u, v, w]  (0 if not stored)

This is the back-off form of an interpolated model (Chen and Goodman 1998, section 2.8). A file is
an .npz of rounded, difference-coded, deflated arrays.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

EMBEDDED_FILE = Path(__file__).parent / "embedded" / "en_ngram.npz"
BOS = "<s>"
EOS = "</s>"
UNKNOWN = "<unk>"
SPECIAL = (BOS, EOS, UNKNOWN)
ENDING_SIZES = (3, 2, 1)

_CURLED = "\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}" + (
    "\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}"
)
_FOLDED = str.maketrans("123456789" + _CURLED, "0" * 9 + "''\"\"")

FORMAT = "pawsmith-trigram-1"
GAIN_STEP = 1 / 8
BACKOFF_STEP = 1 / 32
_LEVELS = 256
_STEPS = {"bigram_gain": GAIN_STEP, "pair_backoff": -BACKOFF_STEP, "trigram_gain": GAIN_STEP}
_ROWS_AT_ONCE = 10_000
_COUNTS = {"bigram_counts", "trigram_counts"}
_SORTED = {"bigram_second", "trigram_rank"}
Indices: TypeAlias = NDArray[np.integer[Any]]


def normal_form(word: str) -> str:
    """Normalise a word: lower case, every digit 0, straight quotation marks.

    >>> normal_form("1947"), normal_form("Born")
    ('0000', 'born')
    """
    return word.lower().translate(_FOLDED)


def ending_class(ending: str) -> str:
    """Return the vocabulary entry for unknown words with this ending.

    >>> ending_class("ing")
    '<-ing>'
    """
    return f"<-{ending}>"


class Vocabulary:
    """Words and word classes, numbered by their index in `words`.

    `words` begins with SPECIAL. An unknown word belongs to the class of its longest known ending
    (`<-ing>`, `<-ed>`, ...), or else to `<unk>`.
    """

    def __init__(self, words: Sequence[str]) -> None:
        if tuple(words[: len(SPECIAL)]) != SPECIAL:
            raise ValueError(f"a vocabulary begins with {', '.join(SPECIAL)}")
        self.words = tuple(words)
        self.bos, self.eos, self.unk = range(len(SPECIAL))
        self._ids = {word: number for number, word in enumerate(words) if number > self.unk}

    def __len__(self) -> int:
        return len(self.words)

    def ids(self, words: Sequence[str]) -> NDArray[np.int32]:
        """Return the number of each word, or of its class: shape (len(words),)."""
        return np.fromiter((self.id(word) for word in words), np.int32, len(words))

    def id(self, word: str) -> int:
        form = normal_form(word)
        number = self._ids.get(form)
        return self._unknown(form) if number is None else number

    def _unknown(self, form: str) -> int:
        classes = (self._ids.get(ending_class(form[-size:])) for size in ENDING_SIZES)
        return next((number for number in classes if number is not None), self.unk)


@dataclass(frozen=True, slots=True)
class NgramArrays:
    """A model of `n` words, `b` bigrams and `t` trigrams; logarithms are natural.

    Bigrams are sorted by (first, second). Trigrams are sorted by (prefix, rank): prefix is the
    index of (u, v) among the bigrams, rank the index of (v, w) among the bigrams that begin with v,
    so that the stored numbers are small (Pibiri and Venturini 2017, "Efficient data structures for
    massive n-gram datasets").
    """

    unigram: NDArray[np.floating[Any]]  # (n,) log p(w)
    word_backoff: NDArray[np.floating[Any]]  # (n,)
    bigram_counts: NDArray[np.integer[Any]]  # (n,) number of bigrams that begin with the word
    bigram_second: NDArray[np.uint16]  # (b,)
    bigram_gain: NDArray[np.floating[Any]]  # (b,)
    pair_backoff: NDArray[np.floating[Any]]  # (b,)
    trigram_counts: NDArray[np.integer[Any]]  # (b,) number of trigrams that begin with the bigram
    trigram_rank: NDArray[np.uint16]  # (t,)
    trigram_gain: NDArray[np.floating[Any]]  # (t,)


def as_stored(name: str, values: NDArray[Any]) -> NDArray[np.float16]:
    """Return the values as read back from a file: gains and pair back-offs in 256 steps."""
    if name in _STEPS:
        return _from_codes(name, _to_codes(name, values))
    return values.astype(np.float16)


def save_arrays(path: Path, words: tuple[str, ...], arrays: NgramArrays) -> None:
    stored: dict[str, Any] = {"format": np.array(FORMAT)}
    stored["words"] = np.frombuffer("\n".join(words).encode(), dtype=np.uint8)
    for field in fields(arrays):
        stored |= _encode(field.name, getattr(arrays, field.name))
    np.savez_compressed(path, **stored)


def load_arrays(path: Path) -> tuple[list[str], NgramArrays]:
    """Read the words and arrays of a model. Raises ValueError if the file has another format."""
    with np.load(path) as stored:
        if str(stored.get("format")) != FORMAT:
            raise ValueError(f"{path} is not a model in the format {FORMAT}")
        words = stored["words"].tobytes().decode().split("\n")
        names = [field.name for field in fields(NgramArrays)]
        return words, NgramArrays(**{name: _decode(name, stored) for name in names})


def _encode(name: str, values: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Encode one array; 16-bit numbers are split into two byte arrays that compress better."""
    if name in _STEPS:
        return {name: _to_codes(name, values)}
    if name not in _COUNTS | _SORTED:
        return {name: values.astype(np.float16)}
    numbers = values.astype(np.uint16)
    if name in _SORTED:  # differences wrap around, as does their sum when read
        numbers = np.diff(numbers, prepend=np.uint16(0))
    return {f"{name}.high": (numbers >> 8).astype(np.uint8), name: numbers.astype(np.uint8)}


def _decode(name: str, stored: Any) -> NDArray[Any]:
    if name in _STEPS:
        return _from_codes(name, stored[name])
    if name not in _COUNTS | _SORTED:
        return np.asarray(stored[name].astype(np.float16))
    numbers = stored[f"{name}.high"].astype(np.uint16) << 8 | stored[name]
    return np.cumsum(numbers, dtype=np.uint16) if name in _SORTED else np.asarray(numbers)


def _to_codes(name: str, values: NDArray[Any]) -> NDArray[np.uint8]:
    return np.clip(np.rint(values / _STEPS[name]), 0, _LEVELS - 1).astype(np.uint8)


def _from_codes(name: str, codes: NDArray[np.uint8]) -> NDArray[np.float16]:
    values = codes.astype(np.float16)
    values *= np.float16(_STEPS[name])  # exact: steps are powers of two
    return values


class NgramModel:
    """Log-probabilities of many trigrams, or of all trigrams of a set of words."""

    def __init__(
        self, vocabulary: Vocabulary, arrays: NgramArrays, *, identity: dict[str, str] | None = None
    ) -> None:
        self.vocabulary = vocabulary
        self.identity = identity or {"name": "in memory"}
        self._unigram = arrays.unigram
        self._word_backoff = arrays.word_backoff
        self._first_bigram = np.concatenate(([0], np.cumsum(arrays.bigram_counts, dtype=np.int64)))
        self._bigrams = _pack_keys(arrays.bigram_counts, arrays.bigram_second, np.uint32)
        self._trigrams = _pack_keys(arrays.trigram_counts, arrays.trigram_rank, np.uint64)
        self._bigram_gain = _append_zero(arrays.bigram_gain)
        self._pair_backoff = _append_zero(arrays.pair_backoff)
        self._trigram_gain = _append_zero(arrays.trigram_gain)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Load a model file. Raises ValueError if it is not one."""
        words, arrays = load_arrays(path)
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return cls(Vocabulary(words), arrays, identity={"name": path.name, "sha256": digest})

    def log_probs(self, ngrams: Indices) -> NDArray[np.float64]:
        """Return log p(w|u,v) in nats of each row (u, v, w): shape (n, 3) to (n,).

        The context of a sentence's first word is (bos, bos), that of its second word (bos, first).
        """
        word1, word2, word3 = ngrams.T
        prefix, suffix = self._bigram_index(word1, word2), self._bigram_index(word2, word3)
        rank = suffix - self._first_bigram[word2]
        trigram = np.where((prefix >= 0) & (suffix >= 0), self._trigram_index(prefix, rank), -1)
        bigram_log_probs = self._bigram_log_probs(word2, word3, suffix) + self._pair_backoff[prefix]
        return np.asarray(bigram_log_probs + self._trigram_gain[trigram])

    def by_frequency(self, may: NDArray[np.bool_]) -> NDArray[np.intp]:
        order = np.argsort(-self._unigram.astype(np.float64), kind="stable")
        return order[may[order]]

    def likeliest_after(self, word: int, ranked: NDArray[np.intp], number: int) -> NDArray[np.intp]:
        """Return the likeliest words after a word, of `ranked`, which has words by frequency.

        Words without a stored bigram are as likely as by themselves, so of these only the most
        frequent can be among the likeliest.
        """
        start, end = self._first_bigram[word : word + 2]
        stored = np.zeros(len(self.vocabulary), dtype=bool)
        stored[self._bigrams[start:end] & 0xFFFF] = True
        follows = stored[ranked]
        words = np.concatenate([ranked[follows], ranked[~follows][:number]])
        firsts = np.full(len(words), word)
        log_probs = self._bigram_log_probs(firsts, words, self._bigram_index(firsts, words))
        return words[np.argsort(-log_probs, kind="stable")[:number]]

    def stored_after(self, first: int, second: int) -> NDArray[np.intp]:
        """Return the words w for which the trigram (first, second, w) is stored."""
        prefix = int(self._bigram_index(np.array([first]), np.array([second]))[0])
        if prefix < 0:
            return np.empty(0, dtype=np.intp)
        bounds = np.array([prefix << 16, (prefix + 1) << 16], dtype=np.uint64)
        start, end = np.searchsorted(self._trigrams, bounds)
        rank = (self._trigrams[start:end] & np.uint64(0xFFFF)).astype(np.intp)
        followers = self._bigrams[self._first_bigram[second] + rank] & np.uint32(0xFFFF)
        return np.asarray(followers.astype(np.intp))

    def table(self, ids: Indices) -> NDArray[np.float64]:
        """Return log p(k|i,j) in nats for all i, j, k of m words: shape (m + 1, m + 1, m + 1).

        Index m is the beginning of the sentence on the first two axes and its end on the last, so
        table[m, m, k] is for the first word and table[i, j, m] for the end.
        """
        m = len(ids)
        contexts, lasts = np.append(ids, self.vocabulary.bos), np.append(ids, self.vocabulary.eos)
        prefix = self._bigram_index(contexts[:, None], contexts)
        suffix = prefix.copy()
        suffix[:, m] = self._bigram_index(contexts, lasts[m:])
        bigram_log_probs = self._bigram_log_probs(contexts[:, None], lasts, suffix)
        log_probs = self._pair_backoff[prefix].astype(np.float64)[:, :, None] + bigram_log_probs
        self._add_trigrams(log_probs.reshape(-1, m + 1), prefix, suffix, contexts)
        return np.asarray(log_probs)

    def _add_trigrams(
        self, log_probs: NDArray[np.float64], prefix: Indices, suffix: Indices, contexts: Indices
    ) -> None:
        """Add the gains of stored trigrams to a table whose rows are pairs of words."""
        pairs = np.flatnonzero(prefix >= 0)
        middle = pairs % len(contexts)
        row, last = np.nonzero(suffix[middle] >= 0)
        rank = (suffix - self._first_bigram[contexts][:, None])[middle[row], last]
        trigram = self._trigram_index(prefix.ravel()[pairs[row]], rank)
        has_trigram = trigram >= 0
        log_probs[pairs[row[has_trigram]], last[has_trigram]] += self._trigram_gain[
            trigram[has_trigram]
        ]

    def _bigram_log_probs(
        self, first: Indices, last: Indices, bigram: Indices
    ) -> NDArray[np.float64]:
        shorter = self._word_backoff[first].astype(np.float64) + self._unigram[last]
        return np.asarray(shorter + self._bigram_gain[bigram])

    def _bigram_index(self, first: Indices, second: Indices) -> NDArray[np.intp]:
        """Return the index of each pair among the bigrams, or -1 if not stored."""
        return _find(self._bigrams, first.astype(np.uint32) << 16 | second.astype(np.uint32))

    def _trigram_index(self, prefix: Indices, rank: Indices) -> NDArray[np.intp]:
        """Return the index of each trigram, or -1 if not stored."""
        return _find(self._trigrams, prefix.astype(np.uint64) << 16 | rank.astype(np.uint64))


@cache
def load_embedded() -> NgramModel:
    """Return the English model that ships with Pawsmith. Raises OSError or ValueError."""
    return NgramModel.load(EMBEDDED_FILE)


def _pack_keys(counts: Indices, lower: Indices, key_type: type[np.unsignedinteger[Any]]) -> Indices:
    """Pack row number and 16 lower bits into one key, and append a maximal sentinel."""
    keys = np.full(len(lower) + 1, np.iinfo(key_type).max, key_type)
    end = 0
    for first in range(0, len(counts), _ROWS_AT_ONCE):  # numpy repeats with numbers of 8 bytes
        counts_of_rows = counts[first : first + _ROWS_AT_ONCE]
        rows = np.arange(first, first + len(counts_of_rows), dtype=key_type)
        repeated = np.repeat(rows << key_type(16), counts_of_rows)
        start, end = end, end + len(repeated)
        keys[start:end] = repeated | lower[start:end]
    return keys


def _append_zero(values: NDArray[Any]) -> NDArray[Any]:
    """Append a zero, so that index -1 returns 0."""
    return np.append(values, values.dtype.type(0))


def _find(keys: Indices, wanted: Indices) -> NDArray[np.intp]:
    place = np.searchsorted(keys, wanted)
    return np.where(keys[place] == wanted, place, -1)
