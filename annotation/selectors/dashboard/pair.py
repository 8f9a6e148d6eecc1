"""One pair: where it came from, what each said about it, and everything that happened to it."""

import uuid
from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from annotation.models import Judgment, Project, SentencePair, Skip


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: what, when, by whom, and the label or the reason that goes with it.

    `what` is one of: made, corrected, opened, judged, held_out, skipped, set_aside, decided.
    """

    what: str
    at: datetime
    by: User | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Whole:
    """A pair with all its slots by number, and who passed it over."""

    pair: SentencePair
    slots: list[Judgment]
    skips: list[Skip]

    @property
    def answers(self) -> list[Judgment]:
        return [slot for slot in self.slots if slot.label is not None]

    @property
    def history(self) -> list[Event]:
        """The oldest first."""
        events = [*_beginnings(self.pair), *map(_judged, self.answers)]
        events += [_held_out(slot) for slot in self.answers if slot.held_out]
        events += [
            Event("skipped", skip.created_at, skip.annotator, skip.reason) for skip in self.skips
        ]
        return sorted([*events, *_ends(self.pair)], key=lambda event: event.at)


def find(project: Project, public_id: uuid.UUID) -> Whole:
    """Three statements. Raises SentencePair.DoesNotExist for a pair that is not the project's."""
    pair = SentencePair.objects.select_related(
        "candidate__run",
        "candidate__batch",
        "candidate__sentence",
        "consensus",
        "correction__annotator",
        "sentence1__corpus",
        "sentence2",
    ).get(project=project, public_id=public_id)
    slots = pair.judgments.select_related("annotator", "held_out__by", "replacement")
    skips = pair.skips.select_related("annotator")
    return Whole(pair, list(slots.order_by("slot")), list(skips.order_by("pk")))


def _beginnings(pair: SentencePair) -> list[Event]:
    finished, correction = pair.candidate.batch.finished_at, pair.correction
    events = [Event("opened", pair.created_at)]
    if finished:
        events.append(Event("made", finished))
    if correction and correction.submitted_at:
        at, by = correction.submitted_at, correction.annotator
        events.append(Event("corrected", at, by, correction.action or ""))
    return events


def _judged(slot: Judgment) -> Event:
    at = slot.submitted_at or slot.pair.created_at
    return Event("judged", at, slot.annotator, str(slot.label))


def _held_out(slot: Judgment) -> Event:
    assert slot.held_out is not None  # noqa: S101 its caller asks only for such slots
    return Event("held_out", slot.held_out.created_at, slot.held_out.by, slot.held_out.reason)


def _ends(pair: SentencePair) -> list[Event]:
    events = []
    if pair.set_aside_at:
        events.append(Event("set_aside", pair.set_aside_at))
    if hasattr(pair, "consensus"):
        events.append(Event("decided", pair.consensus.decided_at))
    return events
