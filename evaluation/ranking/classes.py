"""Which words and names of a sentence may be exchanged, by class (partial paraphrases 4)."""

from collections.abc import Sequence
from dataclasses import dataclass

from generation.nlp.phrases import trim_entity, word_set
from generation.nlp.tagging import TaggedSentence, Token

NOUN, VERB, ADJECTIVE, ADVERB, ENTITY = "noun", "verb", "adjective", "adverb", "entity"
CLASSES = (NOUN, VERB, ADJECTIVE, ADVERB, ENTITY)
# Modals (MD) are no verbs.
CLASS_OF_TAG = {
    **dict.fromkeys(("NN", "NNS", "NNP", "NNPS"), NOUN),
    **dict.fromkeys(("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"), VERB),
    **dict.fromkeys(("JJ", "JJR", "JJS"), ADJECTIVE),
    **dict.fromkeys(("RB", "RBR", "RBS"), ADVERB),
}
# Exchanging them may leave the meaning as it is (footnote 7).
TO_BE = word_set("be am is are was were been being 's 're 'm ’s ’re ’m")


@dataclass(frozen=True, slots=True)
class Unit:
    """A word, or a name, over tokens[start:end].

    `group` is its class or, of a name, its type, such as PERSON.
    """

    start: int
    end: int
    group: str


def exchangeable_units(
    tagged: TaggedSentence, *, classes: Sequence[str] = CLASSES, entity_probability: float
) -> list[Unit]:
    """Return what may be exchanged, in order; names replace the tags of their words."""
    names = _name_units(tagged, entity_probability)
    places_in_names = {place for name in names for place in range(name.start, name.end)}
    words = (
        Unit(place, place + 1, CLASS_OF_TAG[token.tag])
        for place, token in enumerate(tagged.tokens)
        if token.tag in CLASS_OF_TAG
        and place not in places_in_names
        and token.text.lower() not in TO_BE
    )
    chosen_words = [word for word in words if word.group in classes]
    candidates = [*chosen_words, *(names if ENTITY in classes else ())]
    units = (unit for unit in candidates if _is_whole(tagged.tokens, unit))
    return sorted(units, key=lambda unit: unit.start)


def _is_whole(tokens: Sequence[Token], unit: Unit) -> bool:
    """Return whether a unit is between white space and has a letter or digit.

    "`" does not, nor do the parts in brackets: "can[not]", "all-[basic]", "[Rome].". So exchanges
    keep the words that white space divides.
    """
    unit_tokens = tokens[unit.start : unit.end]
    return (
        (unit.start == 0 or tokens[unit.start - 1].space.isspace())
        and (unit.end == len(tokens) or unit_tokens[-1].space.isspace())
        and any(character.isalnum() for token in unit_tokens for character in token.text)
    )


def _name_units(tagged: TaggedSentence, entity_probability: float) -> list[Unit]:
    likely = (
        (*trim_entity(tagged.tokens, entity), entity.label)
        for entity in tagged.entities
        if entity.probability is None or entity.probability >= entity_probability
    )
    return [Unit(start, end, label) for start, end, label in likely if start < end]


def units_by_class(units: Sequence[Unit], words: Sequence[str]) -> dict[str, list[Unit]]:
    """Return the units of each class that has two or more; of equal ones, only the first.

    `words` are the words of the sentence in mid-sentence spelling; they are compared casefolded.
    """
    unit_of_text_by_class: dict[str, dict[str, Unit]] = {}
    for unit in units:
        text = " ".join(words[unit.start : unit.end]).casefold()
        unit_of_text_by_class.setdefault(unit.group, {}).setdefault(text, unit)
    return {
        name: list(unit_of_text.values())
        for name, unit_of_text in unit_of_text_by_class.items()
        if len(unit_of_text) > 1
    }
