"""Merges tokens into phrases that move as a unit (PAWS 3.1, Figure 2a)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from generation.nlp import change_kinds, dates
from generation.nlp.change_kinds import Kind
from generation.nlp.tagging import Entity, TaggedSentence, Token

PROPER = ("NNP", "NNPS")
UNCERTAIN = "?"


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
    names = list(_names(tagged, entity_probability))
    spans = {(name.start, name.end) for name in names}
    merged = [d for d in _dates(tokens) if d.end - d.start > 1 or (d.start, d.end) in spans]
    for found in (names, _dates(tokens), _numbers(tokens)):
        merged += _unclaimed(found, merged)
    words = (Phrase(i, i + 1, change_kinds.of_tag(t.tag), t.tag) for i, t in enumerate(tokens))
    return sorted([*merged, *_unclaimed(words, merged)], key=lambda phrase: phrase.start)


def _unclaimed(found: Iterable[Phrase], claimed: Sequence[Phrase]) -> list[Phrase]:
    taken = {place for phrase in claimed for place in range(phrase.start, phrase.end)}
    return [phrase for phrase in found if taken.isdisjoint(range(phrase.start, phrase.end))]


def _dates(tokens: Sequence[Token]) -> Iterator[Phrase]:
    for date in dates.find([token.text for token in tokens]):
        after = tokens[date.end].tag if date.end < len(tokens) else ""
        counted = date.form == "year" and after == "NNS"
        modal = date.form == "month_name" and tokens[date.start].tag not in PROPER
        if not counted and not modal:
            yield Phrase(date.start, date.end, Kind.DATE, date.form)


def _numbers(tokens: Sequence[Token]) -> Iterator[Phrase]:
    for is_number, group in groupby(enumerate(tokens), key=lambda item: item[1].tag == "CD"):
        places = [place for place, _ in group]
        if is_number:
            yield Phrase(places[0], places[-1] + 1, Kind.NUMBER, "CD")


def _names(tagged: TaggedSentence, entity_probability: float) -> Iterator[Phrase]:
    """Yield runs of proper nouns and entity words; an "of" between two of them joins them."""
    labels = _labels(tagged, entity_probability)
    place = 0
    while place < len(labels):
        end = _run_end(tagged.tokens, labels, place)
        if end > place:
            yield Phrase(place, end, Kind.NAME, _label(labels[place:end]))
        place = max(end, place + 1)


def _labels(tagged: TaggedSentence, entity_probability: float) -> list[str]:
    """Return, per token, its entity's label, UNCERTAIN, a proper noun's tag, or ""."""
    labels = [token.tag if token.tag in PROPER else "" for token in tagged.tokens]
    for entity in tagged.entities:
        start, end = _trimmed(tagged.tokens, entity)
        if any(labels[start:end]) or end - start > 1:
            certain = entity.probability is None or entity.probability >= entity_probability
            labels[start:end] = [entity.label if certain else UNCERTAIN] * (end - start)
    return labels


def _trimmed(tokens: Sequence[Token], entity: Entity) -> tuple[int, int]:
    """Return the bounds of the entity without its article and possessive ending."""
    start = entity.start + (tokens[entity.start].tag == "DT")
    return start, entity.end - (tokens[entity.end - 1].tag == "POS")


def _run_end(tokens: Sequence[Token], labels: Sequence[str], place: int) -> int:
    while place < len(labels) and labels[place]:
        place += 1
        joined = place + 1 < len(labels) and tokens[place].text == "of" and labels[place + 1]
        place += bool(joined and labels[place - 1])
    return place


def _label(labels: Sequence[str]) -> str:
    """Return the label of a run: UNCERTAIN, else the last entity's label, else the last tag."""
    entities = [label for label in labels if label not in (*PROPER, "", UNCERTAIN)]
    if UNCERTAIN in labels:
        return UNCERTAIN
    return entities[-1] if entities else labels[-1]
