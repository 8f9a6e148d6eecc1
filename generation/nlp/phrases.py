"""Splits a tagged sentence into words, names, dates and numbers that move as a unit (PAWS 3.1)."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from generation.nlp.tagging import Entity, TaggedSentence, Token

# What follows the name of a town: "Austin, Texas".
_UNITED_STATES = """Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida
Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts
Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico
New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina
South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming
AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|ID|IL|IA|KS|KY|LA|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|PA
RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|D.C.|DC|USA|U.S."""
_PROVINCES = """Alberta|British Columbia|Manitoba|New Brunswick|Newfoundland|Nova Scotia|Ontario
Quebec|Saskatchewan|New South Wales|Queensland|South Australia|Tasmania|Victoria
Western Australia|England|Scotland|Wales|Northern Ireland|Bavaria|Saxony|Lombardy|Tuscany|Sicily"""
_COUNTRIES = """Argentina|Australia|Austria|Bangladesh|Belgium|Bolivia|Brazil|Bulgaria|Canada|Chile
China|Colombia|Croatia|Cuba|Denmark|Ecuador|Egypt|Ethiopia|Finland|France|Germany|Ghana|Greece
Hungary|Iceland|India|Indonesia|Iran|Iraq|Ireland|Israel|Italy|Jamaica|Japan|Jordan|Kenya|Lebanon
Malaysia|Mexico|Morocco|Nepal|Netherlands|New Zealand|Nigeria|Norway|Pakistan|Panama|Peru
Philippines|Poland|Portugal|Romania|Russia|Saudi Arabia|Serbia|Slovakia|Slovenia|South Africa
South Korea|Spain|Sri Lanka|Sudan|Sweden|Switzerland|Syria|Taiwan|Tanzania|Thailand|Turkey|Uganda
Ukraine|Uruguay|Venezuela|Vietnam|Zambia|Zimbabwe"""

REGIONS = frozenset(
    name
    for block in (_UNITED_STATES, _PROVINCES, _COUNTRIES)
    for line in block.split("\n")
    for name in line.split("|")
)

_MONTHS = "january february march april may june july august september october november december"
_DAYS = "monday tuesday wednesday thursday friday saturday sunday"
_SEASONS = "spring summer autumn fall winter"
_MONTH_NUMBERS = {month: number for number, month in enumerate(_MONTHS.title().split(), 1)}
_LETTERS = {
    **dict.fromkeys(_MONTHS.title().split(), "m"),
    **dict.fromkeys(_DAYS.title().split(), "w"),
    **dict.fromkeys(_SEASONS.split(), "s"),
    ",": ",",
    "of": "o",
    "century": "c",
}
_NUMBER_LETTERS = (
    (re.compile(r"(?:1\d|20)\d\d"), "y"),
    (re.compile(r"(?:1\d|20)?\d0s"), "e"),
    (re.compile(r"(?:0?[1-9]|[12]\d|3[01])"), "d"),
    (re.compile(r"(?:[12]?1st|2?2nd|2?3rd|1?[4-9]th|1[0-3]th|20th)"), "t"),
)
# One letter per token; the first form that matches at a place is used.
_FORMS = (
    ("full", re.compile(r"dm,?y|md,y")),
    ("day", re.compile(r"dm|md")),
    ("month", re.compile(r"mo?,?y")),
    ("season", re.compile(r"so?y")),
    ("century", re.compile(r"tc")),
    ("year", re.compile(r"y")),
    ("decade", re.compile(r"e")),
    ("month_name", re.compile(r"m")),
    ("weekday", re.compile(r"w")),
)
PROPER = ("NNP", "NNPS")
UNCERTAIN = "?"
# Unicode categories of emoji, their modifiers and joiners, and signs such as "™".
SYMBOLS = frozenset({"So", "Sk", "Mn", "Cf"})
# "" is the beginning of a sentence.
BEFORE_TOWNS = frozenset({"", "in", "at", "from", "to", "near", "of", "outside"})


class Kind(StrEnum):
    """The kind of a template slot, or of a whole swap.

    MIXED applies to whole swaps only: slots of more than one kind have changed.
    """

    NAME = "name"
    DATE = "date"
    NUMBER = "number"
    ADJECTIVE = "adjective"
    NOUN = "noun"
    VERB = "verb"
    ADVERB = "adverb"
    PREPOSITION = "preposition"
    NOUN_PHRASE = "noun_phrase"
    ADVERBIAL = "adverbial"
    OTHER = "other"
    MIXED = "mixed"


MOVABLE = tuple(kind for kind in Kind if kind not in (Kind.OTHER, Kind.MIXED))

# Penn Treebank tags; words with any other tag are of the kind OTHER.
_KIND_OF_TAG = {
    **dict.fromkeys(PROPER, Kind.NAME),
    "CD": Kind.NUMBER,
    **dict.fromkeys(("JJ", "JJR", "JJS"), Kind.ADJECTIVE),
    **dict.fromkeys(("NN", "NNS"), Kind.NOUN),
    **dict.fromkeys(("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"), Kind.VERB),
    **dict.fromkeys(("RB", "RBR", "RBS"), Kind.ADVERB),
    **dict.fromkeys(("IN", "TO", "RP"), Kind.PREPOSITION),
}


def kind_of(token: Token) -> Kind:
    """Return the kind of a word by its tag; marks and emoji are of the kind OTHER."""
    return _KIND_OF_TAG.get(token.tag, Kind.OTHER) if has_letter(token.text) else Kind.OTHER


def has_letter(text: str) -> bool:
    """Whether a token has a letter or digit, unlike "@", "%" and emoji."""
    return text.isalnum() or any(map(str.isalnum, text))


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


ORDINALS = word_set("first second third fourth fifth sixth seventh eighth ninth tenth")


@dataclass(frozen=True, slots=True)
class Date:
    """A date over words[start:end]; only dates of the same form can replace each other."""

    start: int
    end: int
    form: str


def find_dates(words: Sequence[str]) -> list[Date]:
    """Return the dates in a sentence, in order and without overlap.

    >>> find_dates(["On", "April", "2", ",", "1947", "it", "rained"])
    [Date(start=1, end=5, form='full')]
    """
    return list(_scan_dates("".join(map(_date_letter, words))))


def date_order(words: Sequence[str]) -> tuple[int, int, int]:
    """Return year (or decade, or century), month and day of a date, 0 for missing parts.

    >>> date_order(["April", "2", ",", "1947"]) < date_order(["May", "1947"])
    True
    """
    year = month = day = 0
    for word in words:
        number = int("0" + "".join(filter(str.isdigit, word)))
        if word in _MONTH_NUMBERS:
            month = _MONTH_NUMBERS[word]
        elif _date_letter(word) == "d":
            day = number
        elif number:
            year = number
    return year, month, day


def _scan_dates(letters: str) -> Iterator[Date]:
    place = 0
    while place < len(letters):
        date = None if letters[place] == "." else _date_at(letters, place)
        if date:
            yield date
        place = date.end if date else place + 1


def _date_at(letters: str, place: int) -> Date | None:
    for form, pattern in _FORMS:
        if match := pattern.match(letters, place):
            return Date(place, match.end(), form)
    return None


def _date_letter(word: str) -> str:
    if not word[0].isdigit():
        return _LETTERS.get(word, ".")
    return next((letter for pattern, letter in _NUMBER_LETTERS if pattern.fullmatch(word)), ".")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A word or a merged phrase over tokens[start:end].

    `label` is the tag in the template: an entity's type, a date's form, a word's Penn tag. It is
    UNCERTAIN if the boundaries of a name are uncertain.
    """

    start: int
    end: int
    kind: Kind
    label: str


def find(tagged: TaggedSentence, *, entity_probability: float) -> list[Phrase]:
    """Split the sentence into phrases, in order and without gaps.

    Multi-word dates are merged first, then names, then numbers; a name that consists of a date,
    such as "May", is a date. An entity with a probability below `entity_probability` is merged but
    UNCERTAIN; one without a probability is trusted.
    """
    tokens = tagged.tokens
    names = list(_name_phrases(tagged, entity_probability))
    spans = {(name.start, name.end) for name in names}
    dates = list(_date_phrases(tokens))
    merged = [
        date for date in dates if date.end - date.start > 1 or (date.start, date.end) in spans
    ]
    for group in (names, dates, _number_phrases(tokens)):
        merged += _unclaimed_phrases(group, merged)
    words = (
        Phrase(place, place + 1, kind_of(token), token.tag) for place, token in enumerate(tokens)
    )
    return sorted([*merged, *_unclaimed_phrases(words, merged)], key=lambda phrase: phrase.start)


def _unclaimed_phrases(phrases: Iterable[Phrase], claimed: Sequence[Phrase]) -> list[Phrase]:
    places = {place for phrase in claimed for place in range(phrase.start, phrase.end)}
    return [phrase for phrase in phrases if places.isdisjoint(range(phrase.start, phrase.end))]


def _date_phrases(tokens: Sequence[Token]) -> Iterator[Phrase]:
    for date in find_dates([token.text for token in tokens]):
        after = tokens[date.end].tag if date.end < len(tokens) else ""
        is_count = date.form == "year" and after == "NNS"
        is_modal = date.form == "month_name" and tokens[date.start].tag not in PROPER
        if not is_count and not is_modal:
            yield Phrase(date.start, date.end, Kind.DATE, date.form)


def _number_phrases(tokens: Sequence[Token]) -> Iterator[Phrase]:
    kinds = enumerate(map(kind_of, tokens))
    for kind, group in groupby(kinds, key=lambda item: item[1]):
        places = [place for place, _ in group]
        if kind is Kind.NUMBER:
            yield Phrase(places[0], places[-1] + 1, Kind.NUMBER, "CD")


def _name_phrases(tagged: TaggedSentence, entity_probability: float) -> Iterator[Phrase]:
    """Yield runs of proper nouns and entity words; an "of" between two of them joins them.

    A town and its state or country are one name: "Austin, Texas".
    """
    labels = _label_tokens(tagged, entity_probability)
    place = 0
    while place < len(labels):
        end = _run_end(tagged.tokens, labels, place)
        if end > place:
            label = _run_label(labels[place:end])
            end = _region_end(tagged.tokens, labels, place, end)
            yield Phrase(place, end, Kind.NAME, label)
        place = max(end, place + 1)


def _label_tokens(tagged: TaggedSentence, entity_probability: float) -> list[str]:
    """Return, per token, its entity's label, UNCERTAIN, a proper noun's tag, or "".

    Emoji and other symbols have none: they belong to the sentence, not to the name before them.
    """
    tokens = tagged.tokens
    labels = [token.tag if token.tag in PROPER else "" for token in tokens]
    for entity in tagged.entities:
        start, end = trim_entity(tokens, entity)
        if any(labels[start:end]) or end - start > 1:
            is_certain = entity.probability is None or entity.probability >= entity_probability
            labels[start:end] = [entity.label if is_certain else UNCERTAIN] * (end - start)
    return [
        "" if label and is_symbol(token.text) else label
        for token, label in zip(tokens, labels, strict=True)
    ]


def is_symbol(text: str) -> bool:
    """Whether a token is an emoji or the like; "&" and "!" are not, they may be part of a name."""
    return not has_letter(text) and not SYMBOLS.isdisjoint(map(unicodedata.category, text))


def trim_entity(tokens: Sequence[Token], entity: Entity) -> tuple[int, int]:
    start = entity.start + (tokens[entity.start].tag == "DT")
    return start, entity.end - (tokens[entity.end - 1].tag == "POS")


def _run_end(tokens: Sequence[Token], labels: Sequence[str], place: int) -> int:
    while place < len(labels) and labels[place]:
        place += 1
        joins_next = place + 1 < len(labels) and tokens[place].text == "of" and labels[place + 1]
        place += bool(joins_next and labels[place - 1])
    return place


def _region_end(tokens: Sequence[Token], labels: Sequence[str], start: int, end: int) -> int:
    """Return the end of the region that follows the town tokens[start:end], or `end`.

    "Paris, Texas" is one place. In a list, "in France, Spain and Italy", the second name is no
    region of the first.
    """
    before = tokens[start - 1].text.lower() if start else ""
    if not _is_comma(tokens, end) or before not in BEFORE_TOWNS:
        return end
    after = _run_end(tokens, labels, end + 1)
    if _text(tokens[start:end]) in REGIONS or _text(tokens[end + 1 : after]) not in REGIONS:
        return end
    # A sentence may begin with a list of names, which continues after a comma.
    return end if _list_goes_on(tokens, labels, after, comma=not start) else after


def _is_comma(tokens: Sequence[Token], place: int) -> bool:
    return place < len(tokens) and tokens[place].text == ","


def _text(tokens: Sequence[Token]) -> str:
    return " ".join(token.text for token in tokens)


def _list_goes_on(tokens: Sequence[Token], labels: Sequence[str], end: int, *, comma: bool) -> bool:
    """Whether a conjunction, or with `comma` a comma, joins another name at `end`."""
    following = end
    if comma and _is_comma(tokens, end):
        following += 1
    if [token.tag for token in tokens[following : following + 1]] == ["CC"]:
        following += 1
    return following > end and any(labels[following : following + 1])


def _run_label(labels: Sequence[str]) -> str:
    """Return the label of a run: UNCERTAIN, else the last entity's label, else the last tag."""
    entities = [label for label in labels if label not in (*PROPER, "", UNCERTAIN)]
    if UNCERTAIN in labels:
        return UNCERTAIN
    return entities[-1] if entities else labels[-1]
