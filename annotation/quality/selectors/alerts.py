"""What needs a manager's attention in a project."""

from collections.abc import Iterable
from dataclasses import dataclass

from annotation.models import Item, Membership, Project
from annotation.quality.selectors import interventions


@dataclass(frozen=True, slots=True)
class Alerts:
    """Everything that may block a study.

    `judges` counts the people who get pairs now; each pair needs `slots` different people.
    `unqualified` counts annotators who have not passed the qualification set yet.
    """

    is_closed: bool
    flagged: int
    paused: int
    pairs_set_aside: int
    corrections_set_aside: int
    judges: int
    correctors: int
    slots: int
    annotators: int
    unqualified: int

    @property
    def set_aside(self) -> int:
        return self.pairs_set_aside + self.corrections_set_aside

    @property
    def too_few_judges(self) -> bool:
        """Whether some slots of every pair would stay empty."""
        return not self.is_closed and self.judges < self.slots

    @property
    def nobody_is_qualified(self) -> bool:
        return 0 < self.annotators == self.unqualified


def of_project(project: Project) -> Alerts:
    """Return the alerts, in four database queries; two of them scan pairs and corrections."""
    found = Membership.objects.filter(project=project).select_related("user")
    members = list(found.prefetch_related("duties"))
    for member in members:
        member.project = project
    annotators = [member for member in members if member.role == Membership.Role.ANNOTATOR]
    flagged = interventions.of_project(project)
    aside = Item.objects.filter(project=project, set_aside_at__isnull=False)
    return Alerts(
        is_closed=not project.is_open,
        flagged=sum(bool(flagged[each.pk].flags) for each in members if each.pk in flagged),
        paused=sum(each.paused_at is not None for each in members),
        pairs_set_aside=aside.filter(kind="judge").count(),
        corrections_set_aside=aside.filter(kind="correct").count(),
        judges=_people(each for each in members if "judge" in each.kinds),
        correctors=_people(each for each in members if "correct" in each.kinds),
        slots=project.judgments_per_pair,
        annotators=len(annotators),
        unqualified=sum(_awaits_qualification(each) for each in annotators),
    )


def _people(members: Iterable[Membership]) -> int:
    """Count people rather than accounts: accounts of one person never share a pair."""
    at_work = (each.user for each in members if each.is_given_work)
    return len({user.main_account_id or user.pk for user in at_work})


def _awaits_qualification(member: Membership) -> bool:
    return member.project.asks_qualification and member.qualified_at is None
