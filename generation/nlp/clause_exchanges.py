"""Clauses that change places around their connective: "She left after he came".

"He came after she left" has the same words. Both clauses have a subject and a finite verb of the
same tense.
"""

from collections.abc import Iterator, Sequence

from generation.nlp import adverbials
from generation.nlp.adverbials import FINITE, SUBJECTS
from generation.nlp.clauses import refers_back
from generation.nlp.exchanges import COPULAS
from generation.nlp.moves import Move, arrange
from generation.nlp.phrases import word_set
from generation.nlp.tagging import Token
from generation.nlp.templates import Sentence

# With these, the order of the clauses often does not matter.
EITHER_ORDER = word_set("while when whereas")
CAUSES = word_set("because since as")
IN_TIME = word_set("before after")
CONNECTIVES = EITHER_ORDER | CAUSES | IN_TIME | word_set("until once if unless although though")
PRONOUNS = word_set("he she it they his her its their him them this that these those")
SUBJECTS_OF_CLAUSES = SUBJECTS - {"VBG", "JJ", "CD"}
SHORTEST = 4  # words of a clause
LATEST = 6  # the place of its verb
MOST_COMMAS = 3
NOT_BEFORE_VERBS = word_set("CC IN WDT WP WP$ WRB ,")


def build(sentence: Sentence) -> Iterator[Move]:
    """Yield the exchange of the clauses before and after the only connective, if they may."""
    tokens, end = sentence.tokens, len(sentence.tokens) - 1
    texts = [token.text.lower() for token in tokens]
    if texts[-1] != "." or not adverbials.STOPS.isdisjoint(texts[:-1]):
        return
    places = [place for place in range(end) if texts[place] in CONNECTIVES]
    commas = [phrase.start for phrase in sentence.phrases if texts[phrase.start] == ","]
    if len(places) != 1 or len(commas) > MOST_COMMAS:
        return
    (place,) = places
    if place == 0:
        if commas:
            comma = commas[0]
            yield from _exchange(sentence, 0, slice(1, comma), slice(comma + 1, end))
    elif texts[place - 1] not in adverbials.BINDING:
        before = slice(0, place - (place - 1 in commas))
        yield from _exchange(sentence, place, before, slice(place + 1, end))


def _exchange(sentence: Sentence, place: int, one: slice, other: slice) -> Iterator[Move]:
    """Yield the exchange of two clauses with their connective at `place`, if they may change."""
    tokens = sentence.tokens
    clauses = tokens[one], tokens[other]
    verbs = [verb for clause in clauses if (verb := _verb(clause))]
    if len(verbs) < 2 or not _agree(verbs) or not all(map(_is_whole, clauses)):
        return
    if refers_back(clauses[1], clauses[0]):
        return
    connective = slice(place, place + 1)
    order: tuple[slice | None, ...] = (connective, other, None, one)
    if place:
        order = (other, *([] if one.stop == place else [None]), connective, one)
    yield Move(
        arrange(sentence, order),
        frozenset((*range(one.start, one.stop), *range(other.start, other.stop))),
        _features(tokens, place, clauses, verbs),
        reattaches=True,
    )


def _verb(clause: Sequence[Token]) -> Token | None:
    """Return the finite verb of a clause that opens with its subject."""
    if len(clause) < SHORTEST or clause[0].tag not in SUBJECTS_OF_CLAUSES:
        return None
    place = next((at for at, token in enumerate(clause) if token.tag in FINITE), 0)
    opening = {token.tag for token in clause[:place]}
    is_late = not 0 < place <= LATEST or not opening.isdisjoint(NOT_BEFORE_VERBS)
    return None if is_late or clause[-1].tag in ("IN", "TO", "DT") else clause[place]


def _agree(verbs: Sequence[Token]) -> bool:
    """Whether all verbs are of one tense: past, or present."""
    tags = {verb.tag for verb in verbs}
    return tags == {"VBD"} or tags <= {"VBZ", "VBP"}


def _is_whole(clause: Sequence[Token]) -> bool:
    return not adverbials.has_half_pair(clause) and not clause[-1].text.endswith(".")


def _features(
    tokens: Sequence[Token],
    place: int,
    clauses: tuple[Sequence[Token], Sequence[Token]],
    verbs: Sequence[Token],
) -> dict[str, float]:
    connective = tokens[place].text.lower()
    return {
        "is_adverbial": 1.0,
        "clauses_exchanged": 1.0,
        "either_order": connective in EITHER_ORDER,
        "in_time": connective in IN_TIME,
        "causes": connective in CAUSES,
        "opens": place == 0,
        "pronoun_first": _has_pronoun(clauses[1]),
        "pronoun_last": _has_pronoun(clauses[0]),
        "copulas": sum(verb.text.lower() in COPULAS for verb in verbs),
        "clause_words": min(map(len, clauses)),
    }


def _has_pronoun(clause: Sequence[Token]) -> bool:
    return any(token.text.lower() in PRONOUNS for token in clause)
