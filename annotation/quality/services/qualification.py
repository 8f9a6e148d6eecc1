"""The qualification set: how managers edit it and newcomers answer it (PARADE 4.2)."""

import uuid
from collections.abc import Iterable, Sequence

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import Refused
from annotation.models import (
    Membership,
    Project,
    QualificationAnswer,
    QualificationAttempt,
    QualificationPair,
    SentencePair,
)
from annotation.pairs.labelled_lines import GoldPair
from annotation.projects import additions
from annotation.quality.selectors import qualification as selectors
from common import bulk
from generation.nlp.text import pair_key
from generation.records import Follower, Refusal, Report

MOST_PAIRS = 500


@transaction.atomic
def begin(membership: Membership) -> QualificationAttempt:
    """Return the unfinished attempt or create one. Raises Refused, with the reason."""
    _lock_set(membership.project_id)
    member = Membership.objects.select_related("project").get(pk=membership.pk)
    _require_earlier_steps(member)
    if attempt := selectors.unfinished_attempt(member):
        return attempt
    if reason := _refusal(member):
        raise Refused(reason)
    last = member.attempts.aggregate(last=Max("number"))["last"] or 0
    return QualificationAttempt.objects.create(membership=member, number=last + 1)


@transaction.atomic
def answer(membership: Membership, *, pair: uuid.UUID, label: int) -> QualificationAttempt:
    """Answer a pair of the attempt. The last answer finishes it; a pass admits the person.

    Sending the same answer twice has no effect. Raises Refused for a different answer, for a label
    outside the project's scale, for a pair that the set no longer contains, and until the person
    has agreed to a consent text that has changed, and answered new questions.
    """
    attempts = QualificationAttempt.objects.select_for_update(of=("self",))
    attempt = attempts.filter(membership=membership).select_related("membership__project").last()
    if attempt is None:
        raise Refused(_("You haven’t started yet."))
    _require_earlier_steps(attempt.membership)
    earlier = attempt.answers.filter(pair__public_id=pair).first()
    if earlier is None:
        _store_answer(attempt, pair, label)
    elif earlier.label != label:
        raise Refused(_("You have already answered this pair, and answers can't be changed."))
    return attempt


@transaction.atomic
def grant_attempt(membership: Membership, *, by: User | None = None) -> None:
    """Stop counting the last failed attempt; its answers stay. Raises Refused if none failed."""
    failed = membership.attempts.filter(passed=False).last()
    if failed is None:
        raise Refused(_("No attempt has failed, so no extra attempt is needed."))
    QualificationAttempt.objects.filter(pk=failed.pk).update(passed=None)
    audit.record(Act.ATTEMPT_GRANTED, by=by, on=membership.user, project=membership.project)


@transaction.atomic
def let_pass(membership: Membership, *, by: User | None = None) -> None:
    """Admit a person without the qualification set, or although they failed it."""
    if _qualify(membership):
        audit.record(Act.LET_PASS, by=by, on=membership.user, project=membership.project)


def _qualify(membership: Membership) -> bool:
    """Return whether the person was not qualified before."""
    places = Membership.objects.filter(pk=membership.pk, qualified_at=None)
    return places.update(qualified_at=timezone.now()) > 0


@transaction.atomic
def add(project: Project, lines: Iterable[GoldPair], *, by: User | None = None) -> tuple[int, int]:
    """Append pairs to the set. Returns the number added and the number already in the set.

    Unfinished attempts include the new pairs. Raises Refused beyond MOST_PAIRS, for texts that the
    project has as a pair (people learn the answers of the set), and if it judges no pairs.
    """
    _lock_set(project.pk)
    lines = list(lines)
    added = new_lines(project, lines)
    _append_pairs(project, added)
    if added:
        audit.record(Act.QUALIFICATION_ADDED, by=by, on=project, pairs=len(added))
    return len(added), len(lines) - len(added)


@transaction.atomic
def add_lines(
    project: Project,
    lines: Iterable[GoldPair | Refusal],
    *,
    by: User | None = None,
    follower: Follower | None = None,
) -> Report:
    """Append the pairs of a file to the set. Bad lines are reported. Raises as `add` does."""
    report = Report(follower=follower)
    report.added, report.duplicates = add(project, report.readable(lines), by=by)
    report.stored()
    return report


def new_lines(project: Project, lines: Sequence[GoldPair]) -> list[GoldPair]:
    """Return the lines of pairs that the set does not have, each once. Raises as `add` does."""
    additions.check_judged(project)
    directed = project.scheme.directed
    lines_by_key = {
        pair_key(line.sentence1, line.sentence2, directed=directed): line for line in lines
    }
    has_key = bulk.among("texts_key", lines_by_key)
    study_pair = SentencePair.objects.filter(has_key, project=project).first()
    if study_pair and study_pair.texts_key:
        texts = {"texts": lines_by_key[study_pair.texts_key].sentence1}
        raise Refused(
            _("Nothing was added, because the project already has this pair: “%(texts)s”") % texts
        )
    stored = set(project.qualification_pairs.values_list("sentence1", "sentence2"))
    new: dict[tuple[str, str], GoldPair] = {}
    for line in lines:
        new.setdefault((line.sentence1, line.sentence2), line)
    added = [line for texts, line in new.items() if texts not in stored]
    if len(stored) + len(added) > MOST_PAIRS:
        raise Refused(_("A set can have at most %(most)s pairs.") % {"most": MOST_PAIRS})
    return added


@transaction.atomic
def remove(pair: QualificationPair, *, by: User | None = None) -> None:
    """Remove a pair and its answers from the set.

    Results of finished attempts stay. An attempt that had only this pair left is finished.
    """
    _lock_set(pair.project_id)
    under_way = QualificationAttempt.objects.select_for_update(of=("self",)).filter(
        membership__project=pair.project_id, finished_at=None
    )
    attempts = list(under_way.select_related("membership__project").order_by("pk"))
    audit.record(Act.QUALIFICATION_REMOVED, by=by, on=pair)
    pair.delete()
    for attempt in attempts:
        _finish_if_over(attempt)


def _append_pairs(project: Project, lines: Iterable[GoldPair]) -> None:
    last = project.qualification_pairs.aggregate(last=Max("position"))["last"] or 0
    QualificationPair.objects.bulk_create(
        QualificationPair(
            project=project,
            position=position,
            sentence1=line.sentence1,
            sentence2=line.sentence2,
            label=line.label,
            explanation=line.explanation,
        )
        for position, line in enumerate(lines, start=last + 1)
    )


def _lock_set(project: int) -> None:
    """Serialize changes of the set and starts of attempts, without blocking other work."""
    Project.objects.select_for_update(no_key=True).get(pk=project)


def _require_earlier_steps(place: Membership) -> None:
    if not place.has_consented:
        raise Refused(_("Please read and agree to the consent text first."))
    if not place.has_replied:
        raise Refused(_("Please answer the questions about you first."))


def _refusal(member: Membership) -> str:
    """Return why the person may not start an attempt; empty if they may."""
    if not member.project.asks_qualification or member.qualified_at is not None:
        return _("There is no qualification test for you to take.")
    if not member.project.qualification_pairs.exists():
        return _(
            "The qualification test isn’t ready yet. Ask the person who invited you for details."
        )
    if not selectors.attempts_left(member):
        return _("You have no attempts left. The person who invited you can grant you another one.")
    return ""


def _store_answer(attempt: QualificationAttempt, public_id: uuid.UUID, label: int) -> None:
    project = attempt.membership.project
    pair = project.qualification_pairs.filter(public_id=public_id).first()
    if attempt.finished_at is not None or pair is None:
        raise Refused(_("This pair is no longer part of your test. Reload the page."))
    if not 0 <= label < project.scheme.size:
        raise Refused(_("The label is not one of this project."))
    QualificationAnswer.objects.create(attempt=attempt, pair=pair, label=label)
    _finish_if_over(attempt)


def _finish_if_over(attempt: QualificationAttempt) -> None:
    """Finish an attempt with no pairs left, and admit the person if they passed."""
    labels = [
        (answer.label, answer.pair.label) for answer in attempt.answers.select_related("pair")
    ]
    if not labels or selectors.unanswered_pairs(attempt):
        return
    tolerance = attempt.membership.project.scheme.tolerance
    right = sum(abs(label - correct) <= tolerance for label, correct in labels)
    attempt.finished_at = timezone.now()
    attempt.share = right / len(labels)
    # Integer arithmetic: 80 percent of 10 pairs is 8, without rounding errors.
    attempt.passed = 100 * right >= attempt.membership.project.pass_mark * len(labels)
    attempt.save(update_fields=["finished_at", "share", "passed"])
    if attempt.passed:
        _qualify(attempt.membership)
