"""The people who can be given work of each kind, and items for which too few of them are left."""

import copy
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, Max, OuterRef
from django.utils import timezone
from django.utils.functional import Promise

from annotation.models import Judgment, Membership, Project, Recusal, Slot, TranslatedPair
from annotation.projects import protocols
from annotation.projects.selectors import study_rows
from annotation.projects.settings import ENTRANCE
from common import bulk

# Items that lack people stay at the front of the queue, while all others leave it.
SLOTS_AT_FRONT = 2000
# The main accounts of people, by kind of work.
People = Mapping[str, set[int]]


def people(project: Project) -> People:
    """Return the people who get work of each kind while the project is open."""
    return of_members(project, with_duties(project))


def with_duties(project: Project) -> list[Membership]:
    """Return all members with their accounts and duties, in two queries."""
    rows = Membership.objects.filter(project=project).select_related("user")
    return list(rows.prefetch_related("duties"))


def of_members(project: Project, members: Iterable[Membership]) -> People:
    """Return those of the members, with their duties, who get work of each kind.

    They are allowed to do it, admitted, not paused, and below the limit of answers.
    """
    at_limit = {kind: _at_limit(project, kind) for kind in project.kinds}
    workers: dict[str, set[int]] = {kind: set() for kind in project.kinds}
    for member in members:
        member.project = project
        if member.paused_at is None and member.is_admitted and member.user.is_active:
            for kind in workers.keys() & member.kinds:
                if member.user_id not in at_limit[kind]:
                    workers[kind].add(member.user.person_key)
    return workers


def count_people_left(
    project: Project, kind: str, items: Collection[int], *, among: set[int] | None = None
) -> Mapping[int, int]:
    """Map each item to the number of people who may still get it: of all, or `among` some.

    No account of theirs has had the item or must not get it, such as the corrector of a pair.
    """
    candidates = people(project)[kind] if among is None else among
    barred = _people_barred_by_item(project, items, candidates)
    return {item: len(candidates - barred[item]) for item in items}


def unfinishable(project: Project, workers: People) -> Mapping[str, list[int]]:
    """Return, by kind, the items at the front of the queue that need more people than are left."""
    items_by_kind: dict[str, list[int]] = {kind: [] for kind in workers}
    kind_of = {item: kind for kind in workers for item in _front(project, kind)}
    if not kind_of:
        return items_by_kind
    free = Slot.objects.unanswered().filter(annotator=None, reserved=False).order_by()
    needed = free.filter(bulk.among("item", kind_of)).values_list("item").annotate(Count("pk"))
    everyone = set().union(*workers.values())
    barred = _people_barred_by_item(project, kind_of, everyone)
    for item, number in needed:
        kind = kind_of[item]
        if len(workers[kind] - barred[item]) < number:
            items_by_kind[kind].append(item)
    return items_by_kind


def pairs_without_voters(project: Project, among: Collection[int] | None = None) -> list[int]:
    """Return, in order of their keys, the pairs that wait for one more person when none is left.

    All first people have judged them, no one has them open, and no one may be given them now.
    """
    protocol = protocols.of_project(project)
    if not protocol.asks_more:
        return []
    slots = Judgment.objects.filter(excluded_by=None, superseded_by=None)
    free = Judgment.objects.unanswered().filter(item=OuterRef("pk"), annotator=None, reserved=False)
    rows = study_rows.pairs(project).filter(Exists(free), consensus=None, set_aside_at=None)
    if among is not None:
        rows = rows.filter(bulk.among("pk", among))
    rows = rows.annotate(votes=bulk.count_of(slots.answered(), "item"))
    waiting = rows.filter(votes__gte=protocol.judgments_per_pair).order_by("pk")
    pairs = list(waiting.values_list("pk", flat=True))
    left = count_people_left(project, Judgment.KIND, pairs)
    return [pair for pair in pairs if not left[pair]]


def describe_lack(
    project: Project,
    messages: Mapping[str, tuple[str | Promise, str | Promise]],
    workers: Mapping[str, int],
    stuck: Mapping[str, int],
    slots: Mapping[str, int],
) -> Iterator[str]:
    """Yield what to say of each kind of open work for which people are missing.

    `messages` has the two texts of each kind: that too few people can do it, and that some of it
    may go to too few. `workers` counts the people who can do it, `stuck` the items that too few of
    them may have, and `slots` the people whom each item needs.
    """
    for kind, (too_few, cannot_reach) in messages.items():
        able, needed = workers.get(kind, 0), slots[kind]
        if able < needed and (waiting := study_rows.to_answer(project, kind).count()):
            yield str(too_few % {"n": waiting, "able": able, "slots": needed})
        elif number := stuck.get(kind):
            yield str(cannot_reach % {"n": number})


def _front(project: Project, kind: str) -> set[int]:
    queued = Slot.objects.unanswered().filter(project=project, kind=kind, reserved=False)
    front = queued.filter(queue_key__isnull=False).order_by("queue_key")
    return set(front.values_list("item", flat=True)[:SLOTS_AT_FRONT])


def _people_barred_by_item(
    project: Project, items: Collection[int], candidates: set[int]
) -> Mapping[int, set[int]]:
    """Map each item to those of the people of whom an account has had it or must not get it."""
    barred_by_item = defaultdict[int, set[int]](set)
    for rows in (Slot.objects, Recusal.objects):
        slots = rows.filter(bulk.among("item", items), person__in=candidates)
        for item, person in slots.values_list("item", "person"):
            barred_by_item[item].add(person)
    for item, person in _partners(items, candidates) if project.translates else ():
        barred_by_item[item].add(person)
    return barred_by_item


def _partners(items: Collection[int], people: Collection[int]) -> Iterator[tuple[int, int]]:
    """Yield sentences with people who have the other sentence of a pair to translate."""
    pairs = TranslatedPair.objects.filter(project__translation_plan__keeps_partners_apart=True)
    for item, partner in (("item1", "item2"), ("item2", "item1")):
        of_items = pairs.filter(bulk.among(item, items))
        seen_by_them = of_items.filter(**{f"{partner}__slots__person__in": people})
        yield from seen_by_them.values_list(item, f"{partner}__slots__person")


def _at_limit(project: Project, kind: str) -> set[int]:
    if (limit := project.limits.get(kind)) is None:
        return set()
    answers = Slot.objects.answered().filter(project=project, kind=kind).order_by()
    last_by_person = answers.values_list("annotator").annotate(last=Max("serial"))
    return {account for account, last in last_by_person if last is not None and last >= limit}


MOST_NAMED = 20
# The settings that decide which members are given work.
ENTITLING = (*ENTRANCE, "limits")


@dataclass(frozen=True, slots=True)
class Stopped:
    """The user names of people who would get no more work, and the items that they have open."""

    names: list[str]
    in_progress: int

    @property
    def named(self) -> list[str]:
        return self.names[:MOST_NAMED]

    @property
    def others(self) -> int:
        return len(self.names) - len(self.named)


def stopped_by_closing(project: Project) -> Stopped:
    members = with_duties(project)
    return _stoppage(project, members, _workers(project, members))


def stopped_by_settings(project: Project, values: Mapping[str, Any]) -> Stopped:
    """Return the people who get work under the stored settings, and would not under `values`."""
    stored = {name: getattr(project, name) for name in ENTITLING}
    if stored == {name: values.get(name, value) for name, value in stored.items()}:
        return Stopped([], 0)
    as_changed = copy.copy(project)
    for name, value in values.items():
        setattr(as_changed, name, value)
    if as_changed.consent and as_changed.consent != project.consent:
        as_changed.consent_changed_at = timezone.now()
    elif not as_changed.consent:
        as_changed.consent_changed_at = None
    members = with_duties(project)
    return _stoppage(project, members, _workers(project, members) - _workers(as_changed, members))


def _workers(project: Project, members: Sequence[Membership]) -> set[int]:
    """Return the main accounts of the members who are given work of any kind while it is open."""
    if not project.is_open:
        return set()
    return set().union(*of_members(project, members).values())


def _stoppage(project: Project, members: Sequence[Membership], accounts: set[int]) -> Stopped:
    users = [member.user for member in members]
    stopped = [user for user in users if user.person_key in accounts]
    keys = [user.pk for user in stopped]
    in_progress = project.slots.in_progress().filter(annotator__in=keys).count() if keys else 0
    names = sorted((user.get_username() for user in stopped), key=str.casefold)
    return Stopped(names, in_progress)
