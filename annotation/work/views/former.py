"""The answer that a person has undone, shown with its item until they answer again.

It is kept in their session: the slot is open again and holds nothing.
"""

from collections.abc import Mapping
from typing import Any

from annotation.access.gates import Request
from annotation.models import Slot
from annotation.work.contract import Shown

KEY = "former_answer"


def keep(request: Request, answer: Slot | None) -> None:
    """Remember an answer as it was before the undo; None where a skip was undone."""
    request.session[KEY] = answer and {
        "item": str(answer.item.public_id),
        "label": answer.label,
        "action": answer.action,
        "text": answer.text,
    }


def of(request: Request, shown: Shown | None) -> Mapping[str, Any]:
    """Return the former answer to the item in view; empty if there is none."""
    kept = request.session.get(KEY)
    return kept if kept and shown and kept["item"] == str(shown.id) else {}
