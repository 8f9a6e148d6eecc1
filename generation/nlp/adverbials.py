"""Adverbials that move from the beginning of a sentence to its end, or the other way.

"In 1951, he moved to York" and "He moved to York in 1951", as in Figure 3 of the PAWS paper. The
comma after an adverbial that opens the sentence comes and goes with it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from generation.nlp import vector_likeness
from generation.nlp.exchanges import COPULAS
from generation.nlp.moves import Move, arrange
from generation.nlp.phrases import find_dates, word_set
from generation.nlp.tagging import Token
from generation.nlp.templates import Sentence

FINITE = word_set("VBD VBZ VBP MD")
# Tags of the first word of a main clause: its subject, and in a question its verb.
SUBJECTS = word_set("DT PDT NN NNS NNP NNPS PRP PRP$ CD JJ JJR JJS EX VBG")
QUESTIONS = word_set("WP WP$ WDT WRB MD VBD VBZ VBP")
# Of words that are no part of a name after them.
DETERMINERS = word_set("DT PDT PRP PRP$ EX WP WDT WRB")
# What may open a clause, or a phrase, that leaves the beginning.
CONJUNCTIONS = word_set(
    "when whenever if because although though while after before since until unless once as"
)
PREPOSITIONS = word_set(
    "in on at during after before since until by for from with without despite through throughout"
    " under within upon following according over between because due besides amid outside inside"
    " using"
)
ADVERBS = word_set("today yesterday tomorrow tonight recently currently historically traditionally")
# What may open one that leaves the end, where others often belong to the word before them.
LAST_CONJUNCTIONS = word_set("although though while since unless when if because")
LAST_PREPOSITIONS = word_set("during despite throughout after before since until according")
BEFORE_TIMES = word_set("in on at")
TIMES = word_set(
    "year month week weekend day decade century morning afternoon evening night summer winter"
    " spring autumn season time moment"
)
# Words that name a second time, although they open no adverbial.
OTHER_TIMES = TIMES | word_set("ago later earlier quarter hour hours")
# What opens a second clause, on which a moved one would then depend.
CONDITIONS = word_set("when whenever if because although though while unless once")
FIRST_OR_LAST = word_set("first second third last only")
NEAR_END = 4  # words from a participle to the end of the main clause
# Last words of phrases that link a sentence to the one before: "for example".
LINKS = word_set(
    "all fact addition course example instance hand words contrast turn particular short conclusion"
    " comparison contrary thing least light honest consequence"
)
# At the end of a clause they replace its verb: "as he did".
HELPERS = COPULAS | word_set("do does did have has had can could will would may might must should")
# Words to which an adverbial soon after them belongs: "even if", "the time when", "ask if".
BINDING = word_set(
    "even as just only except shortly soon long day days time times year years moment see know ask"
    " asked wonder wondered decide decided tell told check determine sure find say said look looked"
    " looking named remember what how not both from or and but than"
)
ENDS = word_set(". ? !")
STOPS = ENDS | word_set("; : ... … - – — -- •")
MARKS = (("(", ")"), ("[", "]"), ("“", "”"), ("‘", "’"), ("``", "''"))
SHORTEST = 3  # words of the main clause


@dataclass(frozen=True, slots=True)
class Adverbial:
    """The adverbial tokens[start:end] of a sentence, and its main clause."""

    start: int
    end: int
    main: slice
    is_clause: bool
    is_first: bool


def build(sentence: Sentence) -> Move | None:
    adverbial = find_adverbial(sentence)
    return move_of(sentence, adverbial) if adverbial else None


def move_of(
    sentence: Sentence, adverbial: Adverbial, features: Mapping[str, float] | None = None
) -> Move:
    """Return the move of an adverbial to the other end, with more features if it has any."""
    inside = slice(adverbial.start, adverbial.end)
    before = slice(min(adverbial.start, adverbial.main.start))
    order = (adverbial.main, inside) if adverbial.is_first else (inside, None, adverbial.main)
    return Move(
        arrange(sentence, (before, *order)),
        frozenset(range(adverbial.start, adverbial.end)),
        {**_features(sentence.tokens, adverbial), **(features or {})},
        reattaches=features is not None,
    )


def _features(tokens: Sequence[Token], adverbial: Adverbial) -> dict[str, float]:
    """Return what the acceptance of the move depends on, by name."""
    tags = [token.tag for token in tokens[adverbial.main]]
    return {
        "is_adverbial": 1.0,
        "clause": adverbial.is_clause,
        "clause_to_front": adverbial.is_clause and not adverbial.is_first,
        "main_words": len(tags),
        "main_verbs": sum(tag in FINITE for tag in tags),
        "main_conjunctions": tags.count("CC"),
    }


def find_adverbial(sentence: Sentence) -> Adverbial | None:
    tokens, texts = sentence.tokens, _lower(sentence.tokens)
    if len(texts) <= SHORTEST or texts[-1] not in ENDS or not STOPS.isdisjoint(texts[:-1]):
        return None
    # Commas of dates and of towns with their states are inside phrases.
    commas = [phrase.start for phrase in sentence.phrases if texts[phrase.start] == ","]
    start = int(tokens[0].tag == "CC")  # "But"
    move = _find_first(tokens, start, commas) or _find_last(tokens, start, commas)
    if move is None or not _may_move(tokens, move):
        return None
    return move if move.is_first or not loses_a_name(sentence, move.main.start) else None


def _find_first(tokens: Sequence[Token], start: int, commas: Sequence[int]) -> Adverbial | None:
    """Return the adverbial that opens the sentence, if there is one."""
    texts = _lower(tokens)
    if len(commas) == 1:
        end = commas[0]
    elif not commas and texts[start] in BEFORE_TIMES:
        end = _date_end(tokens, start + 1)
    else:
        return None
    inside = tokens[start:end]
    if not inside or texts[end - 1] in LINKS:
        return None
    is_clause = is_finite(inside)
    if not (texts[start] in CONJUNCTIONS if is_clause else is_phrase(inside)):
        return None
    main = slice(end + (texts[end] == ","), len(tokens) - 1)
    return Adverbial(start, end, main, is_clause, is_first=True)


def _date_end(tokens: Sequence[Token], start: int) -> int:
    dates = find_dates(_texts(tokens))
    return next((date.end for date in dates if date.start == start), 0)


def is_phrase(inside: Sequence[Token]) -> bool:
    """Whether these words without a verb are an adverbial: "today", "two years later"."""
    texts = _lower(inside)
    is_purpose = [token.tag for token in inside[:2]] == ["TO", "VB"]
    if len(inside) == 1:
        return texts[0] in ADVERBS
    return (
        texts[0] in PREPOSITIONS or is_purpose or texts[-1] in TIMES | {"later", "earlier", "ago"}
    )


def _find_last(tokens: Sequence[Token], first: int, commas: Sequence[int]) -> Adverbial | None:
    """Return the adverbial that ends the sentence, if there is one."""
    texts, end = _lower(tokens), len(tokens) - 1
    for start in range(first + SHORTEST, end - 1):
        is_set_off = texts[start - 1] == ","
        if not BINDING.isdisjoint(texts[start - 2 : start]) or len(commas) != is_set_off:
            continue
        if texts[start] == "when" and (is_set_off or has_time(tokens[start - 1 : start])):
            continue  # "in 1860, when"
        inside = tokens[start + 1 : end]
        is_clause = is_finite(inside)
        if is_clause:
            opens = texts[start] in LAST_CONJUNCTIONS
        else:
            is_dated = texts[start] in BEFORE_TIMES and is_time(inside)
            opens = is_dated or texts[start] in LAST_PREPOSITIONS
        if opens:
            main = slice(first, start - is_set_off)
            return Adverbial(start, end, main, is_clause, is_first=False)
    return None


def _may_move(tokens: Sequence[Token], adverbial: Adverbial) -> bool:
    main, inside = tokens[adverbial.main], tokens[adverbial.start : adverbial.end]
    subjects = SUBJECTS | (QUESTIONS if tokens[-1].text == "?" else frozenset())
    return (
        len(main) >= SHORTEST
        and ((main[0].tag in subjects and is_finite(main)) or main[0].tag == "VB")
        and not (has_time(main) and has_time(inside))
        and not any(refuses(tokens, adverbial) for refuses in REFUSED.values())
        and inside[-1].text.lower() not in HELPERS
        and are_apart(tokens, adverbial)
        and (adverbial.is_first or _may_follow(main, inside, adverbial))
    )


def are_apart(tokens: Sequence[Token], adverbial: Adverbial) -> bool:
    """Whether neither an adverbial nor its main clause ends with a full stop or holds half a pair.

    Full stops of abbreviations, "the U.S.", and pairs of quotation marks or brackets.
    """
    parts = tokens[adverbial.main], tokens[adverbial.start : adverbial.end]
    return not any(part[-1].text.endswith(".") or has_half_pair(part) for part in parts)


def _passes_a_time(tokens: Sequence[Token], adverbial: Adverbial) -> bool:
    """Whether the main clause names another time: "it had grown in the third quarter"."""
    parts = tokens[adverbial.main], tokens[adverbial.start : adverbial.end]
    return all(
        bool(find_dates(_texts(part))) or not OTHER_TIMES.isdisjoint(_lower(part)) for part in parts
    )


def _passes_a_clause(tokens: Sequence[Token], adverbial: Adverbial) -> bool:
    """Whether a clause passes another one: "it will hatch if you care for it"."""
    return adverbial.is_clause and not CONDITIONS.isdisjoint(_lower(tokens[adverbial.main]))


def _leaves_a_superlative(tokens: Sequence[Token], adverbial: Adverbial) -> bool:
    """Whether "since" leaves what it limits: "the longest reign since Augustus"."""
    if adverbial.is_first or tokens[adverbial.start].text.lower() != "since":
        return False
    main = tokens[adverbial.main]
    return any(token.tag in ("JJS", "RBS") or token.text.lower() in FIRST_OR_LAST for token in main)


def _leaves_a_participle(tokens: Sequence[Token], adverbial: Adverbial) -> bool:
    """Whether it leaves a participle that describes a noun: "the song written after the war"."""
    if adverbial.is_first:
        return False
    tags = [token.tag for token in tokens[adverbial.main]][-NEAR_END - 1 :]
    return any(before[:2] == "NN" and participle == "VBN" for before, participle in pairwise(tags))


# Moves that readers mostly refuse, by the name of the rule (`tools.training.rules`).
REFUSED: Mapping[str, Callable[[Sequence[Token], Adverbial], bool]] = {
    "time passes a time": _passes_a_time,
    "clause passes a clause": _passes_a_clause,
    "since leaves a superlative": _leaves_a_superlative,
    "leaves a participle": _leaves_a_participle,
}


def _may_follow(main: Sequence[Token], inside: Sequence[Token], adverbial: Adverbial) -> bool:
    """Whether a main clause may follow an adverbial that came after it.

    Not if its last word needs what follows, "He is an author born", nor if it names what
    something is: "In 1973, it was a record".
    """
    texts = _lower(main)
    verb = next((at for at, token in enumerate(main) if token.tag in FINITE), 0)
    is_definition = texts[verb] in COPULAS and (
        [token.tag for token in main[verb + 1 : verb + 2]] == ["DT"] or texts[0] == "it"
    )
    is_now = main[verb].tag in ("VBZ", "VBP") and has_time(inside)
    is_open = main[-1].tag[:2] in ("VB", "RB", "IN", "TO", "DT")
    return not (is_open or ((is_definition or is_now) and not adverbial.is_clause))


def loses_a_name(sentence: Sentence, place: int) -> bool:
    """Whether the word at `place` loses the capital of what may be a name.

    It does before a capitalised word, as in "Pink Floyd", and as an unknown one, as "Udall".
    """
    word, after = sentence.tokens[place : place + 2]
    loses = sentence.words[place] != word.text and word.tag not in DETERMINERS
    is_known = vector_likeness.load_embedded().knows(sentence.words[place])
    return loses and (not is_known or after.text[:1].isupper())


def is_finite(tokens: Sequence[Token]) -> bool:
    return any(token.tag in FINITE for token in tokens)


def _texts(tokens: Sequence[Token]) -> list[str]:
    return [token.text for token in tokens]


def _lower(tokens: Sequence[Token]) -> list[str]:
    return [token.text.lower() for token in tokens]


def has_half_pair(tokens: Sequence[Token]) -> bool:
    """Whether one of two quotation marks or brackets is among the tokens."""
    texts = _texts(tokens)
    is_half = any(texts.count(opening) != texts.count(right) for opening, right in MARKS)
    return is_half or texts.count('"') % 2 == 1


def is_time(tokens: Sequence[Token]) -> bool:
    """Whether all words are of one date or time: "14 May 1951", "the early morning"."""
    dates = find_dates(_texts(tokens))
    rest = set(range(len(tokens))) - {at for date in dates for at in range(date.start, date.end)}
    if dates and all(tokens[at].tag in ("DT", "JJ") for at in rest):
        return True
    words = {"DT", "JJ", "CD", "NN"}
    return tokens[-1].text.lower() in TIMES and words.issuperset(token.tag for token in tokens)


def has_time(tokens: Sequence[Token]) -> bool:
    return bool(find_dates(_texts(tokens))) or not TIMES.isdisjoint(_lower(tokens))
