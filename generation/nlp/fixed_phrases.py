"""Finds phrases that must not move: quoted, bracketed, glued, in ranges, compared with others."""

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

from generation.nlp.phrases import ORDINALS, Kind, Phrase, is_symbol, word_set
from generation.nlp.sense_rules import STAYING
from generation.nlp.tagging import Token

OPENING, CLOSING = frozenset("([{"), frozenset(")]}")
QUOTES_OPENING, QUOTES_CLOSING = word_set("“ `` « „"), word_set("” '' »")
STRAIGHT_QUOTE = '"'
CURRENCIES = frozenset("$£€¥")
# Characters that may touch a word without being part of it.
BEFORE_WORDS = OPENING | QUOTES_OPENING | CURRENCIES | {STRAIGHT_QUOTE}
AFTER_WORDS = (
    CLOSING | QUOTES_CLOSING | {STRAIGHT_QUOTE} | word_set(", . ; : ? ! ' ’ 's ’s ... … %")
)

RANGE_WORDS = word_set("to until till through and or of – — -") | {"out of"}
DIRECTIONS = word_set("to until till through")
BETWEEN_RANGE_ENDS = CURRENCIES | word_set(
    "early mid late about around over nearly the its his her their"
)

# Words that compare the numbers of a sentence.
MEASURES = word_set(
    "than total maximum minimum altogether respectively increased decreased reduced rose risen fell"
    " fallen grew grown dropped followed"
)
# Words that order its dates and ordinals in time.
TIMES = word_set(
    "will 'll shall until till since before after later earlier then again next previously"
    " followed following onwards"
)
WHOLES = word_set("which whom them these those the a an its their")
# Words before a number that is a bound, a change or a remainder.
BEFORE_NUMBERS = word_set(
    "from to or than all only another other remaining which whom with including"
)
# Words before a date that is the beginning or end of a period.
BEFORE_DATES = word_set("from to until till since before after by than through")
SKIPPED_WORDS = word_set("the a about around nearly almost over late early mid $ £ € ¥")
LISTING = word_set(": – — --")
REACH = 6  # words after a number within which it may be restated
POSSESSIVES = ("POS", "PRP$")


def find_fixed(
    tokens: Sequence[Token],
    phrases: Sequence[Phrase],
    *,
    quotes: bool,
    brackets: bool,
    dependent: bool,
) -> set[int]:
    """Return places of tokens whose phrases must not move: parts of words, and those asked for.

    Names with a doubled space inside stay too, as they would take it along. `dependent` are ranges,
    numbers and dates that others depend on, names mentioned twice, what an emoji illustrates, and
    STAYING.
    """
    fixed = {
        phrase.start
        for phrase in phrases
        if is_glued(tokens, phrase.start, phrase.end) or has_doubled_space(tokens, phrase)
    }
    if dependent:
        fixed |= (
            starts_in_ranges(tokens, phrases)
            | starts_compared(tokens, phrases)
            | starts_mentioned_again(tokens, phrases)
        )
        fixed |= starts_before_symbols(tokens, phrases)
        fixed = fixed.union(*(starts(tokens, phrases) for starts in STAYING.values()))
    fixed |= places_in_brackets(tokens) if brackets else set()
    return fixed | (places_in_quotes(tokens) if quotes else set())


def places_in_brackets(tokens: Sequence[Token]) -> set[int]:
    """Return the places of tokens in round, square or curly brackets, opening bracket included."""
    steps = ((token.text in OPENING) - (token.text in CLOSING) for token in tokens)
    depths = accumulate(steps, lambda depth, step: max(depth + step, 0))
    return {place for place, depth in enumerate(depths) if depth}


def places_in_quotes(tokens: Sequence[Token]) -> set[int]:
    """Return the places of tokens in quotation marks; an unclosed quotation extends to the end."""
    return {place for place, inside in enumerate(_quote_flags(tokens)) if inside}


def _quote_flags(tokens: Sequence[Token]) -> Iterator[bool]:
    inside = False
    for token in tokens:
        if token.text in QUOTES_OPENING:
            inside = True
        elif token.text in QUOTES_CLOSING:
            inside = False
        elif token.text == STRAIGHT_QUOTE:
            inside = not inside
        yield inside


def is_glued(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether tokens[start:end] touch more than punctuation: a hyphen, a slash, a unit."""
    to_left = (
        start > 0 and not tokens[start - 1].space and tokens[start - 1].text not in BEFORE_WORDS
    )
    right = end < len(tokens) and not tokens[end - 1].space and tokens[end].text not in AFTER_WORDS
    return to_left or right


def starts_before_symbols(tokens: Sequence[Token], phrases: Sequence[Phrase]) -> set[int]:
    """Return starts of phrases with an emoji or a sign after them: "pizza 🍕", "Acme ™"."""
    after = ((phrase.start, tokens[phrase.end : phrase.end + 1]) for phrase in phrases)
    return {start for start, symbol in after if symbol and is_symbol(symbol[0].text)}


def has_doubled_space(tokens: Sequence[Token], phrase: Phrase) -> bool:
    return any(len(token.space) > 1 for token in tokens[phrase.start : phrase.end - 1])


def starts_in_ranges(tokens: Sequence[Token], phrases: Sequence[Phrase]) -> set[int]:
    """Return starts of dates and numbers in ranges: "from 1990 to 1995", "six of the nine"."""
    starts: set[int] = set()
    for phrase1, phrase2 in pairwise(
        phrase for phrase in phrases if phrase.kind in (Kind.DATE, Kind.NUMBER)
    ):
        between = tokens[phrase1.end : phrase2.start]
        if _words(between) in RANGE_WORDS or _words(_drop_units(between)) in DIRECTIONS:
            starts |= {phrase1.start, phrase2.start}
    return starts


def _words(between: Sequence[Token]) -> str:
    words = (token.text.lower() for token in between)
    return " ".join(word for word in words if word not in BETWEEN_RANGE_ENDS)


def _drop_units(between: Sequence[Token]) -> list[Token]:
    return [token for token in between if token.text != "%" and token.tag[:2] != "NN"]


def starts_mentioned_again(tokens: Sequence[Token], phrases: Sequence[Phrase]) -> set[int]:
    """Return starts of names whose words all occur in another name, and of that other name."""
    names = [
        (phrase.start, {token.text for token in tokens[phrase.start : phrase.end]})
        for phrase in phrases
        if phrase.kind is Kind.NAME
    ]
    pairs = ((a, b) for a in names for b in names if a[0] != b[0] and a[1] <= b[1])
    return {start for mention1, mention2 in pairs for start in (mention1[0], mention2[0])}


def starts_compared(tokens: Sequence[Token], phrases: Sequence[Phrase]) -> set[int]:
    """Return the starts of numbers, ordinals and dates that others in the sentence depend on.

    Moving one would contradict the rest: "thirteen stayed, twenty of whom were ill".
    """
    words = {token.text.lower() for token in tokens}
    has_order, has_measure = not words.isdisjoint(TIMES), not words.isdisjoint(MEASURES)
    fixed: set[int] = set()
    for phrase in phrases:
        if phrase.kind is Kind.NUMBER:
            stays = has_measure or _is_measured(tokens, phrase)
        elif phrase.kind is Kind.DATE:
            stays = has_order or _is_bound(tokens, phrase)
        else:
            stays = has_order and tokens[phrase.start].text.lower() in ORDINALS
        fixed |= {phrase.start} if stays else set()
    return fixed


def _is_bound(tokens: Sequence[Token], date: Phrase) -> bool:
    """Whether a date is a start or end: "since 1910", "as of May 2018"."""
    word, two = _two_before(tokens, date.start)
    return word in BEFORE_DATES or (two, word) == ("as", "of")


def _is_measured(tokens: Sequence[Token], number: Phrase) -> bool:
    return (
        _two_before(tokens, number.start)[0] in BEFORE_NUMBERS
        or _is_whole(tokens, number.start)
        or _is_part(tokens, number.end)
        or _is_restated(tokens, number.end)
        or _is_aside(tokens, number)
    )


def _two_before(tokens: Sequence[Token], place: int) -> tuple[str, str]:
    """Return the last two words before a place, nearest first, skipping articles and the like."""
    words = [w for token in tokens[:place] if (w := token.text.lower()) not in SKIPPED_WORDS]
    word, two = ["", "", *words][:-3:-1]
    return word, two


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


def _is_restated(tokens: Sequence[Token], end: int) -> bool:
    """Whether the number is restated or itemised: "15 mm (0.59 in)", "3 cups: ", "9 men or 10%"."""
    for place, token in enumerate(tokens[end : end + REACH], end):
        if token.text in LISTING:
            return True
        if token.text in ("(", "or"):
            return any(follower.tag == "CD" for follower in tokens[place + 1 : place + 3])
    return False


def _is_aside(tokens: Sequence[Token], number: Phrase) -> bool:
    """Whether a number is between commas, such as an age: "Ann Lee, 37, won"."""
    around = [token.text for token in (*tokens[: number.start][-1:], *tokens[number.end :][:1])]
    return around == [",", ","]
