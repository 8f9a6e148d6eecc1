"""One pair with its origin, its answers, and everything that happened to it."""

import uuid
from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from annotation.models import Adjudication, Project, Reopening, SentencePair, Skip, Slot


@dataclass(frozen=True, slots=True)
class Event:
    """An event: what, when, by whom, with its label or reason.

    `what` is one of: made, corrected, opened, judged, excluded, skipped, set_aside, decided,
    reopened, adjudicated. The label of the last three is that of the decision, of the decision
    before the pair was reopened, or of the expert; None is neither 1 nor 0.
    """

    what: str
    at: datetime
    by: User | None = None
    detail: int | str | None = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a pair: its result, and who reopened the pair afterwards.

    `tally` and `decided_at` are None while it is open; `ended_by` is None for the latest round.
    """

    number: int
    tally: list[int] | None
    label: int | None
    decided_at: datetime | None
    answers: list[Slot]
    ended_by: User | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Whole:
    """A pair with its slots by number, skips, reopenings, and expert decisions, latest first."""

    pair: SentencePair
    slots: list[Slot]
    skips: list[Skip]
    reopenings: list[Reopening]
    adjudications: list[Adjudication]

    @property
    def answers(self) -> list[Slot]:
        return [slot for slot in self.slots if slot.label is not None]

    @property
    def is_untouched(self) -> bool:
        """Whether the pair was never given to an annotator."""
        return all(slot.annotator_id is None for slot in self.slots)

    @property
    def rounds(self) -> list[Round]:
        """The rounds, oldest first."""
        ended = [
            Round(
                number=each.number - 1,
                tally=each.tally,
                label=each.label,
                decided_at=each.decided_at,
                answers=[slot for slot in self.slots if slot.superseded_by_id == each.pk],
                ended_by=each.by,
                ended_at=each.created_at,
            )
            for each in self.reopenings
        ]
        decided = getattr(self.pair, "consensus", None)
        latest = Round(
            number=len(ended) + 1,
            tally=decided and decided.tally,
            label=decided and decided.label,
            decided_at=decided and decided.decided_at,
            answers=[slot for slot in self.answers if slot.superseded_by_id is None],
        )
        return [*ended, latest]

    @property
    def history(self) -> list[Event]:
        """The events, oldest first."""
        events = [*_beginnings(self.pair), *map(_judged, self.answers)]
        events += [_excluded(slot) for slot in self.answers if slot.excluded_by]
        events += [
            Event("skipped", skip.created_at, skip.annotator, skip.reason, skip.note)
            for skip in self.skips
        ]
        events += [event for each in self.reopenings for event in _reopened(each)]
        events += map(_adjudicated, self.adjudications)
        return sorted([*events, *_ends(self.pair)], key=lambda event: event.at)


def find(project: Project, public_id: uuid.UUID) -> Whole:
    """Return a pair of a project, in five queries. Raises SentencePair.DoesNotExist."""
    pair = SentencePair.objects.select_related(
        "candidate__run",
        "candidate__batch",
        "candidate__sentence",
        "consensus",
        "origin__annotator",
        "sentence1__corpus",
        "sentence2",
    ).get(project=project, public_id=public_id)
    slots = pair.slots.select_related("annotator", "excluded_by__by")
    skips = pair.skips.select_related("annotator")
    return Whole(
        pair=pair,
        slots=list(slots.order_by("number")),
        skips=list(skips.order_by("pk")),
        reopenings=list(pair.reopenings.select_related("by")),
        adjudications=list(pair.adjudications.select_related("by").order_by("-pk")),
    )


def _beginnings(pair: SentencePair) -> list[Event]:
    correction = pair.origin
    finished = pair.candidate.batch.finished_at if pair.candidate else None
    events = [Event("opened", pair.created_at)]
    if finished:
        events.append(Event("made", finished))
    if correction and correction.submitted_at:
        at, by = correction.submitted_at, correction.annotator
        events.append(Event("corrected", at, by, correction.action))
    return events


def _judged(slot: Slot) -> Event:
    assert slot.submitted_at is not None  # noqa: S101 its caller asks only for answers
    return Event("judged", slot.submitted_at, slot.annotator, slot.label)


def _excluded(slot: Slot) -> Event:
    assert slot.excluded_by is not None  # noqa: S101 its caller asks only for such slots
    return Event(
        "excluded", slot.excluded_by.created_at, slot.excluded_by.by, slot.excluded_by.reason
    )


def _reopened(reopening: Reopening) -> list[Event]:
    """Return the decision of a round and its reopening."""
    return [
        Event("decided", reopening.decided_at, detail=reopening.label),
        Event("reopened", reopening.created_at, reopening.by, reopening.label),
    ]


def _adjudicated(said: Adjudication) -> Event:
    return Event("adjudicated", said.created_at, said.by, said.label, said.note)


def _ends(pair: SentencePair) -> list[Event]:
    events = []
    if pair.set_aside_at:
        events.append(Event("set_aside", pair.set_aside_at))
    if hasattr(pair, "consensus"):
        decided = pair.consensus
        events.append(Event("decided", decided.decided_at, detail=decided.label))
    return events
