"""Slots that are reserved for the best annotators, and whether those can still get them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils import timezone

from annotation.models import Duty, Judgment, Membership, Project, Slot
from annotation.people.selectors import workforce


@dataclass(frozen=True, slots=True)
class Waiting:
    """Unanswered reserved slots, the people who get them, and those that none of them can get."""

    slots: int
    people: list[Membership]
    stuck: int


def waiting(project: Project) -> Waiting:
    """Return what waits now; makes one query if nothing is reserved."""
    slots = open_slots(project)
    if not slots:
        return Waiting(0, [], 0)
    people = takers(project)
    return Waiting(len(slots), people, len(stuck(project, slots, people)))


def open_slots(project: Project) -> list[Slot]:
    """Return the unanswered reserved slots of pairs, those in progress too, as they are locked."""
    rows = Judgment.objects.unanswered().filter(project=project, reserved=True)
    return list(rows.order_by("item", "number"))


def takers(project: Project) -> list[Membership]:
    """Return the members who are to get reserved slots, whether or not they get work now."""
    duties = Duty.objects.filter(
        membership__project=project, kind=Judgment.KIND, takes_reserved=True
    )
    members = Membership.objects.filter(pk__in=duties.values("membership"))
    found = members.select_related("user").prefetch_related("duties")
    return list(found.order_by("user__username"))


def able(project: Project, members: Iterable[Membership]) -> set[int]:
    """Return the main accounts of those of the members, with their duties, who get pairs."""
    return workforce.of_members(project, members).get(Judgment.KIND, set())


def stuck(project: Project, slots: Sequence[Slot], members: Sequence[Membership]) -> list[Slot]:
    """Return the slots that none of the members can get; none is stuck before its lease ends."""
    now = timezone.now()
    free = [each for each in slots if each.lease_until is None or each.lease_until < now]
    lacking = short(project, Counter(each.item_id for each in free), members)
    found = []
    for slot in free:
        if lacking[slot.item_id]:
            lacking[slot.item_id] -= 1
            found.append(slot)
    return found


def short(project: Project, needed: Counter[int], members: Sequence[Membership]) -> Counter[int]:
    """Count by pair the slots, of those needed, that the members cannot fill.

    They cannot if they have had the pair under any account, or have corrected it; and if all of
    them together may not give as many answers.
    """
    people = able(project, members)
    left = workforce.left_for(project, Judgment.KIND, needed, among=people)
    lacking = Counter({pair: max(0, number - left[pair]) for pair, number in needed.items()})
    over = needed.total() - lacking.total() - _capacity(members, people, needed.total())
    for pair in reversed(needed):
        more = min(max(0, over), needed[pair] - lacking[pair])
        lacking[pair] += more
        over -= more
    return lacking


def counting(project: Project, people: Iterable[int]) -> dict[int, list[int]]:
    """Map each of the accounts to the pairs with an answer of theirs that counts."""
    found: dict[int, list[int]] = {person: [] for person in people}
    rows = Judgment.objects.filter(project=project, annotator__in=found).counting()
    for person, pair in rows.order_by("item").values_list("annotator", "item"):
        if person is not None:
            found[person].append(pair)
    return found


def _capacity(members: Iterable[Membership], people: set[int], enough: int) -> int:
    """Return how many more answers the members in `people` may give; without a limit, `enough`."""
    at_work = [each for each in members if each.user.person_key in people]
    left = [Duty(membership=each, kind=Judgment.KIND).left for each in at_work]
    return sum(enough if number is None else number for number in left)
