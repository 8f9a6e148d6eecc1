"""What is left for a person, and the answer that they have undone.

Items are counted when a page is opened and every few minutes after that. In between each answer
counts down the number that its form sent, so that turns take no statement for it. Without scripts,
the address to which an answer leads carries the number, except after every COUNTED_AGAIN answers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise

from annotation.access.gates import Request
from annotation.models import Duty, Slot
from annotation.work import waiting
from annotation.work.contract import Shown
from annotation.work.kinds import KINDS
from annotation.work.waiting import WhyNone

KEY = "former_answer"
COUNTED_AGAIN = 20


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Another kind of work with items for the person; at most waiting.LIMIT + 1 are counted."""

    title: str | Promise
    address: str
    waiting: int


def items_left(request: Request, duty: Duty, *, stored: bool, undone: bool) -> dict[str, Any]:
    """Return the template context of the number of items left, with the one in view."""
    if request.method == "POST":
        number = _count_down(request.POST.get("left", ""), int(undone) - int(stored))
    else:
        number = _count_down(request.GET.get("left", ""), 0) or waiting.items_for(duty)
    return {"left": number, "most_counted": waiting.LIMIT}


def next_page(page: str, left: int | None, *, answers: int) -> str:
    """Return the address of the page after an answer without scripts."""
    return page if left is None or answers % COUNTED_AGAIN == 0 else f"{page}?left={left}"


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


def _count_down(sent: str, change: int) -> int | None:
    """Return the number after an answer or undo; None if none was sent, or it was wrong."""
    if not (sent.isascii() and sent.isdigit() and len(sent) <= len(str(waiting.LIMIT))):
        return None
    number = int(sent)
    if number > waiting.LIMIT:  # "more than" stays until items are counted again
        return waiting.LIMIT + 1
    return number + change if number + change > 0 else None


def remember_answer(request: Request, undone_answer: Slot | None) -> None:
    """Remember an answer as it was before the undo; None where a skip was undone."""
    request.session[KEY] = undone_answer and {
        "item": str(undone_answer.item.public_id),
        "label": undone_answer.label,
        "action": undone_answer.action,
        "text": undone_answer.text,
    }


def former_answer(request: Request, shown: Shown | None) -> Mapping[str, Any]:
    """Return the former answer to the item in view; empty if there is none."""
    kept = request.session.get(KEY)
    return kept if kept and shown and kept["item"] == str(shown.id) else {}
