"""The qualification set of a project, and a member's progress in it."""

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
    """Progress in the unfinished attempt: the next pair, its number and the total."""

    pair: QualificationPair
    number: int
    total: int


@dataclass(frozen=True, slots=True)
class Marked:
    """A pair of a finished attempt with the person's answer."""

    pair: QualificationPair
    given: int

    @property
    def is_right(self) -> bool:
        """Whether the answer equals the known one; on a graded scale, the same grade."""
        return self.given == self.pair.label


@dataclass(frozen=True, slots=True)
class SetPair:
    """A pair of the set with the numbers of all and of correct answers."""

    pair: QualificationPair
    answers: int
    right: int

    @property
    def percent(self) -> float | None:
        """Percentage of correct answers; None if there are none."""
        return 100 * self.right / self.answers if self.answers else None


def under_way(membership: Membership) -> QualificationAttempt | None:
    """Return the unfinished attempt."""
    return membership.attempts.filter(finished_at=None).first()


def last_finished(membership: Membership) -> QualificationAttempt | None:
    """Return the attempt whose result the person may see."""
    return membership.attempts.filter(finished_at__isnull=False).last()


def attempts_left(membership: Membership) -> int:
    """Return the number of attempts left, including an unfinished one.

    Only failed attempts count. A manager who grants another attempt clears a failure
    (services/qualification.py).
    """
    failed = membership.attempts.filter(passed=False).count()
    return max(0, membership.project.attempts - failed)


def remaining(attempt: QualificationAttempt) -> list[QualificationPair]:
    """Return the unanswered pairs, in the random order of this attempt.

    The order is drawn pair by pair, so that adding or removing pairs does not change it.
    """
    answered = QualificationAnswer.objects.filter(attempt=attempt).values("pair")
    unanswered = QualificationPair.objects.filter(project__memberships=attempt.membership_id)
    return sorted(unanswered.exclude(pk__in=answered), key=lambda pair: _draw(attempt, pair))


def standing(attempt: QualificationAttempt) -> Standing | None:
    """Return the progress in an attempt; None if no pair is left."""
    left = remaining(attempt)
    if not left:
        return None
    done = attempt.answers.count()
    return Standing(left[0], done + 1, done + len(left))


def marked(attempt: QualificationAttempt) -> list[Marked]:
    """Return the answers of a finished attempt in set order. Raises ValueError if unfinished."""
    if attempt.finished_at is None:
        raise ValueError("The result of an attempt is not shown before it is over.")
    answers = attempt.answers.select_related("pair").order_by("pair__position")
    return [Marked(answer.pair, answer.label) for answer in answers]


def of_project(project: Project) -> list[SetPair]:
    """Return the set in order, with the answers of all attempts."""
    right = Count("answers", filter=Q(answers__label=F("label")))
    pairs = project.qualification_pairs.annotate(given=Count("answers"), right=right)
    return [SetPair(pair, pair.given, pair.right) for pair in pairs.order_by("position")]


def language_of(project: Project) -> str:
    """Return the language of the project's corpora; empty if there are several or none."""
    found = set(project.runs.values_list("corpus__language", flat=True))
    return found.pop() if len(found) == 1 else ""


def _draw(attempt: QualificationAttempt, pair: QualificationPair) -> bytes:
    return hashlib.sha256(f"{attempt.pk} order {pair.public_id}".encode()).digest()
