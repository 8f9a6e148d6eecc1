"""Noun phrases that change places with their articles and adjectives: "the old hall", "a singer".

Two of them change places if both are singular or both plural, so that verbs agree as before, and
"a" and "an" move with their words. How well they fit each other's places is a matter of their
roles, articles and heads, from which acceptance is estimated.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from generation.nlp import exchanges, sense_rules, templates
from generation.nlp.exchanges import COPULAS, EDGE
from generation.nlp.phrases import ORDINALS, PROPER, Kind, Phrase, word_set
from generation.nlp.settings import WordSwapSettings
from generation.nlp.tagging import Token
from generation.nlp.templates import Sentence, Template
from generation.nlp.vector_likeness import UNKNOWN, Likeness

MAX_WORDS = 8
LEAST = 0.15  # likeness of the heads, whatever the settings require of single words
DEFINITE, INDEFINITE = word_set("the this that these those"), word_set("a an some")
# Heads that mean little without what follows, or that say when, how or how much.
BOUND_HEADS = word_set(
    "way ways lot lots part parts kind kinds type types sort sorts number numbers amount bit fact"
    " thing things one ones anyone nothing example examples case cases addition result order"
    " term terms reason reasons place places home fashion degree percent extent instance course"
    " end beginning start middle rest half majority series set pair group top bottom front back"
    " time times day days week weeks weekend month months year years hour hours minute minutes"
    " second seconds moment century centuries decade decades morning afternoon evening night today"
    " tomorrow yesterday season seasons spring summer autumn winter"
)
# Tags before a noun phrase of which it is only a part.
PART_AFTER = word_set(
    "DT PRP$ WP$ POS PDT CD JJ JJR JJS NN NNS NNP NNPS RB RBR RBS WDT HYPH -LRB- ( $ #"
)
# Tags after a noun phrase that is only a part of a longer one, or modified.
PART_BEFORE = word_set(
    "DT PRP PRP$ POS CD JJ NN NNS NNP NNPS WDT WP WP$ WRB VBG VBN HYPH -LRB- ( : ``"
)
# Prepositions and conjunctions that seldom belong to the noun before them.
FREE_AFTER = word_set("than from by as against into instead rather because if when while")
CONJUNCTIONS = word_set("that if because while although though whether since as when")
PARALLEL = (
    {"subject", "object"},
    {"subject", "predicate"},
    {"subject", "than"},
    {"from", "to"},
    {"from", "into"},
)


def build(
    sentence: Sentence, settings: WordSwapSettings, likeness: Likeness | None = None
) -> Template:
    tokens, words = sentence.tokens, sentence.words
    all_phrases = list(join_noun_phrases(tokens, sentence.phrases))
    free_noun_phrases = (
        phrase
        for phrase in all_phrases
        if phrase.kind is Kind.NOUN_PHRASE and sentence.is_free(phrase)
    )
    pools = ((phrase, pool(tokens, phrase)) for phrase in free_noun_phrases)
    return templates.assemble(
        sentence,
        all_phrases,
        {phrase: name for phrase, name in pools if name is not None},
        _Exchanges(tokens, words, likeness if settings.likeness > -1 else None).allows,
    )


def join_noun_phrases(tokens: Sequence[Token], parts: Sequence[Phrase]) -> Iterator[Phrase]:
    """Yield the parts of a sentence, each noun phrase as one, labelled singular or plural.

    "The edge of the wood" is one noun phrase.
    """
    place = 0
    while place < len(parts):
        end = _end_with_of(tokens, parts, place)
        if end > place:
            whole = Phrase(parts[place].start, parts[end - 1].end, Kind.NOUN_PHRASE, "singular")
            is_plural = tokens[head(tokens, whole)].tag in ("NNS", "NNPS")
            yield replace(whole, label="plural") if is_plural else whole
        else:
            yield parts[place]
        place = max(end, place + 1)


def _end_with_of(tokens: Sequence[Token], parts: Sequence[Phrase], place: int) -> int:
    """Return the end of the noun phrase at parts[place] with all that "of" adds, or `place`."""
    end = _simple_end(tokens, parts, place)
    while place < end < len(parts) - 1 and tokens[parts[end].start].text == "of":
        next_end = _simple_end(tokens, parts, end + 1)
        if next_end == end + 1:
            break
        end = next_end
    return end


def _simple_end(tokens: Sequence[Token], parts: Sequence[Phrase], place: int) -> int:
    has_article = tokens[parts[place].start].text.lower() in DEFINITE | INDEFINITE
    end = place
    for place_of_part in range(place + has_article, len(parts)):
        kind, tag = parts[place_of_part].kind, tokens[parts[place_of_part].start].tag
        if kind in (Kind.NOUN, Kind.NAME):
            end = place_of_part + 1
        elif end > place or not (kind is Kind.ADJECTIVE or (has_article and tag in ("VBN", "VBG"))):
            break
    return end


def head(tokens: Sequence[Token], phrase: Phrase) -> int:
    """Return the place of the head of a noun phrase: the last word before "of"."""
    inside = range(phrase.start + 1, phrase.end)
    return next((at for at in inside if tokens[at].text == "of"), phrase.end) - 1


def pool(tokens: Sequence[Token], phrase: Phrase) -> str | None:
    """Return the number of a noun phrase, or None if it is bound to its place."""
    inside = tokens[phrase.start : phrase.end]
    words = [token.text.lower() for token in inside]
    main = tokens[head(tokens, phrase)]
    is_bound = (
        main.tag not in ("NN", "NNS", "NNP", "NNPS")
        or len(inside) > MAX_WORDS
        or main.text.lower() in BOUND_HEADS
        or not (exchanges.BOUND_ADJECTIVES | ORDINALS).isdisjoint(words)
        or not all(word.replace("-", "").isalpha() for word in words)
        or sum(token.text.lower() == main.text.lower() for token in tokens) > 1
    )
    if is_bound or _is_part(tokens, phrase):
        return None
    return phrase.label


def _article(word: str) -> str:
    if word in DEFINITE:
        return "definite"
    return "indefinite" if word in INDEFINITE else "bare"


def _is_part(tokens: Sequence[Token], phrase: Phrase) -> bool:
    """Whether words before or after belong to a noun phrase: "who", "called"."""
    before, after = _tokens_around(tokens, phrase)
    if before.tag in PART_AFTER or after.tag in PART_BEFORE or before.text == after.text == ",":
        return True
    return _follows_participle(tokens, phrase) or after.text == "of" or after.tag == "RP"


def _follows_participle(tokens: Sequence[Token], phrase: Phrase) -> bool:
    """Whether a participle before a phrase without article may be its adjective: "or gated"."""
    tags = ["", "", *(token.tag for token in tokens[: phrase.start])]
    if _article(tokens[phrase.start].text.lower()) != "bare":
        return False
    return tags[-1] == "VBN" or (tags[-1] == "VBG" and tags[-2] in PART_AFTER)


def _tokens_around(tokens: Sequence[Token], phrase: Phrase) -> tuple[Token, Token]:
    before = tokens[phrase.start - 1] if phrase.start else EDGE
    return before, tokens[phrase.end] if phrase.end < len(tokens) else EDGE


def role(tokens: Sequence[Token], phrase: Phrase) -> str:
    """Return the part that a noun phrase plays: subject, object, predicate, or its preposition.

    "" if this cannot be seen from the words around it.
    """
    before, after = _tokens_around(tokens, phrase)
    if before.tag in ("IN", "TO") and before.text.lower() not in CONJUNCTIONS:
        return before.text.lower()
    if after.tag in ("MD", "VB", "VBZ", "VBP", "VBD"):
        return "subject"
    if before.text.lower() in COPULAS:
        return "predicate"
    return "object" if before.tag[:2] == "VB" else ""


@dataclass(frozen=True, slots=True)
class _Exchanges:
    """Checks which noun phrases may change places: those whose heads are used at all alike."""

    tokens: Sequence[Token]
    words: Sequence[str]
    likeness: Likeness | None

    def allows(self, one: Phrase, other: Phrase) -> bool:
        if _move_alone(self.tokens, one, other) or sense_rules.refuses(self.tokens, one, other):
            return False
        if self.likeness is None:
            return True
        heads = (self.words[head(self.tokens, one)],), (self.words[head(self.tokens, other)],)
        likeness = self.likeness.between(*heads)
        return likeness is not None and likeness >= LEAST


def _move_alone(tokens: Sequence[Token], one: Phrase, other: Phrase) -> bool:
    """Whether both are names or single words, which change places as such."""
    pair = one, other
    are_words = all(phrase.end - phrase.start == 1 for phrase in pair)
    return are_words or all(tokens[head(tokens, phrase)].tag in PROPER for phrase in pair)


def features(
    tokens: Sequence[Token], words: Sequence[str], pair: tuple[Phrase, Phrase], likeness: Likeness
) -> dict[str, float]:
    """Return what the acceptance of their exchange depends on, by name."""
    roles = [role(tokens, phrase) for phrase in pair]
    heads = [words[head(tokens, phrase)] for phrase in pair]
    articles = [_article(tokens[phrase.start].text.lower()) for phrase in pair]
    tokens_after = [_tokens_around(tokens, phrase)[1] for phrase in pair]
    similarity = likeness.between(heads[:1], heads[1:])
    return {
        "alike_heads": UNKNOWN if similarity is None else similarity,
        "same_article": articles[0] == articles[1],
        "same_role": roles[0] == roles[1] not in ("", "of"),
        "parallel_roles": set(roles) in PARALLEL,
        "predicate": "predicate" in roles,
        "unclear_roles": roles.count(""),
        "of_roles": roles.count("of"),
        "preposition_after": sum(
            token.tag in ("IN", "TO") and token.text.lower() not in FREE_AFTER
            for token in tokens_after
        ),
        "has_name": any(tokens[head(tokens, phrase)].tag in PROPER for phrase in pair),
    }
