"""Answers of annotators with a low kappa are judged again by the best ones (PARADE 4.3).

A plan is made first and changes nothing; a manager reads it and has it carried out. Every answer of
the low annotators is excluded and gets one reserved slot, which only the best annotators are given
and which looks like any other. Kappas then change, but nothing repeats by itself.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import chain

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.formats import localize
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.agreement import by_person
from annotation.errors import Refused
from annotation.models import Duty, Judgment, Membership, Project, Role, Slot
from annotation.projects.services import projects
from annotation.quality.selectors import reserved
from annotation.quality.services import interventions
from annotation.stats import reissue as pure
from annotation.stats.agreement import Confusion
from annotation.stats.reissue import PARADE, Rules


@dataclass(frozen=True, slots=True)
class Rated:
    """A member, their kappa against the consensus of `pairs` decided pairs, and their answers.

    `with_others` is their kappa with the majority of the others, None if undefined: it decides
    nothing. `answers` are those that count, on decided and undecided pairs.
    """

    membership: Membership
    kappa: float
    with_others: float | None
    pairs: int
    answers: int


@dataclass(frozen=True, slots=True)
class Plan:
    """Who is low and who is best, lowest and highest first, and how many slots are reserved.

    `stuck` of the slots cannot go to any of the best: these have had the pair, may give no more
    answers, or do not exist.
    """

    project: Project
    rules: Rules
    low: tuple[Rated, ...]
    best: tuple[Rated, ...]
    slots: int
    stuck: int

    @property
    def digest(self) -> str:
        """Identify the people: a plan is carried out only for those whom a manager saw."""
        people = [sorted(rated.membership.pk for rated in group) for group in (self.low, self.best)]
        return sha256(repr(people).encode()).hexdigest()


class Changed(Refused):
    """The people of the plan have changed."""

    def __init__(self) -> None:
        super().__init__(_("The annotators’ figures have changed. Please check the plan again."))


def plan(
    project: Project,
    below: float = PARADE.below,
    above: float = PARADE.above,
    most: int = PARADE.most,
    fewest: int = PARADE.fewest,
) -> Plan:
    """Return what a re-issue would do now.

    The best are chosen from the annotators who get pairs to judge now and are not low under another
    account. Managers and researchers are not among them: they could look up earlier answers.
    Raises ValueError for rules outside annotation.stats.reissue.BOUNDS.
    """
    return _plan(project, Rules(below, above, most, fewest))


@transaction.atomic
def carry_out(plan: Plan, by: User | None, *, reason: str = "", anybody: bool = False) -> int:
    """Exclude the answers of the low annotators, and reserve a slot for each for the best.

    With `anybody`, slots that none of the best can get are open to everybody. `by` is None for the
    command line; `reason` is for the low annotators. Returns the number of excluded answers. Raises
    Changed if the people have changed, and Refused if no one is low, or slots would be stuck.
    `interventions.reinstate` undoes it for each person.
    """
    projects.lock(plan.project)
    current = _plan(plan.project, plan.rules)
    if current.digest != plan.digest:
        raise Changed
    _refuse_if_useless_or_stuck(current, anybody=anybody)
    for rated in sorted(current.low, key=lambda rated: rated.membership.pk):
        _exclude(rated, current.rules, by=by, reason=reason)
    _give_to([rated.membership for rated in current.best], current.project)
    audit.record(
        Act.REISSUED,
        by=by,
        on=current.project,
        low=[rated.membership.user.public_id for rated in current.low],
        best=[rated.membership.user.public_id for rated in current.best],
        answers=current.slots,
        for_anybody=_release(current.project) if anybody else 0,
        **asdict(current.rules),
    )
    return current.slots


@transaction.atomic
def release(project: Project, *, by: User | None, every: bool = False) -> int:
    """Open reserved slots to everybody: those that none of the best can get, or `every` one.

    Returns their number.
    """
    projects.lock(project)
    released = _release(project, every=every)
    if released:
        audit.record(Act.RESERVED_RELEASED, by=by, on=project, answers=released)
    return released


def _plan(project: Project, rules: Rules) -> Plan:
    comparisons = by_person.compare_people(project)
    figures = {
        account: comparison.with_consensus
        for account, comparison in comparisons.items()
        if comparison.with_consensus.pairs
    }
    members = _members(project, figures)
    person_keys = {key: member.user.person_key for key, member in members.items()}
    low = pure.low_people({key: figures[key] for key in members}, rules)
    # Managers and researchers could look up earlier answers.
    annotators = [member for member in members.values() if member.role == Role.ANNOTATOR]
    eligible = reserved.able_people(project, annotators) - {person_keys[key] for key in low}
    best = pure.best_people(
        {key: figures[key] for key in members if person_keys[key] in eligible}, rules
    )
    answered = reserved.counting_pairs(project, [*low, *best])
    slots = Counter(chain.from_iterable(answered[key] for key in low))

    def rated(keys: Iterable[int]) -> tuple[Rated, ...]:
        return tuple(
            Rated(
                membership=members[key],
                kappa=figures[key].kappa_value or 0.0,
                with_others=comparisons[key].with_others.kappa_value,
                pairs=figures[key].pairs,
                answers=len(answered[key]),
            )
            for key in keys
        )

    stuck = reserved.count_unfillable(project, slots, [members[key] for key in best]).total()
    return Plan(project, rules, rated(low), rated(best), slots.total(), stuck)


def _members(project: Project, figures: dict[int, Confusion]) -> dict[int, Membership]:
    members = Membership.objects.filter(project=project, user__in=figures).order_by("pk")
    rows = members.select_related("user", "project").prefetch_related("duties")
    return {member.user_id: member for member in rows}


def _refuse_if_useless_or_stuck(plan: Plan, *, anybody: bool) -> None:
    if not plan.low:
        raise Refused(
            _("No annotator has a kappa below %(below)s.") % {"below": localize(plan.rules.below)}
        )
    if plan.stuck and not anybody:
        text = ngettext(
            "%(n)s answer can go to none of the best annotators. Lower the upper threshold, allow "
            "more people, or let anyone judge its pair.",
            "%(n)s answers can go to none of the best annotators. Lower the upper threshold, allow "
            "more people, or let anyone judge their pairs.",
            plan.stuck,
        )
        raise Refused(text % {"n": plan.stuck})


def usual_reason() -> str:
    """Return the message to low annotators, unless a manager writes one."""
    return _(
        "Your answers often differ from the decisions on the pairs. Other annotators judge these "
        "pairs again."
    )


def _exclude(low: Rated, rules: Rules, *, by: User | None, reason: str) -> None:
    evidence = {"kappa": round(low.kappa, 3), "pairs": low.pairs, "below": rules.below}
    interventions.exclude(
        low.membership, by=by, reason=reason or usual_reason(), evidence=evidence, reissued=True
    )


def _give_to(best: list[Membership], project: Project) -> None:
    """Let the best get reserved slots, and no one else. Duties are locked after slots."""
    takes = Q(takes_reserved=True) | Q(membership__in=best)
    duties = Duty.objects.filter(takes, membership__project=project, kind=Judgment.KIND)
    locked = list(duties.order_by("pk").select_for_update(of=("self",)))
    chosen = {member.pk for member in best}
    for duty in locked:
        duty.takes_reserved = duty.membership_id in chosen
    Duty.objects.bulk_update(locked, ["takes_reserved"])


def _release(project: Project, *, every: bool = False) -> int:
    """Mark free slots as returned, so that people who are past them get them."""
    rows = Judgment.objects.unanswered().filter(project=project, reserved=True)
    list(rows.order_by("item", "number").select_for_update(of=("self",)).values_list("pk"))
    slots = reserved.open_slots(project)
    if not every:
        slots = reserved.stuck_slots(project, slots, reserved.takers(project))
    released = Slot.objects.filter(pk__in=[slot.pk for slot in slots])
    released.filter(annotator=None).update(claimed_at=timezone.now())
    return released.update(reserved=False)
