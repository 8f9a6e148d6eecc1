"""Noun phrases that change places with their articles and adjectives: "the old hall", "a singer".

Two of them change places if they play parallel parts: subjects of two verbs, subject and object,
objects after one preposition. Both have one number and both the same kind of article. So verbs
agree and "a" and "an" fit as before, and the candidate needs no word that its source lacks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generation.nlp import exchanges, phrases, templates
from generation.nlp.exchanges import COPULAS, EDGE
from generation.nlp.phrases import Kind, Phrase, word_set
from generation.nlp.settings import WordSwapSettings
from generation.nlp.tagging import TaggedSentence, Token
from generation.nlp.templates import Sentence, Template
from generation.nlp.vector_likeness import Likeness

MAX_WORDS = 6
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
# The share of such candidates, of at most this loss, that a reader accepted: 49 of 63.
ACCEPTED, MOST_LOSS = 0.78, 3.0
# Least similarity of head nouns, whatever the settings require of single words.
LEAST = 0.48


def build(
    tagged: TaggedSentence, settings: WordSwapSettings, likeness: Likeness | None = None
) -> Template:
    """Build the template of the noun phrases of a sentence."""
    tokens = tagged.tokens
    parts = phrases.find(tagged, entity_probability=settings.entity_probability)
    fixed = templates.fixed_places(tagged, parts, settings)
    words, capital = templates.inner_words(tagged, parts)
    found = list(joined(tokens, parts))
    pools = ((each, pool(tokens, each)) for each in found if each.kind is Kind.NOUN_PHRASE)
    return templates.assemble(
        Sentence(tokens, words, capital),
        found,
        {
            phrase: name
            for phrase, name in pools
            if name is not None and fixed.isdisjoint(range(phrase.start, phrase.end))
        },
        _Exchanges(tokens, words, likeness if settings.likeness > -1 else None).allows,
    )


def joined(tokens: Sequence[Token], parts: Sequence[Phrase]) -> Iterator[Phrase]:
    """Yield the parts of a sentence, each noun phrase as one, labelled singular or plural."""
    place = 0
    while place < len(parts):
        end = _end(tokens, parts, place)
        if end > place:
            head = tokens[parts[end - 1].end - 1]
            label = "plural" if head.tag in ("NNS", "NNPS") else "singular"
            yield Phrase(parts[place].start, parts[end - 1].end, Kind.NOUN_PHRASE, label)
        else:
            yield parts[place]
        place = max(end, place + 1)


def _end(tokens: Sequence[Token], parts: Sequence[Phrase], place: int) -> int:
    """Return the end of the noun phrase that begins with parts[place], or `place` if none does."""
    has_article = tokens[parts[place].start].text.lower() in DEFINITE | INDEFINITE
    end = place
    for at in range(place + has_article, len(parts)):
        kind, tag = parts[at].kind, tokens[parts[at].start].tag
        if kind in (Kind.NOUN, Kind.NAME):
            end = at + 1
        elif end > place or not (kind is Kind.ADJECTIVE or (has_article and tag in ("VBN", "VBG"))):
            break
    return end


def pool(tokens: Sequence[Token], phrase: Phrase) -> str | None:
    """Return the number and article of a noun phrase, or None if it is bound to its place."""
    inside = tokens[phrase.start : phrase.end]
    words = [token.text.lower() for token in inside]
    head = inside[-1]
    is_bound = (
        head.tag not in ("NN", "NNS")
        or len(inside) > MAX_WORDS
        or words[-1] in BOUND_HEADS
        or not (exchanges.BOUND_ADJECTIVES | exchanges.ORDINALS).isdisjoint(words)
        or not all(word.replace("-", "").isalpha() for word in words)
        or sum(token.text.lower() == words[-1] for token in tokens) > 1
    )
    if is_bound or _is_part(tokens, phrase):
        return None
    return f"{phrase.label} {_article(words[0])}"


def _article(word: str) -> str:
    if word in DEFINITE:
        return "definite"
    return "indefinite" if word in INDEFINITE else "bare"


def _is_part(tokens: Sequence[Token], phrase: Phrase) -> bool:
    """Whether words before or after belong to a noun phrase: "of the town", "who", "called"."""
    before, after = _around(tokens, phrase)
    if before.tag in PART_AFTER or after.tag in PART_BEFORE or before.text == after.text == ",":
        return True
    if _follows_participle(tokens, phrase):
        return True
    if before.text.lower() == "from" and after.text.lower() == "to":
        return False
    return after.tag in ("IN", "TO", "RP", "RB") and after.text.lower() not in FREE_AFTER


def _follows_participle(tokens: Sequence[Token], phrase: Phrase) -> bool:
    """Whether a participle before a phrase without article may be its adjective: "or gated"."""
    tags = ["", "", *(token.tag for token in tokens[: phrase.start])]
    if _article(tokens[phrase.start].text.lower()) != "bare":
        return False
    return tags[-1] == "VBN" or (tags[-1] == "VBG" and tags[-2] in PART_AFTER)


def _around(tokens: Sequence[Token], phrase: Phrase) -> tuple[Token, Token]:
    before = tokens[phrase.start - 1] if phrase.start else EDGE
    return before, tokens[phrase.end] if phrase.end < len(tokens) else EDGE


def role(tokens: Sequence[Token], phrase: Phrase) -> str:
    """Return the part that a noun phrase plays: subject, object, predicate, or its preposition.

    "" if this cannot be seen from the words around it.
    """
    before, after = _around(tokens, phrase)
    if before.tag in ("IN", "TO") and before.text.lower() not in CONJUNCTIONS:
        return before.text.lower()
    if after.tag in ("MD", "VB", "VBZ", "VBP", "VBD"):
        return "subject"
    if before.text.lower() in COPULAS:
        return "predicate"
    return "object" if before.tag[:2] == "VB" else ""


@dataclass(frozen=True, slots=True)
class _Exchanges:
    """Checks which noun phrases may change places: parallel ones whose heads are used alike."""

    tokens: Sequence[Token]
    words: Sequence[str]
    likeness: Likeness | None

    def allows(self, one: Phrase, other: Phrase) -> bool:
        """Whether `other` may take the place of `one`, with the same number and article."""
        if not are_parallel(role(self.tokens, one), role(self.tokens, other)):
            return False
        if self.likeness is None:
            return True
        heads = (self.words[one.end - 1],), (self.words[other.end - 1],)
        found = self.likeness.between(*heads)
        return found is not None and found >= LEAST


def are_parallel(one: str, other: str) -> bool:
    """Whether noun phrases with these roles may change places; "of" fits too many of them."""
    return (one == other and one not in ("", "of")) or {one, other} in PARALLEL


def acceptance(loss: float) -> float:
    """Return the probability that an exchange of noun phrases is accepted, by its loss in nats."""
    return ACCEPTED if loss <= MOST_LOSS else 0.0
