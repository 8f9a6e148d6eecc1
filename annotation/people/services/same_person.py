"""Several accounts of one person: no two of them may judge the same pair.

Each mark belongs to the project that made it. `User.main_account` follows from all marks, and the
person of each slot and recusal from that (annotation/work/one_person.py). A claim holds the
account's row, so marks wait for turns that run and later turns see the marks.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import Refused
from annotation.models import (
    Duty,
    Membership,
    Project,
    Recusal,
    SamePerson,
    SentencePair,
    Slot,
)
from annotation.work import one_person, queue


@transaction.atomic
def mark(
    account: User, other: User, *, project: Project | None = None, by: User | None = None
) -> list[SentencePair]:
    """Mark two accounts as the same person, along with accounts already linked to either.

    From then on, in every project, none of them gets a pair that another has or had; conflicting
    items in progress return to the queue. Returns the pairs that two of them have answered: a
    manager may exclude one set of these answers. Raises ValueError if the accounts are the same.
    """
    if account == other:
        raise ValueError("an account is the same person as itself without being marked")
    accounts = _lock_all_linked({account.pk, other.pk})
    _link(project, account.pk, other.pk, by=by)
    _settle(accounts)
    _record(Act.SAME_PERSON, accounts, on=account, project=project, by=by, other=other.public_id)
    shared = SentencePair.objects.filter(pk__in=_shared_pairs(accounts), gold_label=None)
    return list(shared.order_by("pk"))


@transaction.atomic
def separate(account: User, *, project: Project | None = None, by: User | None = None) -> bool:
    """Remove the marks of this project from an account; its other accounts stay linked.

    Returns whether the account now counts as a separate person: marks of other projects may
    still link it. Raises Refused if this project has no mark of it.
    """
    accounts = _lock_all_linked({account.pk})
    marks = SamePerson.links_of(account.pk).filter(project=project)
    accounts_of_marks = marks.values_list("account", "other")
    linked_here = {key for pair in accounts_of_marks for key in pair} - {account.pk}
    if not linked_here:
        raise Refused(_not_linked_here(account))
    marks.delete()
    # The account may have been what held the others together: a chain links them with the fewest
    # marks. The marks of other projects stay as they are.
    for one_account, next_account in pairwise(sorted(linked_here)):
        _link(project, one_account, next_account, by=by)
    _settle(accounts)
    _record(Act.SEPARATED, accounts, on=account, project=project, by=by)
    return not SamePerson.links_of(account.pk).exists()


def _not_linked_here(account: User) -> str:
    if SamePerson.links_of(account.pk).exists():
        return _("Another project linked these accounts. Only its managers can unlink them.")
    return _("This account is not linked to another one.")


@transaction.atomic
def undo(link: SamePerson, *, by: User) -> None:
    """Remove one mark of any project: for administrators."""
    accounts = _lock_all_linked({link.account_id})
    link.delete()
    _settle(accounts)
    other = link.other.public_id
    _record(Act.SEPARATED, accounts, on=link.account, project=link.project, by=by, other=other)


def _link(project: Project | None, account: int, partner: int, *, by: User | None) -> None:
    lower, higher = sorted((account, partner))
    link = {"project": project, "account_id": lower, "other_id": higher}
    SamePerson.objects.get_or_create(**link, defaults={"by": by})


def _lock_all_linked(accounts: set[int]) -> set[int]:
    """Lock and return all accounts that are linked to these.

    In key order, which serializes markings. Turns hold their account's row until they are stored.
    """
    while True:
        linked = set().union(*_groups(accounts))
        rows = User.objects.filter(pk__in=linked).order_by("pk").select_for_update()
        locked = set(rows.values_list("pk", flat=True))
        if set().union(*_groups(locked)) == locked:
            return locked
        accounts = locked  # another mark was made meanwhile


def _groups(accounts: Iterable[int]) -> Iterator[set[int]]:
    """Yield the accounts of each person, as all marks have it."""
    remaining = set(accounts)
    while remaining:
        group, new = set[int](), {remaining.pop()}
        while new:
            group |= new
            links = SamePerson.objects.filter(Q(account__in=new) | Q(other__in=new))
            new = {key for pair in links.values_list("account", "other") for key in pair} - group
        remaining -= group
        yield group


def _settle(accounts: Collection[int]) -> None:
    """Name the person in all that their accounts have, with one main account for each person."""
    for group in _groups(accounts):
        main = min(group)
        User.objects.filter(pk__in=group - {main}).update(main_account=main)
        User.objects.filter(pk=main).update(main_account=None)
        _take_back(group)
        _name_person(group, main)
    # Their queue places may be beyond pairs that they may now get.
    Duty.objects.filter(membership__user__in=accounts).update(looked_behind_at=None)


def _name_person(accounts: Collection[int], main: int) -> None:
    """Write the main account into the slots and recusals of all accounts.

    An item has one slot of a person: where several accounts have answered one, the others keep
    their own key, and a recusal keeps the person from the item if the first one is given back.
    """
    recusals = Recusal.objects.filter(annotator__in=accounts)
    recusals.filter(reason=Recusal.Reason.SAME_PERSON).delete()
    recusals.update(person=main)
    slots = Slot.objects.filter(annotator__in=accounts)
    # Locked in the order in which turns lock the slots of an item.
    list(slots.order_by("item", "number").select_for_update(of=("self",)).values_list("pk"))
    slots.exclude(person=F("annotator")).update(person=F("annotator"))
    for account in sorted({*accounts} - {main}):
        slots_of_main = Slot.objects.filter(item=OuterRef("item"), person=main)
        slots.filter(~Exists(slots_of_main), annotator=account).update(person=main)
    repeated = slots.exclude(person=main).values_list("item", "annotator_id")
    one_person.recuse(repeated, Recusal.Reason.SAME_PERSON)


def _record(
    act: Act,
    accounts: Collection[int],
    *,
    on: User,
    project: Project | None,
    by: User | None,
    **details: object,
) -> None:
    """Put it on record in the project that did it, and in all that have two of the accounts."""
    shared_projects = Membership.objects.filter(user__in=accounts).values("project")
    shared_projects = shared_projects.annotate(own=Count("pk")).filter(own__gt=1)
    is_named = Q(pk=project.pk) if project else Q(pk=None)
    concerned = Project.objects.filter(Q(pk__in=shared_projects.values("project")) | is_named)
    projects: list[Project | None] = [*concerned.order_by("pk")]
    for project_of_entry in projects or [None]:
        audit.record(act, by=by, on=on, project=project_of_entry, **details)


def _slots_of(accounts: Collection[int]) -> Mapping[int, set[int]]:
    """Map each item to the accounts that have a slot of it."""
    people: defaultdict[int, set[int]] = defaultdict(set)
    slots = Slot.objects.filter(annotator__in=accounts).values_list("item", "annotator")
    for item, annotator in slots.iterator():
        if annotator is not None:
            people[item].add(annotator)
    return people


def _shared_pairs(accounts: Collection[int]) -> set[int]:
    return {pair for pair, people in _slots_of(accounts).items() if len(people) > 1}


def _take_back(accounts: Collection[int]) -> None:
    """Release open slots of pairs on which another of the accounts has a slot.

    Open slots of gold pairs are deleted: each person gets one of their own.
    """
    if not (shared := _shared_pairs(accounts)):
        return
    open_slots = Slot.objects.filter(annotator__in=accounts).unanswered().order_by("item", "number")
    rows = open_slots.select_for_update(of=("self",)).values_list("pk", "item")
    slots = Slot.objects.filter(pk__in=[key for key, item in rows if item in shared])
    slots.filter(item__gold_label__isnull=False).delete()
    queue.give_back(slots)
