"""The kind of words that changed places, of pairs whose two sentences have the same words."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import TypeAlias

from evaluation.data import Pairs, Unusable
from generation.nlp import phrases
from generation.nlp.phrases import Kind
from generation.nlp.tagging import TaggedSentence, Tagger, Token
from generation.nlp.words import words

DIFFERENT = "not_the_same_words"
# They often move along with other words, so they count only if no other words moved.
MINOR = frozenset({Kind.OTHER, Kind.PREPOSITION})
Spelled: TypeAlias = tuple[str, ...]


def kinds_of_change(pairs: Pairs, tagger: Tagger) -> dict[str, str]:
    rows = zip(pairs.ids, pairs.first, pairs.second, strict=True)
    pairs_with_same_words = [
        pair for pair in rows if sorted(_words(pair[1])) == sorted(_words(pair[2]))
    ]
    tagged = tagger.tag(text for pair in pairs_with_same_words for text in pair[1:])
    kind_of = {
        key: str(kind_of_change(next(tagged), next(tagged))) for key, *_ in pairs_with_same_words
    }
    return {key: kind_of.get(key, DIFFERENT) for key in pairs.ids}


def kinds_as_text(kinds: Mapping[str, str]) -> str:
    return "".join(f"{key}\t{name}\n" for key, name in [("id", "kind"), *kinds.items()])


def read_kinds(path: Path, pairs: Pairs) -> dict[str, str] | None:
    """Return the kinds in a file by pair; None without a file. Raises Unusable for other pairs."""
    if not path.is_file():
        return None
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()[1:]
    kind_of = {key: name for key, _tab, name in (line.partition("\t") for line in lines)}
    if {*kind_of} != {*pairs.ids} or not {*kind_of.values()} <= {*Kind, DIFFERENT}:
        raise Unusable(f"{path} is damaged. Evaluate the release again, which writes this file.")
    return kind_of


def kind_of_change(first: TaggedSentence, second: TaggedSentence) -> Kind:
    """Return the kind of what moved between two sentences with the same words.

    Names, dates and numbers move as a whole, as in word swap. MIXED: words of several kinds moved.
    """
    words = _spell(second.tokens)
    parts = list(_phrases_and_kinds(first, words))
    parts_before = [part for part, _ in parts]
    moved_kinds = {
        parts[place][1]
        for place in _moved_places(parts_before, _cut_into_parts(words, parts_before))
    }
    kinds = (moved_kinds - MINOR) or moved_kinds or {Kind.OTHER}
    return kinds.pop() if len(kinds) == 1 else Kind.MIXED


def _words(text: str) -> list[str]:
    return list(map(_same, words(text.casefold())))


def _spell(tokens: Sequence[Token]) -> Spelled:
    return tuple(_same(token.text.casefold()) for token in tokens)


def _same(word: str) -> str:
    """Return one form of the indefinite article, which follows the next word."""
    return "a" if word == "an" else word


def _phrases_and_kinds(first: TaggedSentence, other: Spelled) -> Iterator[tuple[Spelled, Kind]]:
    """Yield the phrases of a sentence; those that the other sentence breaks up, word by word."""
    spelled, text = _spell(first.tokens), f" {' '.join(other)} "
    for phrase in phrases.find(first, entity_probability=0.0):
        part = spelled[phrase.start : phrase.end]
        is_whole = f" {' '.join(part)} " in text
        for words_of_part in [part] if is_whole else [(word,) for word in part]:
            yield words_of_part, phrase.kind


def _cut_into_parts(words: Spelled, parts: Sequence[Spelled]) -> list[Spelled]:
    """Cut a sentence into these parts, the longest first, and into words where none fits."""
    numbers_left = Counter(parts)
    lengths = sorted({len(part) for part in parts}, reverse=True)
    cuts: list[Spelled] = []
    place = 0
    while place < len(words):
        heads = (words[place : place + length] for length in lengths)
        part = next((head for head in heads if numbers_left[head] > 0), words[place : place + 1])
        numbers_left[part] -= 1
        cuts.append(part)
        place += len(part)
    return cuts


def _moved_places(before: Sequence[Spelled], after: Sequence[Spelled]) -> set[int]:
    """Return the places of the parts that moved.

    If parts have exchanged their places, these are where the sentences differ; if some have moved
    to another place, those that are in no common subsequence.
    """
    places = range(len(before))
    exchanged = {at for at in places if list(before[at : at + 1]) != list(after[at : at + 1])}
    common = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    shifted = {*places} - {block.a + at for block in common for at in range(block.size)}
    return exchanged if len(exchanged) <= 2 * len(shifted) else shifted
