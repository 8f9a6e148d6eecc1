"""Why people chose a label: a text, and the words of the pair that decide it."""

import json
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from annotation.errors import Refused, in_words
from annotation.models import Item, Project, Slot
from annotation.stats.spans import MOST_SPANS, Span, fit, marked, merged, turned
from annotation.work.contract import on_one_line
from common.draws import draw
from generation.nlp.text import RefusedText, check

MOST_CHARACTERS, MOST_JSON = 500, 2_000
# What a required reason has at least, unless words are marked.
LEAST_LETTERS = 3
UNREADABLE = "That answer could not be read. Please try again."


class WordsField(forms.CharField):
    """Spans of both sentences in the order in which they were shown, as JSON."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=MOST_JSON, required=False, **options)

    def clean(self, value: Any) -> list[Span]:
        text = super().clean(value)
        try:
            spans = json.loads(text) if text else []
            cells = [(sentence, start, end) for sentence, start, end in spans]
        except (ValueError, TypeError, RecursionError) as error:
            raise forms.ValidationError(_(UNREADABLE)) from error
        if any(type(cell) is not int for span in cells for cell in span):
            raise forms.ValidationError(_(UNREADABLE))
        return merged(cells)


class ReasonForm(forms.Form):
    """What a page sends with a label where the study asks why."""

    reason = forms.CharField(required=False)
    words = WordsField()


def are_asked(project: Project, pair: uuid.UUID) -> bool:
    """Return whether people who judge a pair, by its public id, are asked for their reasons."""
    if project.reasons == Project.Reasons.OFF:
        return False
    return draw(project.seed, "reasons", str(pair)) < project.reason_share / 100 * 2**64


def places_that_need_one(project: Project) -> Sequence[int]:
    """Return the places of the labels that need a reason, on the pairs that are asked."""
    if project.reasons != Project.Reasons.REQUIRED:
        return ()
    scheme, values = project.scheme, project.reason_labels
    places = range(scheme.size)
    return [place for place in places if scheme.value(place) in values] or places


def columns(
    project: Project, answer: Mapping[str, Any], read_item: Callable[[], Item]
) -> dict[str, Any]:
    """Return the reason in an answer as columns of its slot; none where no one is asked.

    `read_item` is called if words are marked. Raises Refused.
    """
    if not are_asked(project, answer["item"]):
        return {}
    text, words = _checked_text(answer.get("reason", "")), answer.get("words") or []
    is_needed = answer["label"] in places_that_need_one(project)
    if is_needed and not words and sum(map(str.isalpha, text)) < LEAST_LETTERS:
        raise Refused(_("Say why in a few words, or tap the words that decide it."))
    return {"text": text, "words": _in_order_of_pair(words, read_item()) if words else None}


def in_order_shown(words: Iterable[Sequence[int]] | None, item: Item) -> list[Span]:
    """Return stored words by the sentences in the order in which judges see them."""
    return turned(words or []) if item.flipped else merged(map(_span, words or []))


def marked_words(slot: Slot) -> list[str]:
    """Return the marked words of a judgment, in the order of the pair."""
    return marked(slot.words, slot.item.texts) if slot.words else []


def are_required(project: Project, pair: uuid.UUID, label: int) -> bool:
    """Return whether this label of a pair, by its public id, needs a reason."""
    return are_asked(project, pair) and label in places_that_need_one(project)


def _span(cells: Sequence[int]) -> Span:
    sentence, start, end = cells
    return sentence, start, end


def _checked_text(text: str) -> str:
    line = on_one_line(text).strip()
    if not line:
        return ""
    try:
        return check(line, max_characters=MOST_CHARACTERS)
    except RefusedText as refusal:
        reason = _("The reason can’t be saved: %(reason)s.") % {"reason": in_words(refusal)}
        raise Refused(reason) from refusal


def _in_order_of_pair(words: list[Span], item: Item) -> list[list[int]]:
    """Return words, which are by the sentences as shown, as they are stored. Raises Refused."""
    spans = turned(words) if item.flipped else words
    if len(spans) > MOST_SPANS or not fit(spans, item.texts):
        raise Refused(_(UNREADABLE))
    return [list(span) for span in spans]
