"""Recorded interventions in a person's work, by managers or by the rules of a project."""

from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.agreement import selectors as agreement
from annotation.errors import Refused
from annotation.models import Intervention, Judgment, Membership, Project, Slot
from annotation.models.slots import EXCLUDED, SlotQuerySet
from annotation.projects.services import projects
from annotation.quality.selectors import interventions as standing
from annotation.quality.services import exclusion
from annotation.stats.agreement import folded, human_agreement

Kind = Intervention.Kind
ACTS = {
    Kind.WARN: Act.WARNED,
    Kind.PAUSE: Act.PAUSED,
    Kind.RESUME: Act.RESUMED,
    Kind.EXCLUDE: Act.EXCLUDED,
    Kind.REINSTATE: Act.REINSTATED,
}


@transaction.atomic
def warn(
    membership: Membership, *, by: User | None, reason: str, evidence: dict[str, Any] | None = None
) -> Intervention:
    """Send a message about their work to a person. Raises Refused without a reason."""
    return _record_step(membership, Kind.WARN, by, reason, evidence)


@transaction.atomic
def pause(
    membership: Membership, *, by: User | None, reason: str, evidence: dict[str, Any] | None = None
) -> Intervention:
    """Stop giving work to a person until they are resumed; items in progress can be finished.

    `by` is None if a project rule pauses them; `evidence` then holds its figures. Raises Refused if
    the person is already paused, or without a reason.
    """
    now = timezone.now()
    if not Membership.objects.filter(pk=membership.pk, paused_at=None).update(paused_at=now):
        raise Refused(_("This person is already paused."))
    step = _record_step(membership, Kind.PAUSE, by, reason, evidence)
    membership.paused_at = now
    return step


@transaction.atomic
def resume(membership: Membership, *, by: User | None, reason: str) -> Intervention:
    """End the flags of a person, and give them work again if they are paused.

    Raises Refused if there is neither a flag nor a pause, or without a reason.
    """
    member = Membership.objects.select_for_update(of=("self",)).get(pk=membership.pk)
    if member.paused_at is None and not standing.of_member(member).flags:
        raise Refused(_("This person has no open flags."))
    step = _record_step(membership, Kind.RESUME, by, reason)
    Membership.objects.filter(pk=member.pk).update(paused_at=None)
    membership.paused_at = None
    return step


@transaction.atomic
def exclude(
    membership: Membership,
    *,
    by: User | None,
    reason: str,
    evidence: dict[str, Any] | None = None,
    reissued: bool = False,
) -> Intervention:
    """Exclude all judgments of a person and open a slot for each.

    Later answers count: pause the person too, or exclude again. `reissued` slots are reserved, and
    reissue.py records the act. Raises Refused if none of their answers counts, or without a reason.
    """
    projects.lock(membership.project)
    answers = _answers(membership).filter(Q(excluded_by=None) | ~EXCLUDED)
    figures = {**(evidence or {}), **_figures_before(membership.project, answers)}
    step = _record_step(membership, Kind.EXCLUDE, by, reason, figures, audited=not reissued)
    _recount(answers, step, reserved=reissued)
    if not step.excluded.exists():
        raise Refused(_("This person has no answers to exclude."))
    return step


@transaction.atomic
def stop_until_checked(membership: Membership, *, reason: str) -> None:
    """Exclude a person's answers, if there are any, and pause them until a manager decides."""
    if _answers(membership).filter(excluded_by=None).exists():
        exclude(membership, by=None, reason=reason)
    if membership.paused_at is None:
        pause(membership, by=None, reason=reason)


@transaction.atomic
def reinstate(membership: Membership, *, by: User | None, reason: str) -> Intervention:
    """Reinstate all excluded answers of a person, as if they had never been excluded.

    The first answers by time count: later ones of other people no longer do, and slots that are not
    needed are deleted, free ones first. Raises Refused if no answer is excluded, or without a
    reason.
    """
    projects.lock(membership.project)
    answers = _answers(membership).filter(EXCLUDED)
    if not answers.exists():
        raise Refused(_("This person has no excluded answers."))
    step = _record_step(membership, Kind.REINSTATE, by, reason)
    _recount(answers, step)
    return step


def _record_step(
    membership: Membership,
    kind: Kind,
    by: User | None,
    reason: str,
    evidence: dict[str, Any] | None = None,
    *,
    audited: bool = True,
) -> Intervention:
    longest = Intervention._meta.get_field("reason").max_length or 0
    if not reason.strip():
        raise Refused(_("Enter a reason. The annotator sees it."))
    if len(reason) > longest:
        raise Refused(
            _("The reason is longer than %(most)d characters. Shorten it.") % {"most": longest}
        )
    if by is not None and audited:  # interventions by rules are recorded as interventions only
        audit.record(ACTS[kind], by=by, on=membership.user, project=membership.project)
    return Intervention.objects.create(
        membership=membership, kind=kind, by=by, reason=reason, evidence=evidence or {}
    )


def _answers(membership: Membership) -> SlotQuerySet:
    return Judgment.objects.of_member(membership).answered()


def _figures_before(project: Project, answers: SlotQuerySet) -> dict[str, Any]:
    """Return what an exclusion is about to change; without decided pairs there is no agreement."""
    agreement_before = human_agreement(folded(agreement.votes(project).every, project.scheme))
    figures: dict[str, Any] = {"answers": answers.count()}
    if agreement_before is not None:
        figures["agreement_before"] = round(agreement_before, 4)
    return figures


def _recount(answers: SlotQuerySet, step: Intervention, *, reserved: bool = False) -> None:
    """Answers to gold pairs have no consensus: they are marked, and never replaced."""
    person, excludes = step.membership.user_id, step.kind == Kind.EXCLUDE

    def is_excluded(slot: Slot) -> bool:
        if slot.annotator_id == person:
            return excludes
        return slot.is_excluded

    gold = Q(item__gold_label__isnull=False)
    pairs = answers.exclude(gold).order_by("item_id").values_list("item", flat=True)
    exclusion.recount(
        step.membership.project,
        list(pairs),
        step=step,
        is_excluded=is_excluded,
        reserved=reserved,
    )
    answers.filter(gold).update(excluded_by=step if excludes else None)
