"""Rules for exchanges that readers mostly refuse, by name.

`python -m tools.training.rules` prints how many flawed and how many accepted candidates each rule
refuses.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import chain, pairwise
from pathlib import Path

from generation.nlp.phrases import REGIONS, Kind, Phrase, word_set
from generation.nlp.tagging import Token

# Given names by sex: a line of each, with "female" or "male" first.
NAMES_FILE = Path(__file__).parent / "embedded" / "en_given_names.txt"

ABBREVIATION = re.compile(r"(?=.{2,8}$)[A-Z][A-Za-z0-9-]*[A-Z0-9][A-Za-z0-9-]*")
MOST_PARTS = 3  # tokens of an abbreviation
AFTER_ABBREVIATION = word_set(") , ;")
# The first two letters of the tags of words in a term.
IN_TERM = word_set("NN JJ CD HY")

# Words that a negation or question calls for, or that are one.
POLAR_WORDS = word_set(
    "any anyone anything anybody anywhere someone something somebody everyone everything everybody"
    " nothing nobody none not n't n’t yet neither either ever never anymore once"
)
RANGE_MARKS = word_set("- – — to until till")
RANGE_UNITS = word_set("am pm a.m. p.m. %")
# Words that compare the numbers of a sentence, besides the MEASURES of fixed phrases.
CHANGES = word_set("decline declined declining reduction doubled doubling tripled")

NOUNS = (Kind.NOUN, Kind.NOUN_PHRASE)
AFTER_WHOLES = (["including"], ["such", "as"], ["like"])
AFTER_PARTS = (["and", "other"], ["or", "other"])

CONTINENTS = frozenset(
    ["Africa", "America", "Asia", "Europe", "Latin America", "North America", "South America"]
)
# Words between a place and the one in which it lies.
BETWEEN_PLACES = word_set(
    "in of , the northern southern eastern western central on near state city province region"
    " county district 's ’s part capital"
)
PLACING = word_set("in of")
COPULAS = word_set("is are was were remains remained became becomes")
NEAR = 6  # words from a place to the country that follows "in"

JOINING = word_set("and or nor but & ,")
MOST_JOINED = 4

FEMALE, MALE = "female", "male"
PRONOUNS_OF_MEN = word_set("he him his himself")
PRONOUNS_OF_WOMEN = word_set("she her hers herself")
SEX_OF_WORD: Mapping[str, str] = {
    **dict.fromkeys(
        word_set(
            "mother daughter sister wife widow queen princess actress woman girl lady mrs mrs. ms"
            " ms. miss grandmother aunt niece girlfriend"
        ),
        FEMALE,
    ),
    **dict.fromkeys(
        word_set(
            "father son brother husband widower king prince actor man boy sir lord mr mr."
            " grandfather uncle nephew boyfriend"
        ),
        MALE,
    ),
}


def starts_before_abbreviations(tokens: Sequence[Token], phrases: Sequence[Phrase]) -> set[int]:
    """Return starts of what belongs to a term with its abbreviation: "a sliding mode (SM)"."""
    places: set[int] = set()
    for at, token in enumerate(tokens):
        if token.text == "(" and _is_abbreviation(tokens[at + 1 : at + 2 + MOST_PARTS]):
            start = at
            while start and tokens[start - 1].tag[:2] in IN_TERM:
                start -= 1
            places.update(range(start, at))
    return {
        phrase.start for phrase in phrases if not places.isdisjoint(range(phrase.start, phrase.end))
    }


def _is_abbreviation(tokens: Sequence[Token]) -> bool:
    """Whether the first of these words in brackets are one, in parts as "EA", "-", "2"."""
    ends = (at for at, token in enumerate(tokens) if token.text in AFTER_ABBREVIATION)
    text = "".join(token.text + token.space for token in tokens[: next(ends, 0)])
    return ABBREVIATION.fullmatch(text.rstrip()) is not None


def starts_polar(tokens: Sequence[Token], phrases: Sequence[Phrase]) -> set[int]:
    """Return starts of negations and of what depends on them: "anyone", "yet", "no longer"."""
    lower = _lower(tokens)
    return {
        phrase.start
        for phrase in phrases
        if lower[phrase.start] in POLAR_WORDS
        or (lower[phrase.start] == "longer" and lower[: phrase.start][-1:] == ["no"])
    }


def starts_of_changes(tokens: Sequence[Token], phrases: Sequence[Phrase]) -> set[int]:
    """Return starts of numbers of a range with units, or that a change compares.

    "10 am - 11 am", "it declined by 4 percent", "6 percent, down from a revised 7 percent".
    """
    lower = _lower(tokens)
    numbers = [phrase for phrase in phrases if phrase.kind is Kind.NUMBER]
    is_changed = not CHANGES.isdisjoint(lower) or any(
        pair in (("down", "from"), ("up", "from")) for pair in pairwise(lower)
    )
    if is_changed:
        return {number.start for number in numbers}
    ranges = (
        (number1.start, number2.start)
        for number1, number2 in pairwise(numbers)
        if _joins_range(lower[number1.end : number2.start])
    )
    return set(chain.from_iterable(ranges))


def _joins_range(words: Sequence[str]) -> bool:
    return set(words) <= RANGE_UNITS | RANGE_MARKS and not RANGE_MARKS.isdisjoint(words)


# What keeps its place, by the name of the rule.
STAYING: Mapping[str, Callable[[Sequence[Token], Sequence[Phrase]], set[int]]] = {
    "term before its abbreviation": starts_before_abbreviations,
    "negation": starts_polar,
    "changed number": starts_of_changes,
}


def is_part_with_whole(tokens: Sequence[Token], one: Phrase, other: Phrase) -> bool:
    """Whether one is named as a part of the other: "X, including Y", "X and other Y"."""
    if one.kind not in NOUNS:
        return False
    end = other.end - 1 if other.kind is Kind.NOUN_PHRASE else other.start
    between = tokens[one.end : end]
    words = _lower(between)
    first = words[1:] if words[:1] == [","] else words
    if any(first[: len(link)] == link for link in AFTER_WHOLES):
        return not any(token.tag[:2] in ("VB", "MD") for token in between[2:])
    at = max((at for at in range(len(words)) if words[at : at + 2] in AFTER_PARTS), default=None)
    return (
        at is not None
        and not any(token.tag[:2] in ("VB", "MD") for token in between)
        and not any(token.tag == "IN" for token in between[at:])
    )


def is_place_in_place(tokens: Sequence[Token], one: Phrase, other: Phrase) -> bool:
    """Whether a place lies in the other: "Lima in Peru", "Lima is the capital of Peru"."""
    if one.kind is not Kind.NAME:
        return False
    between = _lower(tokens[one.end : other.start])
    if BETWEEN_PLACES.issuperset(between):
        return "in" in between or "of" in between
    sizes = [_size(tokens, name) for name in (one, other)]
    if sizes[0] < sizes[1]:
        is_near = len(between) <= NEAR and "in" in between[-2:]
        is_subject = one.start <= 1 and not COPULAS.isdisjoint(between)
        return is_near or (is_subject and not PLACING.isdisjoint(between[-2:]))
    return sizes[0] > sizes[1] and _lower(tokens[: one.start]) == ["in"]


def _size(tokens: Sequence[Token], name: Phrase) -> int:
    """Return 2 for a continent, 1 for a country or state, 0 for any other name."""
    text = " ".join(token.text for token in tokens[name.start : name.end])
    return 2 if text in CONTINENTS else int(text in REGIONS)


def has_other_article(tokens: Sequence[Token], one: Phrase, other: Phrase) -> bool:
    """Whether only one of two names has an article, "the Alps"; not where a noun has it."""
    if one.kind is not Kind.NAME:
        return False
    with_article = [name for name in (one, other) if _before(tokens, name) == "the"]
    if len(with_article) != 1:
        return False
    end = with_article[0].end
    return end == len(tokens) or tokens[end].tag[:2] not in ("NN", "JJ", "CD")


def has_other_sex(tokens: Sequence[Token], one: Phrase, other: Phrase) -> bool:
    """Whether persons of different sex would change places in a sentence with "he" or "she".

    A person without a given name, as "Fillmore", is taken for a man next to a woman and "he".
    """
    if one.kind not in (Kind.NAME, Kind.NOUN):
        return False
    sexes = {_sex(tokens, phrase) for phrase in (one, other)}
    pronouns = PRONOUNS_OF_MEN
    if sexes == {FEMALE, MALE}:
        pronouns = PRONOUNS_OF_MEN | PRONOUNS_OF_WOMEN
    elif sexes != {FEMALE, None} or one.label != "PERSON":
        return False
    return not pronouns.isdisjoint(_lower(tokens))


def _sex(tokens: Sequence[Token], person: Phrase) -> str | None:
    first = tokens[person.start].text
    sex = SEX_OF_WORD.get(first.lower())
    return sex or (_sex_by_name().get(first) if person.kind is Kind.NAME else None)


@cache
def _sex_by_name() -> dict[str, str]:
    lines = NAMES_FILE.read_text(encoding="utf-8").splitlines()
    return {name: sex for sex, *names in map(str.split, lines) for name in names}


# Which phrases do not change places, by the name of the rule; the earlier phrase comes first.
REFUSED: Mapping[str, Callable[[Sequence[Token], Phrase, Phrase], bool]] = {
    "part with its whole": is_part_with_whole,
    "place in a place": is_place_in_place,
    "article of a name": has_other_article,
    "sex": has_other_sex,
}


def refuses(tokens: Sequence[Token], one: Phrase, other: Phrase) -> bool:
    first, second = sorted((one, other), key=lambda phrase: phrase.start)
    return any(rule(tokens, first, second) for rule in REFUSED.values())


def count_joined_to_themselves(words: Sequence[str]) -> int:
    """Count conjunctions and commas between the same words: "the risk and the risk"."""
    lower = [word.lower() for word in words]
    return sum(
        any(
            lower[at - length : at] == lower[at + 1 : at + 1 + length] and lower[at - 1].isalpha()
            for length in range(1, min(at, MOST_JOINED) + 1)
        )
        for at, word in enumerate(lower)
        if word in JOINING
    )


def _before(tokens: Sequence[Token], phrase: Phrase) -> str:
    return tokens[phrase.start - 1].text.lower() if phrase.start else ""


def _lower(tokens: Sequence[Token]) -> list[str]:
    return [token.text.lower() for token in tokens]
