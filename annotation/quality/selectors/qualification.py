"""The qualification set of a project, and a member's progress in it."""

from dataclasses import dataclass
from typing import Any

from django.db.models import BooleanField, Count, ExpressionWrapper, F, Q, QuerySet

from annotation.models import (
    Membership,
    Project,
    QualificationAnswer,
    QualificationAttempt,
    QualificationPair,
)
from common.draws import draw


@dataclass(frozen=True, slots=True)
class Standing:
    """Progress in the unfinished attempt: the next pair, its number and the total."""

    pair: QualificationPair
    number: int
    total: int


def unfinished_attempt(membership: Membership) -> QualificationAttempt | None:
    return membership.attempts.filter(finished_at=None).first()


def last_finished_attempt(membership: Membership) -> QualificationAttempt | None:
    """Return the attempt whose result the person may see."""
    return membership.attempts.filter(finished_at__isnull=False).last()


def attempts_left(membership: Membership) -> int:
    """Return the attempts left: only failures count, and a manager may clear one."""
    failed = membership.attempts.filter(passed=False).count()
    return max(0, membership.project.attempts - failed)


def unanswered_pairs(attempt: QualificationAttempt) -> list[QualificationPair]:
    """Return the unanswered pairs, in the random order of this attempt.

    The order is drawn pair by pair, so that adding or removing pairs does not change it.
    """
    answered = QualificationAnswer.objects.filter(attempt=attempt).values("pair")
    unanswered = QualificationPair.objects.filter(project__memberships=attempt.membership_id)
    return sorted(
        unanswered.exclude(pk__in=answered),
        key=lambda pair: draw(attempt.pk, "order", str(pair.public_id)),
    )


def progress_of(attempt: QualificationAttempt) -> Standing | None:
    """Return the progress in an attempt; None if no pair is left."""
    unanswered = unanswered_pairs(attempt)
    if not unanswered:
        return None
    answered = attempt.answers.count()
    return Standing(pair=unanswered[0], number=answered + 1, total=answered + len(unanswered))


def marked_answers(attempt: QualificationAttempt) -> QuerySet[Any]:
    """Return the answers of a finished attempt in set order, with pair and `is_right`."""
    is_near = _near("label", "pair__label", attempt.membership.project)
    is_right = ExpressionWrapper(is_near, output_field=BooleanField())
    answers = attempt.answers.select_related("pair").annotate(is_right=is_right)
    return answers.order_by("pair__position")


def of_project(project: Project) -> QuerySet[Any]:
    """Return the set in order; `given` and `right` count the answers of all attempts."""
    right = Count("answers", filter=_near("answers__label", "label", project))
    return project.qualification_pairs.annotate(given=Count("answers"), right=right)


def _near(label: str, right_label: str, project: Project) -> Q:
    """Return the condition that the label in a column is right; another has the known one."""
    tolerance = project.scheme.tolerance
    return Q(**{f"{label}__range": (F(right_label) - tolerance, F(right_label) + tolerance)})


def language_of(project: Project) -> str:
    """Return the language of the project's corpora; empty if there are several or none."""
    languages = set(project.runs.values_list("corpus__language", flat=True))
    return languages.pop() if len(languages) == 1 else ""
