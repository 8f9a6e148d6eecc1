"""The text of a template's fillers in each place where they may appear."""

from generation.nlp import letter_case
from generation.nlp.templates import Filler, Template


def of(template: Template) -> list[dict[int, str]]:
    """Return, for each slot, the text of each of its choices: preceding space and words.

    Joined, the texts of a filling form its sentence. The sentence's initial capital goes to the
    slot with the first word of the source.
    """
    opening = _opening(template) if template.capital else None
    spaces = ["", *(slot.space for slot in template.slots)]
    return [
        {
            number: spaces[place] + _text(template.fillers[number], capital=place == opening)
            for number in slot.choices
        }
        for place, slot in enumerate(template.slots)
    ]


def _opening(template: Template) -> int | None:
    """Return the slot with the first word; quotation marks do not count."""
    firsts = (letter_case.first_word(template.fillers[number].words) for number in template.source)
    return next((slot for slot, first in enumerate(firsts) if first is not None), None)


def _text(filler: Filler, *, capital: bool) -> str:
    words = list(filler.words)
    first = letter_case.first_word(words)
    if capital and first is not None:
        words[first] = letter_case.capitalised(words[first])
    return "".join(map("".join, zip(words, (*filler.spaces, ""), strict=True)))
