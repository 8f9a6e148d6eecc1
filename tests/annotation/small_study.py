"""Small studies: items, people, and their answers one after the other."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Item, Membership
from tests.annotation import make

BOTH_ORDERS = pytest.mark.parametrize("order", ["depth", "breadth"])
EVERY_KIND = pytest.mark.parametrize("kind", ["judge", "correct"])
ONE_EACH = {"judgments_per_pair": 1, "consensus_min_votes": 1}


def study(pairs=0, people=0, **settings):
    project = make.study(**settings)
    if pairs:
        make.pairs(project, pairs)
    return project, [make.person(project) for _ in range(people)]


def items(project, kind, number):
    """New items of a kind of work, in order; those to correct are word swaps."""
    known = set(project.items.values_list("pk", flat=True))
    if number and kind == "judge":
        make.pairs(project, number)
    elif number:
        make.candidates(project, [(f"Ada met {n}.", f"{n} met Ada.") for n in range(number)])
    return list(Item.objects.filter(project=project).exclude(pk__in=known).order_by("pk"))


def judge(project, *labels):
    people = [make.person(project) for _ in labels]
    for member, label in zip(people, labels, strict=True):
        make.judge_next(member, label)
    return people


def reread(member):
    return Membership.objects.select_related("project", "user").get(pk=member.pk)


def expire(slot):
    ago = timezone.now() - timedelta(seconds=1)
    type(slot).objects.filter(pk=slot.pk).update(lease_until=ago)


def has_new_lease(slot):
    left = slot.lease_until - timezone.now()
    lease = timedelta(minutes=slot.project.lease_minutes)
    return lease - timedelta(minutes=5) < left <= lease
