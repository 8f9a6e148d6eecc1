"""One pair with its origin, its answers, and everything that happened to it."""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from accounts.models import User
from annotation.models import (
    Adjudication,
    Item,
    JudgingModel,
    PairExclusion,
    Project,
    Reopening,
    SentencePair,
    Skip,
    Slot,
)


@dataclass(frozen=True, slots=True)
class Event:
    """An event: what, when, by whom, with its label or reason.

    `what` is one of: made, corrected, opened, judged, excluded, skipped, set_aside, decided,
    reopened, adjudicated, pair_excluded, pair_included. `label` is that of the answer (a place of
    the scheme), or the outcome of the decision, of the decision before the pair was reopened, or
    of the expert; `tally` counts the answers that the decision is of. `because` is the model whose
    disagreement had the pair reopened.
    """

    what: str
    at: datetime
    by: User | None = None
    detail: str = ""
    note: str = ""
    label: int | None = None
    tally: Sequence[int] = ()
    because: JudgingModel | None = None


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
    """A pair with its slots by number, skips, reopenings, and expert decisions, latest first.

    `duplicates` have the same two texts and record where they came from as well.
    """

    pair: SentencePair
    slots: list[Slot]
    skips: list[Skip]
    reopenings: list[Reopening]
    adjudications: list[Adjudication]
    duplicates: list[Item]
    exclusions: list[PairExclusion]

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
        earlier_rounds = [
            Round(
                number=reopening.number - 1,
                tally=reopening.tally,
                label=reopening.label,
                decided_at=reopening.decided_at,
                answers=[slot for slot in self.slots if slot.superseded_by_id == reopening.pk],
                ended_by=reopening.by,
                ended_at=reopening.created_at,
            )
            for reopening in self.reopenings
        ]
        decided = getattr(self.pair, "consensus", None)
        latest = Round(
            number=len(earlier_rounds) + 1,
            tally=decided and decided.tally,
            label=decided and decided.label,
            decided_at=decided and decided.decided_at,
            answers=[slot for slot in self.answers if slot.superseded_by_id is None],
        )
        return [*earlier_rounds, latest]

    @property
    def history(self) -> list[Event]:
        """The events, oldest first."""
        events = [
            *_first_events(self.pair),
            *_answer_events(self),
            *_manager_events(self),
            *_ends(self.pair),
        ]
        return sorted(events, key=lambda event: event.at)


def find(project: Project, public_id: uuid.UUID) -> Whole:
    """Return a pair of a project, in six queries. Raises SentencePair.DoesNotExist."""
    pair = SentencePair.objects.select_related(
        "candidate__run",
        "candidate__batch",
        "candidate__sentence",
        "consensus",
        "excluded_by",
        "origin__annotator",
        "sentence1__corpus",
        "sentence2",
    ).get(project=project, public_id=public_id)
    slots = pair.slots.select_related(
        "annotator", "excluded_by__by", "excluded_by__membership", "hidden_reason__by"
    )
    skips = pair.skips.select_related("annotator")
    return Whole(
        pair=pair,
        slots=list(slots.order_by("number")),
        skips=list(skips.order_by("pk")),
        reopenings=list(pair.reopenings.select_related("by", "because")),
        adjudications=list(pair.adjudications.select_related("by").order_by("-pk")),
        duplicates=list(pair.duplicates.select_related("candidate__run").order_by("pk")),
        exclusions=list(pair.exclusions.select_related("by", "ended_by")),
    )


def _first_events(pair: SentencePair) -> Iterator[Event]:
    yield Event("opened", pair.created_at)
    if pair.candidate and (finished := pair.candidate.batch.finished_at):
        yield Event("made", finished)
    correction = pair.origin
    if correction and correction.submitted_at:
        at, by = correction.submitted_at, correction.annotator
        yield Event("corrected", at, by, correction.action)


def _answer_events(record: Whole) -> Iterator[Event]:
    for slot in record.answers:
        if slot.submitted_at:
            yield Event("judged", slot.submitted_at, slot.annotator, label=slot.label)
        if (step := slot.excluded_by) and slot.is_excluded:
            yield Event("excluded", step.created_at, step.by, step.reason)
    for skip in record.skips:
        yield Event("skipped", skip.created_at, skip.annotator, skip.reason, skip.note)


def _manager_events(record: Whole) -> Iterator[Event]:
    for reopening in record.reopenings:
        result: Any = {"label": reopening.label, "tally": reopening.tally}
        yield Event("decided", reopening.decided_at, **result)
        result |= {"because": reopening.because}
        yield Event("reopened", reopening.created_at, reopening.by, **result)
    for decision in record.adjudications:
        yield Event(
            "adjudicated",
            decision.created_at,
            decision.by,
            note=decision.note,
            label=decision.label,
        )
    for exclusion in record.exclusions:
        yield Event(
            "pair_excluded", exclusion.created_at, exclusion.by, exclusion.reason, exclusion.note
        )
        if exclusion.ended_at:
            yield Event("pair_included", exclusion.ended_at, exclusion.ended_by)


def _ends(pair: SentencePair) -> Iterator[Event]:
    if pair.set_aside_at:
        yield Event("set_aside", pair.set_aside_at)
    if decided := getattr(pair, "consensus", None):
        yield Event("decided", decided.decided_at, label=decided.label, tally=decided.tally)
