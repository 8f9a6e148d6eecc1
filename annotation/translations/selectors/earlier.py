"""A search in a person's own earlier translations."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from annotation.models import Duty, Translation

# A person's latest translations, and those that fit beside the work.
MOST_SEARCHED, MOST_FOUND = 5000, 30


@dataclass(frozen=True, slots=True)
class Earlier:
    """A sentence with the person's translation."""

    source: str
    text: str
    at: datetime | None


def containing(duty: Duty, words: str) -> Sequence[Earlier]:
    """Return the person's latest translations whose source or text contains all of the words."""
    own = duty.answers.filter(action=Translation.Action.TRANSLATE).values("pk")
    rows = Translation.objects.filter(pk__in=own[:MOST_SEARCHED])
    for word in words.split():
        rows = rows.filter(Q(text__icontains=word) | Q(item__sentence1__text__icontains=word))
    columns = ("item__sentence1__text", "text", "submitted_at")
    found = rows.order_by("-serial").values_list(*columns)[:MOST_FOUND]
    return [Earlier(source or "", text, at) for source, text, at in found]
