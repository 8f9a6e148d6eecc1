"""Adverbials that move between the beginning and the end of a sentence into another clause.

"In 1951, he said that she had left" and "He said that she had left in 1951": the same words, and
another clause has the adverbial. `adverbials.py` moves those that keep their clause. A place may
also move off a noun: "He wrote of the war in Spain", "In Spain, he wrote of the war".
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from generation.nlp import adverbials
from generation.nlp.adverbials import FINITE, Adverbial
from generation.nlp.clauses import find_clauses, refers_back
from generation.nlp.exchanges import COPULAS
from generation.nlp.moves import Move
from generation.nlp.phrases import find_dates, word_set
from generation.nlp.tagging import Token
from generation.nlp.templates import Sentence

SHORTEST, MOST_COMMAS = 4, 3  # words and commas of the rest of the sentence
SHORTEST_SENTENCE = 7
PLACES = word_set("in at near")
BOUNDS = word_set("during after before")
# What may begin a phrase after its preposition; not "in return", "in their town".
OPENING = ("DT", "NNP", "NNPS", "CD")
INSIDE = ("DT", "NN", "JJ", "CD", ",")
LONGEST = 7  # words of a phrase that leaves the end
LINKS = adverbials.LINKS | word_set("event practice general meantime return")
# Tags of words that need what follows them, and participles that do: "who was born".
OPEN = word_set("IN TO DT VB VBZ VBP CC")
OPEN_PARTICIPLES = word_set(
    "born based located held known called named situated set dated used made given found seen"
)


def build(sentence: Sentence) -> Iterator[Move]:
    """Yield the moves into another clause, or off a noun: at most one from either end."""
    tokens = sentence.tokens
    texts = [token.text.lower() for token in tokens]
    has_one_mark = texts[-1] == "." and adverbials.STOPS.isdisjoint(texts[:-1])
    if len(texts) < SHORTEST_SENTENCE or not has_one_mark:
        return
    first = int(tokens[0].tag == "CC")  # "But"
    for adverbial in (_find_first(sentence, first), _find_last(tokens, first)):
        if adverbial is None or not _is_main(tokens[adverbial.main]):
            continue
        if not adverbial.is_first and adverbials.loses_a_name(sentence, adverbial.main.start):
            continue
        inside = tokens[adverbial.start : adverbial.end]
        if adverbial.is_clause and refers_back(inside, tokens[: adverbial.start]):
            continue
        features = _features(tokens, adverbial)
        if features and adverbials.are_apart(tokens, adverbial):
            yield adverbials.move_of(sentence, adverbial, features)


def _find_first(sentence: Sentence, start: int) -> Adverbial | None:
    """Return the adverbial that opens the sentence, if there is one."""
    tokens = sentence.tokens
    texts = [token.text.lower() for token in tokens]
    # Commas of dates and of towns with their states are inside phrases.
    commas = [phrase.start for phrase in sentence.phrases if texts[phrase.start] == ","]
    end = commas[0] if commas else 0
    if texts[start] in adverbials.BEFORE_TIMES:
        date_end = _date_end(tokens, start + 1 + (texts[start + 1] == "the"))
        end = date_end if date_end and (not commas or date_end < end) else end
    inside = tokens[start:end]
    if not inside or texts[end - 1] in LINKS:
        return None
    is_clause = adverbials.is_finite(inside)
    opens = texts[start] in adverbials.CONJUNCTIONS if is_clause else adverbials.is_phrase(inside)
    main = slice(end + (texts[end] == ","), len(tokens) - 1)
    is_open = tokens[main.stop - 1].tag in ("IN", "TO", "DT", "RP")
    return Adverbial(start, end, main, is_clause, is_first=True) if opens and not is_open else None


def _date_end(tokens: Sequence[Token], start: int) -> int:
    dates = find_dates([token.text for token in tokens])
    return next((date.end for date in dates if date.start == start), 0)


def _find_last(tokens: Sequence[Token], first: int) -> Adverbial | None:
    """Return the longest adverbial that ends the sentence, if the rest is complete without it."""
    end = len(tokens) - 1
    texts = [token.text.lower() for token in tokens]
    for start in range(first + SHORTEST, end - 1):
        before = tokens[start - 1]
        is_bound = not adverbials.BINDING.isdisjoint(texts[start - 2 : start])
        if is_bound or before.text == ",":
            continue
        is_clause = adverbials.is_finite(tokens[start + 1 : end])
        if not (_is_clause if is_clause else _is_phrase)(tokens[start:end], before):
            continue
        needs_more = before.tag in OPEN or (
            before.tag in ("VBN", "VBG") and before.text.lower() in OPEN_PARTICIPLES
        )
        main = slice(first, start)
        return None if needs_more else Adverbial(start, end, main, is_clause, is_first=False)
    return None


def _is_clause(inside: Sequence[Token], before: Token) -> bool:
    return (
        inside[0].text.lower() in adverbials.LAST_CONJUNCTIONS
        and before.tag[:2] != "VB"
        and before.text.lower() != "so"
        and len(find_clauses(inside, 0, len(inside))) == 1
    )


def _is_phrase(inside: Sequence[Token], _before: Token) -> bool:
    """Whether the words are a time or a place: "in May 1951", "at the castle"."""
    word, texts = inside[0].text.lower(), [token.text for token in inside]
    if len(inside) < 2 or "," in texts:
        return False
    if word in adverbials.BEFORE_TIMES and adverbials.is_time(inside[1:]):
        return True
    return (
        word in PLACES | BOUNDS
        and inside[1].tag in OPENING
        and len(inside) <= LONGEST
        and inside[-1].tag[:2] in ("NN", "CD")
        and all(token.tag[:2] in INSIDE for token in inside[1:])
    )


def _is_main(main: Sequence[Token]) -> bool:
    """Whether the words may be a sentence: a subject opens it, and it has a finite verb."""
    opens = main[0].tag in adverbials.SUBJECTS and main[0].tag != "VBG"
    commas = sum(token.text == "," for token in main)
    return len(main) >= SHORTEST and opens and commas <= MOST_COMMAS and adverbials.is_finite(main)


def _repeats(inside: Sequence[Token], clause: Sequence[Token]) -> bool:
    """Whether a clause has the same preposition with a name or number: two places or times."""
    word = inside[0].text.lower()
    return any(
        before.text.lower() == word and after.tag in ("NNP", "NNPS", "CD")
        for before, after in pairwise(clause)
    )


def _features(tokens: Sequence[Token], adverbial: Adverbial) -> dict[str, float]:
    """Return what tells its acceptance and meaning, besides what all moves do.

    Nothing, if the adverbial keeps its clause, or does not fit the tense or the times of the other.
    """
    main, inside = tokens[adverbial.main], tokens[adverbial.start : adverbial.end]
    clauses = find_clauses(tokens, adverbial.main.start, adverbial.main.stop)
    first, last = (tokens[clause.start : clause.end] for clause in (clauses[0], clauses[-1]))
    verbs = [next(token for token in part if token.tag in FINITE) for part in (first, last)]
    has_time = adverbials.has_time(inside)
    is_place = not adverbial.is_clause and not has_time and inside[0].text.lower() in PLACES
    is_dated = bool(find_dates([token.text for token in inside]))
    is_after_verb = main[-1].tag[:2] == "VB"
    leaves_noun = (
        not (has_time or adverbial.is_clause or adverbial.is_first)
        and main[-1].tag[:2] == "NN"
        and verbs[0].text.lower() not in COPULAS
    )
    new = last if adverbial.is_first else first  # the clause that gets it
    if (
        (adverbials.has_time(new) and not is_place)
        or _repeats(inside, new)
        or (is_dated and any(verb.tag not in ("VBD", "MD") for verb in verbs))
        or not (leaves_noun if len(clauses) == 1 else not (is_place and is_after_verb))
    ):
        return {}
    return {
        "reattached": 1.0,
        "reattached_to_front": not adverbial.is_first,
        f"last_{clauses[-1].opener}": 1.0,
        "place": is_place,
        "time": has_time,
        "after_verb": is_after_verb,
        "last_prepositions": sum(token.tag == "IN" for token in last),
        "last_words": len(last),
        "commas": sum(token.text == "," for token in main),
    }
