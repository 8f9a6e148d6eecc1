"""Results on gold pairs: by pair, and for one person."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import BooleanField, Count, ExpressionWrapper, Q

from annotation.models import Judgment, Membership, Project, SentencePair
from annotation.models.slots import SlotQuerySet
from annotation.quality.selectors import interventions

# Minimum number of answers from unflagged people to judge the pair itself.
ENOUGH = 3


@dataclass(frozen=True, slots=True)
class GoldPair:
    """A gold pair and its results.

    `given` and `right` count all answers; `given_unflagged` and `right_unflagged` count the
    counting answers of people without an active flag.
    """

    pair: SentencePair
    given: int
    right: int
    given_unflagged: int
    right_unflagged: int

    @property
    def is_suspect(self) -> bool:
        """Whether most unflagged people miss it: its known answer may be wrong."""
        return self.given_unflagged >= ENOUGH and 2 * self.right_unflagged < self.given_unflagged


def of_project(project: Project) -> list[GoldPair]:
    """Return all gold pairs, those that unflagged people miss most often first."""
    answered = Q(slots__label__isnull=False)
    trusted = answered & Q(slots__excluded_by=None) & ~Q(slots__annotator__in=flagged(project))
    right = _right("slots__", "gold_label", project)
    pairs = SentencePair.objects.filter(project=project, gold_label__isnull=False)
    counted = pairs.select_related("sentence1__corpus", "sentence2").annotate(
        given=Count("slots", filter=answered),
        right=Count("slots", filter=right),
        given_unflagged=Count("slots", filter=trusted),
        right_unflagged=Count("slots", filter=trusted & right),
    )
    return sorted(map(_gold_pair, counted.order_by("pk")), key=_missed, reverse=True)


def answers_of(membership: Membership) -> SlotQuerySet:
    """Return a person's answers to gold pairs, latest first, with pair and `is_right`."""
    given = Judgment.objects.filter(
        annotator=membership.user_id,
        project=membership.project_id,
        submitted_at__isnull=False,
        item__gold_label__isnull=False,
    )
    right = _right("", "item__gold_label", membership.project)
    is_right = ExpressionWrapper(right, output_field=BooleanField())
    rows = given.select_related("item__sentence1", "item__sentence2").annotate(is_right=is_right)
    return rows.order_by("-submitted_at", "-pk")


def flagged(project: Project) -> Sequence[int]:
    """Return the primary keys of people with an active flag in the project."""
    members = [key for key, now in interventions.of_project(project).items() if now.flags]
    users: Iterable[int] = Membership.objects.filter(pk__in=members).values_list("user", flat=True)
    return list(users)


def _right(judgment: str, gold_label: str, project: Project) -> Q:
    """Build the condition that a label is on the side of the known one."""
    threshold = project.paraphrase_from
    return Q(**{f"{judgment}label__gte": threshold, f"{gold_label}__gte": threshold}) | Q(
        **{f"{judgment}label__lt": threshold, f"{gold_label}__lt": threshold}
    )


def _gold_pair(pair: SentencePair) -> GoldPair:
    counts = ("given", "right", "given_unflagged", "right_unflagged")
    return GoldPair(pair, *(getattr(pair, name) for name in counts))


def _missed(known: GoldPair) -> float:
    wrong = known.given_unflagged - known.right_unflagged
    return wrong / known.given_unflagged if known.given_unflagged else 0.0
