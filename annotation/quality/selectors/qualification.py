"""The qualification set of a project, and where somebody stands in it."""

import hashlib
from dataclasses import dataclass

from django.db.models import Count, F, Q

from annotation.models import (
    Membership,
    Project,
    QualificationAnswer,
    QualificationAttempt,
    QualificationPair,
)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where somebody is in the attempt that is under way: the next pair, and its number of all."""

    pair: QualificationPair
    number: int
    total: int


@dataclass(frozen=True, slots=True)
class Marked:
    """A pair of a finished attempt, what the person answered, and what is known."""

    pair: QualificationPair
    given: int

    @property
    def is_right(self) -> bool:
        """Whether the answer is the known one: on a graded scale, the same grade."""
        return self.given == self.pair.label


@dataclass(frozen=True, slots=True)
class SetPair:
    """A pair of the set with how often it was answered, and answered as known."""

    pair: QualificationPair
    answers: int
    right: int

    @property
    def percent(self) -> float | None:
        """Of the answers that were as known; None without any."""
        return 100 * self.right / self.answers if self.answers else None


def under_way(membership: Membership) -> QualificationAttempt | None:
    """The attempt that the person has begun and not finished."""
    return membership.attempts.filter(finished_at=None).first()


def last_finished(membership: Membership) -> QualificationAttempt | None:
    """The attempt whose result the person may read."""
    return membership.attempts.filter(finished_at__isnull=False).last()


def attempts_left(membership: Membership) -> int:
    """How often the person may still try; an attempt under way is one of them.

    What counts against them is what they failed: a manager who grants another attempt takes the
    failure off (services/qualification.py).
    """
    failed = membership.attempts.filter(passed=False).count()
    return max(0, membership.project.attempts - failed)


def remaining(attempt: QualificationAttempt) -> list[QualificationPair]:
    """Pairs of the set that are still to be answered, in the order drawn for this attempt.

    The order is drawn pair by pair, so that it stands when pairs join or leave the set meanwhile.
    """
    answered = QualificationAnswer.objects.filter(attempt=attempt).values("pair")
    unanswered = QualificationPair.objects.filter(project__memberships=attempt.membership_id)
    return sorted(unanswered.exclude(pk__in=answered), key=lambda pair: _draw(attempt, pair))


def standing(attempt: QualificationAttempt) -> Standing | None:
    """The pair that the person is at; None when the set has become empty."""
    left = remaining(attempt)
    if not left:
        return None
    done = attempt.answers.count()
    return Standing(left[0], done + 1, done + len(left))


def marked(attempt: QualificationAttempt) -> list[Marked]:
    """The answers of a finished attempt beside the known ones, in the order of the set."""
    if attempt.finished_at is None:
        raise ValueError("Nothing is told of an attempt before it is over.")
    answers = attempt.answers.select_related("pair").order_by("pair__position")
    return [Marked(answer.pair, answer.label) for answer in answers]


def of_project(project: Project) -> list[SetPair]:
    """The set in its order, with the answers of all attempts."""
    right = Count("answers", filter=Q(answers__label=F("label")))
    pairs = project.qualification_pairs.annotate(given=Count("answers"), right=right)
    return [SetPair(pair, pair.given, pair.right) for pair in pairs.order_by("position")]


def language_of(project: Project) -> str:
    """The language of the project's sentences; empty where its corpora have several, or none."""
    found = set(project.runs.values_list("corpus__language", flat=True))
    return found.pop() if len(found) == 1 else ""


def _draw(attempt: QualificationAttempt, pair: QualificationPair) -> bytes:
    return hashlib.sha256(f"{attempt.pk} order {pair.public_id}".encode()).digest()
