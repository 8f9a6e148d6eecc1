"""What is left for a person, and the answer that they have undone or are about to change.

Items are counted when a page is opened and every few minutes after that. In between each answer
counts down the number that its form sent, so that turns take no statement for it. Without scripts,
the address to which an answer leads carries the number.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import QueryDict
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from annotation.access.gates import Request
from annotation.errors import Refused
from annotation.models import Duty, Role, Slot
from annotation.work import reasons, waiting
from annotation.work.contract import Shown, Turn
from annotation.work.forms import ChangeForm
from annotation.work.kinds import KINDS
from annotation.work.waiting import WhyNone
from common import demonstration

KEY = "former_answer"
COUNTED_AGAIN = 20


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Another kind of work with items for the person; at most waiting.COUNTED are counted."""

    title: str | Promise
    address: str
    waiting: int


def items_left(request: Request, duty: Duty, turn: Turn) -> dict[str, Any]:
    """Return the template context of the number of items left, with the one in view."""
    number = _number_left(request, duty, turn) if turn.shown else None
    return {"left": number, "most_counted": waiting.SHOWN}


def _number_left(request: Request, duty: Duty, turn: Turn) -> int | None:
    """Return the number; None after an answer whose form sent none.

    Those who have many items left have them counted again after every COUNTED_AGAIN answers, and so
    have those without scripts, whose page does not ask in between. One's own answer never raises
    the number.
    """
    is_refused = isinstance(turn.refusal, Refused)
    sent = _number_sent(request.POST if turn.saved or is_refused else request.GET)
    if not turn.saved:
        return sent if sent or is_refused else waiting.items_for(duty)
    if sent is None:
        return None
    is_due = turn.tally.total % COUNTED_AGAIN == 0
    if sent == 1 or (is_due and (sent > waiting.SHOWN or not request.htmx)):
        number = waiting.items_for(duty)
        return number if sent > waiting.SHOWN or sent == 1 else min(number, sent - 1)
    return sent - 1


def _number_sent(values: QueryDict) -> int | None:
    """Return the number that a form or an address has; None if there is none, or it is wrong."""
    sent = values.get("left", "")
    is_number = sent.isascii() and sent.isdigit() and len(sent) <= len(str(waiting.COUNTED))
    return int(sent) if is_number and 1 <= int(sent) <= waiting.COUNTED else None


def next_page(page: str, **query: object) -> str:
    """Return the address of the page after an answer without scripts; None is left out."""
    sent = {name: value for name, value in query.items() if value is not None}
    return f"{page}?{urlencode(sent)}" if sent else page


def other_work(duty: Duty, why: WhyNone) -> Sequence[Elsewhere]:
    """Return the other work that waits for the person in the project."""
    if why not in (WhyNone.NOTHING, WhyNone.LIMIT):
        return []
    member = duty.membership
    allowed_kinds = member.kinds
    others = [kind for kind in member.project.kinds if kind in allowed_kinds and kind != duty.kind]
    numbers = [(kind, waiting.items_for(member.duty(kind))) for kind in others]
    key = member.project.public_id
    return [
        Elsewhere(KINDS[kind].title_in(member.project), reverse("work", args=[key, kind]), number)
        for kind, number in numbers
        if number
    ]


def may_finish(duty: Duty, why: WhyNone, others: Sequence[Elsewhere]) -> bool:
    """Whether this is the end for a person whom a platform sent."""
    ends = (WhyNone.NOTHING, WhyNone.LIMIT, WhyNone.CLOSED)
    return why in ends and not others and duty.membership.is_recruited


def next_step(request: Request, duty: Duty, turn: Turn) -> str:
    """Return the address of the page that comes before more work; empty if work continues."""
    key = duty.membership.project.public_id
    if not duty.membership.is_admitted:
        return reverse("welcome", args=[key])
    if turn.saved and _ends_trial(duty, turn):
        text = _(
            "Thank you: you have judged %(n)s pairs. This is their study, as its manager sees it."
        )
        messages.success(request, text % {"n": demonstration.TRIAL})
        return reverse("overview", args=[key])
    return ""


def _ends_trial(duty: Duty, turn: Turn) -> bool:
    """Whether a newcomer, whom the story on home has sent, has tried the demonstration."""
    member = duty.membership
    is_last = KINDS[duty.kind].has_consensus and turn.tally.total == demonstration.TRIAL
    is_open_study = member.project.name == demonstration.OPEN_STUDY
    is_newcomer = member.role != Role.ANNOTATOR and member.user.story_hidden_at is None
    return is_last and is_open_study and is_newcomer


def remember_answer(request: Request, undone_answer: Slot | None) -> None:
    """Remember an answer as it was before the undo; None where a skip was undone."""
    request.session[KEY] = undone_answer and _as_former(undone_answer)


def answer_in_address(request: Request, duty: Duty) -> Slot | None:
    """Return the answer that the person wants to change, if the address names one of their last."""
    form = ChangeForm(request.GET)
    if not form.is_valid():
        return None
    rows = duty.last_answers.select_related("item", *KINDS[duty.kind].reads)
    return next((slot for slot in rows if slot.item.public_id == form.cleaned_data["change"]), None)


def _as_former(slot: Slot) -> dict[str, Any]:
    names = ("label", "action", "text")
    words = json.dumps(reasons.in_order_shown(slot.words, slot.item)) if slot.words else ""
    answer = {name: getattr(slot, name) for name in names} | {"words": words}
    return {"item": str(slot.item.public_id)} | answer


def former_answer(request: Request, shown: Shown | None, changed: Slot | None) -> Mapping[str, Any]:
    """Return the former answer to the item in view; empty if there is none."""
    if changed:
        return _as_former(changed) | {"changes": True}
    kept = request.session.get(KEY)
    return kept if kept and shown and kept["item"] == str(shown.id) else {}
