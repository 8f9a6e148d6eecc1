"""Finds numbers and dates that are compared with others in a sentence and must not move.

Swapping one would contradict the rest: "thirteen stayed, twenty of whom were ill".
"""

from collections.abc import Sequence

from generation.nlp.change_kinds import Kind
from generation.nlp.grammar_frames import ORDINALS
from generation.nlp.phrases import Phrase
from generation.nlp.tagging import Token


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that compare the numbers of a sentence.
MEASURES = _words(
    "than total maximum minimum altogether respectively increased decreased reduced rose risen fell"
    " fallen grew grown dropped followed"
)
# Words that order its dates and ordinals in time.
TIMES = _words(
    "will 'll shall until till since before after later earlier then again next previously"
    " followed following onwards"
)
WHOLES = _words("which whom them these those the a an its their")
# Words before a number that is a bound, a change or a remainder.
BEFORE_NUMBERS = _words(
    "from to or than all only another other remaining which whom with including"
)
# Words before a date that is the beginning or end of a period.
BEFORE_DATES = _words("from to until till since before after by than through")
LISTING = frozenset((":", "–", "—", "--"))
REACH = 6  # words after a number within which it may be restated
PASSED_OVER = _words("the a about around nearly almost over late early mid $ £ € ¥")
POSSESSIVES = ("POS", "PRP$")


def compared(tokens: Sequence[Token], found: Sequence[Phrase]) -> set[int]:
    """Return the starts of numbers, ordinals and dates that must not move because of context."""
    words = {token.text.lower() for token in tokens}
    has_order, has_measure = not words.isdisjoint(TIMES), not words.isdisjoint(MEASURES)
    held: set[int] = set()
    for phrase in found:
        if phrase.kind is Kind.NUMBER:
            stays = has_measure or _is_measured(tokens, phrase)
        elif phrase.kind is Kind.DATE:
            stays = has_order or _is_bound(tokens, phrase)
        else:
            stays = has_order and tokens[phrase.start].text.lower() in ORDINALS
        held |= {phrase.start} if stays else set()
    return held


def _is_bound(tokens: Sequence[Token], date: Phrase) -> bool:
    """Whether a date is a start or end: "since 1910", "as of May 2018"."""
    one, two = _two_before(tokens, date.start)
    return one in BEFORE_DATES or (two, one) == ("as", "of")


def _is_measured(tokens: Sequence[Token], number: Phrase) -> bool:
    return (
        _two_before(tokens, number.start)[0] in BEFORE_NUMBERS
        or _is_whole(tokens, number.start)
        or _is_part(tokens, number.end)
        or _is_said_again(tokens, number.end)
        or _is_aside(tokens, number)
    )


def _two_before(tokens: Sequence[Token], place: int) -> tuple[str, str]:
    """Return the last two words before a place, nearest first, skipping articles and the like."""
    words = [w for token in tokens[:place] if (w := token.text.lower()) not in PASSED_OVER]
    one, two = ["", "", *words][:-3:-1]
    return one, two


def _is_whole(tokens: Sequence[Token], start: int) -> bool:
    """Whether the number is a whole with parts: "of the nine", "a total of 40", "out of 12"."""
    before = tokens[max(start - 2, 0) : start]
    words = [token.text.lower() for token in before]
    has_owner = bool(before) and before[-1].tag in POSSESSIVES
    return has_owner or words in (["of", "the"], ["total", "of"], ["out", "of"])


def _is_part(tokens: Sequence[Token], end: int) -> bool:
    """Whether the number is a part of a whole: "ten of which", "5 % of them"."""
    words = [token.text.lower() for token in tokens[end : end + 3] if token.text != "%"]
    return words[:1] == ["of"] and words[1:2] != [] and words[1] in WHOLES


def _is_said_again(tokens: Sequence[Token], end: int) -> bool:
    """Whether the number is restated or itemised: "15 mm (0.59 in)", "3 cups: ", "9 men or 10%"."""
    for place, token in enumerate(tokens[end : end + REACH], end):
        if token.text in LISTING:
            return True
        if token.text in ("(", "or"):
            return any(follower.tag == "CD" for follower in tokens[place + 1 : place + 3])
    return False


def _is_aside(tokens: Sequence[Token], number: Phrase) -> bool:
    """Whether a number is between commas, such as an age: "Ann Lee, 37, won"."""
    beside = [token.text for token in (*tokens[: number.start][-1:], *tokens[number.end :][:1])]
    return beside == [",", ","]
