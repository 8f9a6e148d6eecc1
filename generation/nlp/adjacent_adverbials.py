"""Two adverbials side by side that change places: "died in York in 1951", "died in 1951 in York".

One of them is a time. Most of these pairs are paraphrases, and their words are no rotation.
"""

from collections.abc import Iterator, Mapping, Sequence

from generation.nlp.moves import Move, arrange
from generation.nlp.noun_phrases import join_noun_phrases
from generation.nlp.phrases import Kind, Phrase, word_set
from generation.nlp.tagging import Token
from generation.nlp.templates import Sentence

BEFORE_OTHERS = word_set("in at by near with for to from on as into under")
BEFORE_DATES = word_set("in on during")
AFTER_MARKS = word_set("CC VBD VBZ VBP MD PRP RB VBG")
NOUNS = (Kind.NAME, Kind.NOUN_PHRASE, Kind.NOUN)


def build(sentence: Sentence) -> Iterator[Move]:
    tokens = sentence.tokens
    parts = list(join_noun_phrases(tokens, sentence.phrases))
    of_start = {part.start: part for part in parts}
    of_end = {part.end: part for part in parts}
    for date in parts:
        place = date.start - 1
        if date.kind is not Kind.DATE or place < 1 or tokens[place].text not in BEFORE_DATES:
            continue
        before, after = of_end.get(place), of_start.get(date.end + 1)
        if before and _is_other(sentence, before) and _ends(tokens, date.end):
            yield from _exchange(sentence, before, before.start - 1, place, date.end)
        if after and _is_other(sentence, after) and _is_apart(tokens, after.end):
            yield from _exchange(sentence, after, place, date.end, after.end)


def _is_other(sentence: Sentence, phrase: Phrase) -> bool:
    """Whether a preposition and this phrase are an adverbial that may move."""
    before = sentence.tokens[phrase.start - 1] if phrase.start else None
    return (
        phrase.kind in NOUNS
        and before is not None
        and before.text in BEFORE_OTHERS
        and sentence.is_free(phrase)
    )


def _ends(tokens: Sequence[Token], place: int) -> bool:
    """Whether the date's clause ends here, and no list of dates continues."""
    after = [token.tag for token in tokens[place : place + 2]]
    if after[:1] == ["CC"]:
        return not {*after[1:]}.isdisjoint(AFTER_MARKS)
    return after[:1] in (["."], [","], [":"]) and after[-1] != "CD"


def _is_apart(tokens: Sequence[Token], place: int) -> bool:
    """Whether nothing that follows may belong to the noun before it: "in York, a town"."""
    after = [token.tag for token in tokens[place : place + 2]]
    return after[:1] == ["."] or (
        len(after) == 2 and after[0] in (",", "CC") and after[1] in AFTER_MARKS
    )


def _exchange(
    sentence: Sentence, phrase: Phrase, start: int, middle: int, end: int
) -> Iterator[Move]:
    """Yield the exchange of tokens[start:middle] and tokens[middle:end], after a verb or noun."""
    tokens = sentence.tokens
    before = tokens[start - 1]
    if start < 1 or before.tag[:2] not in ("VB", "NN"):
        return
    order = (slice(0, start), slice(middle, end), slice(start, middle), slice(end, len(tokens) - 1))
    yield Move(
        arrange(sentence, order),
        frozenset(range(start, end)),
        _features(sentence, phrase, start, end),
        reattaches=True,
    )


def _features(sentence: Sentence, phrase: Phrase, start: int, end: int) -> Mapping[str, float]:
    tokens = sentence.tokens
    preposition = tokens[phrase.start - 1].text
    return {
        "is_adverbial": 1.0,
        "adverbials_exchanged": 1.0,
        "pair_after_noun": tokens[start - 1].tag[:2] == "NN",
        "pair_words": end - start,
        "pair_place": preposition in ("in", "at", "near"),
        "pair_by": preposition == "by",
        "pair_at_end": end == len(tokens) - 1,
        "date_first": phrase.end == end,
    }
