"""Decides which phrases may be exchanged.

As in the paper, phrases change places within pools of one tag. Within a pool, exchanges that are
certain to be wrong are left out here; how good the others are is estimated later (`acceptance.py`).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from generation.nlp import phrases, sense_rules
from generation.nlp.phrases import ORDINALS, PROPER, UNCERTAIN, Kind, Phrase, word_set
from generation.nlp.tagging import Token
from generation.nlp.vector_likeness import Likeness

# Adjectives that act as determiners, or that need the word after them.
BOUND_ADJECTIVES = word_set(
    "other another same such own many much few fewer several more most less least certain various"
    " above only following due able unable likely last next little multiple numerous entire whole"
)
COPULAS = word_set(
    "be am is are was were been being become becomes became becoming seem seems seemed look looks"
    " looked remain remains remained feel feels felt get gets got"
)
# Tags of what ends a clause; "" is the end of the sentence.
ENDS = word_set(". , : CC") | {""}
# Verbs that help others, or whose meaning depends on their objects: "take a bus", "put it there".
BOUND_VERBS = COPULAS | word_set(
    "have has had having do does did done doing get gets got getting gotten put puts putting take"
    " takes took taken taking make makes made making call calls called calling give gives gave"
    " given giving keep keeps kept keeping bring brings brought bringing let lets letting go goes"
    " went gone going come comes came coming see sees saw seen seeing tell tells told telling ask"
    " asks asked asking handle handles handled handling want wants wanted wanting need needs needed"
    " needing"
)
SINGULAR = word_set("one 1")
KIN = word_set(
    "father mother parents brother sister son daughter husband wife uncle aunt nephew niece cousin"
    " grandfather grandmother grandson granddaughter widow"
)
UNITS = word_set("% percent")
# Tags that bind an adjective other than to a noun: "able to", "fast flowing", "red and blue".
BINDING = word_set("IN TO HYPH CC VBG VBN")
# Scales, and marks for feet, inches and minutes.
BOUND_AFTER = word_set("hundred thousand million billion trillion ' \" ′ ″ ’ ”")

# Initial vowels that sound like consonants, and vice versa.
_CONSONANT_SOUND = re.compile(
    r"(?:eu|ew|u(?:ni(?!n|m)|s[aeu]|sh|t[aeio]|r[aeio]|bi|k)|on(?:e|ce)\b)"
)
_VOWEL_SOUND = re.compile(r"(?:[aeiou]|hour|hono[u]?r|honest|heir|8|1[18](?!\d\b|\d\d\b))")
_LETTER_BY_LETTER = re.compile(r"[A-Z](?:[A-Z0-9]|\.|\b)")

# Sentence-initial words with these endings may be nationalities or similar.
PROPER_ENDINGS = ("an", "ese", "ish", "ch", "i")
_FORMS = (
    ("whole", re.compile(r"\d{1,3}(?:,\d{3})+|(?!(?:1[5-9]|20)\d\d$)\d+")),
    ("decimal", re.compile(r"\d*\.\d+")),
    ("word", re.compile(r"[a-z-]+")),
)
EDGE = Token(text="", tag="", pos="", space=" ")
# Factor on the required similarity for each kind. Adjectives are judged together with their nouns;
# for names, it only has to rule out swapping a person with a river.
NEEDED = {Kind.NOUN: 1.0, Kind.VERB: 0.95, Kind.ADVERB: 1.0, Kind.ADJECTIVE: 0.6, Kind.NAME: 0.4}
# Additional factor for names after the same preposition: "in York" and "in Leeds".
SAME_BEFORE = 0.5
LARGEST_RATIO = 10
_NUMERAL = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+")


def takes_an(word: str) -> bool:
    """Whether the indefinite article before this word is "an", judged by its spelling.

    >>> takes_an("hour"), takes_an("university"), takes_an("FBI")
    (True, False, True)
    """
    if _LETTER_BY_LETTER.match(word):
        return word[0] in "AEFHILMNORSX"
    lower = word.lower()
    return bool(_VOWEL_SOUND.match(lower)) and not _CONSONANT_SOUND.match(lower)


def agrees(article: str, word: str) -> bool:
    """Whether this word may follow `article`; any word may follow a word that is no article."""
    lower = article.lower()
    return lower not in ("a", "an") or takes_an(word) == (lower == "an")


def pool(phrase: Phrase) -> str | None:
    return None if phrase.label == UNCERTAIN else f"{phrase.kind} {phrase.label}"


@dataclass(frozen=True, slots=True)
class _Place:
    """A phrase: its first word in lower case, and the tokens before and after it.

    `is_first`: the word begins the sentence, so its capital carries no information.
    """

    label: str
    word: str
    is_first: bool
    is_capital: bool
    before: Token
    after: Token


def frame(tokens: Sequence[Token], phrase: Phrase) -> str | None:
    """Return the grammatical frame of a phrase, or None if its place binds it.

    Phrases of one frame are used alike by grammar: nouns with the same kind of article before and
    the same preposition after, verbs with the same complement.
    """
    before = tokens[phrase.start - 1] if phrase.start else EDGE
    after = tokens[phrase.end] if phrase.end < len(tokens) else EDGE
    word = tokens[phrase.start].text
    place = _Place(phrase.label, word.lower(), phrase.start == 0, word[0].isupper(), before, after)
    return _FRAMES[phrase.kind](place) if phrase.kind in _FRAMES else phrase.label


def _name_frame(place: _Place) -> str | None:
    before = place.before.text.lower()
    is_bound = before in KIN or before[:1].isdigit() or place.after.text in ("(", "'", "’")
    if place.label == UNCERTAIN or is_bound or not place.is_capital:
        return None
    use = "modifier" if place.after.tag[:2] in ("NN", "JJ") else "head"
    return f"{place.label} {_article_kind(place.before)} {use}"


def _article_kind(before: Token) -> str:
    if before.tag not in ("DT", "PRP$", "POS"):
        return "bare"
    return "indefinite" if before.text.lower() in ("a", "an") else "definite"


def _number_frame(place: _Place) -> str | None:
    is_bound = place.before.tag in PROPER or place.after.text.lower() in BOUND_AFTER
    form = next((name for name, form in _FORMS if form.fullmatch(place.word)), None)
    if is_bound or form is None or place.word in SINGULAR or place.word in BOUND_AFTER:
        return None
    use = "label" if place.before.tag == "NN" else _counted_thing(place.after)
    return f"{use} {form}"


def _counted_thing(after: Token) -> str:
    """Return what a number counts: percent, the following noun, or something mentioned earlier."""
    if after.text in UNITS:
        return after.text
    return "things" if after.tag[:2] in ("NN", "JJ", "VB") and after.tag != "VBG" else "alone"


def _adjective_frame(place: _Place) -> str | None:
    in_title = place.is_capital and place.after.text[:1].isupper()
    may_be_proper = place.is_first and place.word.endswith(PROPER_ENDINGS)
    is_bound = place.word in BOUND_ADJECTIVES or place.after.tag in BINDING
    if is_bound or in_title or may_be_proper:
        return None
    if place.word in ORDINALS:
        return "ordinal"
    return f"{place.label} {_adjective_order(place)}"


def _adjective_order(place: _Place) -> str:
    """Return the position of an adjective: "the [outer] old wall", "the old [inner] wall".

    One after "is" or "become" has the position of one before a noun: "can a good person become
    bad" (PAWS, Table 2).
    """
    if place.after.tag[:2] == "JJ":
        return "outer"
    is_predicate = place.before.text.lower() in COPULAS and place.after.tag in ENDS
    return "inner" if place.after.tag[:2] == "NN" or is_predicate else "alone"


def _noun_frame(place: _Place) -> str | None:
    follows_part = place.before.tag[:2] in ("NN", "CD", "HY")
    is_symbol = len(place.word) == 1 or not place.word.replace("-", "").isalpha()
    if follows_part or is_symbol:
        return None
    if place.label == "NN" and place.after.tag in ("NN", "NNS"):
        return "modifier"
    if place.after.tag[:2] in ("NN", "JJ", "CD"):
        return None
    return f"{place.label} {_article_kind(place.before)} {_preposition(place.after)}"


def _preposition(after: Token) -> str:
    return after.text.lower() if after.tag in ("IN", "TO", "RP") else "-"


def _verb_frame(place: _Place) -> str | None:
    if place.word in BOUND_VERBS or place.word.startswith("'") or place.after.tag == "RB":
        return None
    return f"{place.label} {_complement(place.after)}"


def _complement(after: Token) -> str:
    is_bound = after.tag[:2] in ("WP", "WD", "DT", "NN", "JJ", "PR", "VB", "RB")
    return after.tag[:2] if is_bound else _preposition(after)


def _adverb_frame(place: _Place) -> str | None:
    return f"{place.label} {place.after.tag[:2]}" if place.word.endswith("ly") else None


_FRAMES: dict[Kind, Callable[[_Place], str | None]] = {
    Kind.NAME: _name_frame,
    Kind.NUMBER: _number_frame,
    Kind.ADJECTIVE: _adjective_frame,
    Kind.NOUN: _noun_frame,
    Kind.VERB: _verb_frame,
    Kind.ADVERB: _adverb_frame,
}


@dataclass(frozen=True, slots=True)
class Exchanges:
    """Checks which exchanges make sense within a sentence.

    `words` are the words in mid-sentence spelling, `least` is the similarity that nouns need, from
    -1 to 1; without a `likeness` all words count as similar.
    """

    tokens: Sequence[Token]
    words: Sequence[str]
    likeness: Likeness | None
    least: float

    def allows(self, one: Phrase, other: Phrase) -> bool:
        """Whether `other` may take the place of `one`, a phrase of the same pool.

        "large cities in small states" may become "small cities in large states", but "large cities
        with administrative duties" not "administrative cities with large duties".
        """
        if not agrees(self._token_before(one).text, self.words[other.start]):
            return False
        if one.kind is Kind.NUMBER:
            return _are_of_one_size(self._text(one), self._text(other))
        if one.kind is Kind.DATE:
            return self._may_trade_dates(*sorted((one, other), key=lambda date: date.start))
        return self._are_alike(one, other) and not sense_rules.refuses(self.tokens, one, other)

    def _are_alike(self, one: Phrase, other: Phrase) -> bool:
        if self.likeness is None or one.kind not in NEEDED:
            return True
        likenesses = [
            self.likeness.between(*pair) for pair in self._word_pairs_to_compare(one, other)
        ]
        least = self.least * NEEDED[one.kind]
        if one.kind is Kind.NAME and self._follow_same_preposition(one, other):
            return likenesses[0] is None or likenesses[0] >= least * SAME_BEFORE
        return fmean(likeness or 0.0 for likeness in likenesses) >= least

    def _text(self, phrase: Phrase) -> tuple[str, ...]:
        return tuple(self.words[phrase.start : phrase.end])

    def _may_trade_dates(self, first: Phrase, second: Phrase) -> bool:
        """Whether the exchange keeps dates plausible, unlike "begun in 1897, it ends in 1881"."""
        after = (self._token_after(date).tag[:2] for date in (first, second))
        # Dates that describe a noun, as in "the 1897 film", need no order.
        if all(tag in ("NN", "JJ") for tag in after):
            return True
        # Otherwise the earlier one has to come first after the exchange.
        return phrases.date_order(self._text(first)) >= phrases.date_order(self._text(second))

    def _follow_same_preposition(self, one: Phrase, other: Phrase) -> bool:
        """Whether both follow the same preposition other than "of", which fits any name."""
        one_before, other_before = self._token_before(one), self._token_before(other)
        is_preposition = one_before.tag in ("IN", "TO") and one_before.text.lower() != "of"
        return is_preposition and one_before.text.lower() == other_before.text.lower()

    def _token_before(self, phrase: Phrase) -> Token:
        return self.tokens[phrase.start - 1] if phrase.start else EDGE

    def _token_after(self, phrase: Phrase) -> Token:
        return self.tokens[phrase.end] if phrase.end < len(self.tokens) else EDGE

    def _word_pairs_to_compare(
        self, one: Phrase, other: Phrase
    ) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
        """Yield what must be similar: the phrases themselves and, for adjectives, their nouns."""
        yield self._text(one), self._text(other)
        nouns = noun_after(self.tokens, one.end), noun_after(self.tokens, other.end)
        if one.kind is Kind.ADJECTIVE and nouns[0] is not None and nouns[1] is not None:
            yield (self.words[nouns[0]],), (self.words[nouns[1]],)


def noun_after(tokens: Sequence[Token], place: int) -> int | None:
    """Return the place of the noun after an adjective ending at `place`: "old stone [bridge]"."""
    while place < len(tokens) and tokens[place].tag[:2] in ("JJ", "CD", "HY"):
        place += 1
    end = place
    while end < len(tokens) and tokens[end].tag[:2] == "NN":
        end += 1
    return end - 1 if end > place else None


def _are_of_one_size(one: Sequence[str], other: Sequence[str]) -> bool:
    """ "40 villages with 9,000 people" makes no sense the other way round; words count as small."""
    low, high = sorted((_value(one), _value(other)))
    return high <= LARGEST_RATIO * low


def _value(words: Sequence[str]) -> float:
    """Return the value of a number in digits, or 1 for number words."""
    matches = _NUMERAL.fullmatch(words[0]) if len(words) == 1 else None
    return float(words[0].replace(",", "")) if matches else 1.0
