"""Small studies: so many pairs, so many people, and their answers one after the other."""

from typing import Any

from annotation.models import Membership, Project
from tests.annotation import cast

ONE_EACH = {"judgments_per_pair": 1, "consensus_min_votes": 1}


def study(pairs: int = 0, people: int = 0, **settings: Any) -> tuple[Project, list[Membership]]:
    """A study of so many pairs that are ready to be judged, and so many people in it."""
    project = cast.study(**settings)
    if pairs:
        cast.pairs(project, pairs)
    return project, [cast.person(project) for _ in range(people)]


def judge(project: Project, *labels: int) -> list[Membership]:
    """New people each give one of these labels to the pair that they are given first."""
    people = [cast.person(project) for _ in labels]
    for member, label in zip(people, labels, strict=True):
        cast.judge_next(member, label)
    return people


def reread(member: Membership) -> Membership:
    """The membership as the next request reads it."""
    return Membership.objects.select_related("project", "user").get(pk=member.pk)
