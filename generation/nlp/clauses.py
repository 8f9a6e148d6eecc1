"""The clauses of a sentence, by the words that open them and their finite verbs."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from generation.nlp.adverbials import CONJUNCTIONS, FINITE, SUBJECTS, is_finite
from generation.nlp.phrases import word_set
from generation.nlp.tagging import Token

RELATIVES = word_set("who whom whose which where when that")
REACH = 6  # words from the beginning of a clause to its verb
DEFINITE = word_set("the this that these those")
NOUNS = ("NN", "NNS")


@dataclass(frozen=True, slots=True)
class Clause:
    """The clause tokens[start:end] and its opener.

    The opener is "main" of the first clause, "that" (of reports), "relative", "conjunction", or of
    a clause after "and" or "but" "subject" or "verb", by what comes next.
    """

    start: int
    end: int
    opener: str


def find_clauses(tokens: Sequence[Token], start: int, end: int) -> list[Clause]:
    """Return the clauses of tokens[start:end], each with a finite verb, in order and without gaps.

    A comma before an opener belongs to the clause before it.
    """
    starts, openers = [start], ["main"]
    for place in range(start + 1, end):
        opener = _opener(tokens, place, end)
        if opener and is_finite(tokens[starts[-1] : place]) and is_finite(tokens[place:end]):
            starts.append(place)
            openers.append(opener)
    ends = [*starts[1:], end]
    return [Clause(*clause) for clause in zip(starts, ends, openers, strict=True)]


def refers_back(clause: Sequence[Token], earlier: Sequence[Token]) -> bool:
    """Whether a clause names again what an earlier one names: "the dog", after "a dog".

    Before the other, such a clause reads odd.
    """
    nouns = {token.text.lower() for token in earlier if token.tag in NOUNS}
    after = (*(token.tag for token in clause[2:]), "")
    return any(
        article.text.lower() in DEFINITE
        and noun.tag in NOUNS
        and noun.text.lower() in nouns
        and tag not in NOUNS
        for (article, noun), tag in zip(pairwise(clause), after, strict=True)
    )


def _opener(tokens: Sequence[Token], place: int, end: int) -> str:
    """Return what the clause is that this word opens, or "" if it opens none."""
    token, word = tokens[place], tokens[place].text.lower()
    if word in RELATIVES and token.tag in ("WDT", "WP", "WP$", "WRB", "IN"):
        is_report = token.tag == "IN" or tokens[place - 1].tag[:2] == "VB"
        return "that" if word == "that" and is_report else "relative"
    if word in CONJUNCTIONS:
        return "conjunction" if _is_clause(tokens[place + 1 : end]) else ""
    if token.tag != "CC":
        return ""
    after = next((at for at in range(place + 1, end) if tokens[at].tag[:2] != "RB"), end)
    if after < end and tokens[after].tag in FINITE:
        return "verb"
    return "subject" if _is_clause(tokens[after:end]) else ""


def _is_clause(tokens: Sequence[Token]) -> bool:
    """Whether the tokens begin with a subject and soon have a verb."""
    return bool(tokens) and tokens[0].tag in SUBJECTS and is_finite(tokens[1:REACH])
