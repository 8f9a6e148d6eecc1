"""Alerts for managers: what may block a study, as sentences with links to what they count."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.comments import selectors as comments
from annotation.models import Item, Membership, Participant, Project
from annotation.people.selectors import workforce
from annotation.quality.selectors import interventions, reserved
from annotation.runs.selectors import runs
from annotation.translations.selectors.readiness import CLOSED
from annotation.work import kinds
from generation import selectors as generation

FOR_READERS = ("skips", "comments")


@dataclass(frozen=True, slots=True)
class Alert:
    """A sentence and the page to act on; the address is empty for people without access."""

    text: str
    address: str


@dataclass(frozen=True, slots=True)
class Alerts:
    """Everything that may block a study.

    By kind of work, `able` counts the people who get it now, and `stuck` the items next in the
    queue for which too few people are left. `reserved` counts answers of a re-issue that no one can
    give, `unqualified` annotators who have not passed the qualification set yet, `comments` the
    open threads of annotators, `previews` those of its runs that wait for approval, and `parked`
    the batches of its runs that failed. `unpaid` counts participants of open recruiting links whose
    work ended before the minimum of answers.
    """

    is_closed: bool
    flagged: int
    paused: int
    set_aside: int
    able: Mapping[str, int]
    stuck: Mapping[str, int]
    reserved: int
    annotators: int
    unqualified: int
    comments: int
    previews: int
    parked: int
    unpaid: int

    @property
    def nobody_is_qualified(self) -> bool:
        return 0 < self.annotators == self.unqualified


def of_member(member: Membership) -> list[Alert]:
    """Return the most urgent alerts first; researchers get no links to manager pages."""
    alerts = of_project(member.project)
    manages = member.role == Membership.Role.MANAGER
    stuck = _stuck_work(member.project, alerts)
    return [
        Alert(text, _address(member, page) if manages or "?" in page or page in FOR_READERS else "")
        for text, page in (*stuck, *_less_urgent(alerts))
    ]


def of_project(project: Project) -> Alerts:
    """Return the alerts, in a bounded number of database queries."""
    members = workforce.with_duties(project)
    annotators = [member for member in members if member.role == Membership.Role.ANNOTATOR]
    standings = interventions.of_project(project)
    standings_of_members = [standings[member.pk] for member in members if member.pk in standings]
    is_reissued = any(duty.takes_reserved for member in members for duty in member.duties.all())
    workers = workforce.of_members(project, members)
    stuck = workforce.count_unfinishable(project, workers) if project.is_open else {}
    return Alerts(
        is_closed=not project.is_open,
        flagged=sum(bool(standing.flags) for standing in standings_of_members),
        paused=sum(member.paused_at is not None for member in members),
        set_aside=Item.objects.filter(
            project=project, set_aside_at__isnull=False, excluded_by=None
        ).count(),
        able={kind: len(people) for kind, people in workers.items()},
        stuck=stuck,
        reserved=reserved.waiting(project).stuck if project.is_open and is_reissued else 0,
        annotators=len(annotators),
        unqualified=sum(
            project.asks_qualification and member.qualified_at is None for member in annotators
        ),
        comments=comments.open_threads(project).count(),
        previews=runs.waiting_previews(project).count(),
        parked=generation.parked_batches().filter(run__projects=project).count(),
        unpaid=Participant.objects.filter(
            project=project,
            outcome=Participant.Outcome.NOTHING_LEFT,
            recruitment__revoked_at=None,
            recruitment__expires_at__gt=timezone.now(),
        ).count(),
    )


def _stuck_work(project: Project, alerts: Alerts) -> Iterator[tuple[str, str]]:
    if alerts.is_closed:
        plan = getattr(project, "translation_plan", None)
        if plan is None or plan.delivered_at is None:
            yield str(CLOSED), "project_settings"
        return
    if alerts.nobody_is_qualified:
        yield _("No one has passed the qualification test yet."), "people"
    # The test is of judging: it has said why people are missing for that.
    works = [
        kind
        for kind in kinds.of_project(project)
        if not (kind.has_consensus and alerts.nobody_is_qualified)
    ]
    messages = {kind.name: (kind.too_few, kind.stuck) for kind in works}
    slots = {kind.name: kind.slots_in(project) for kind in works}
    for text in workforce.describe_lack(project, messages, alerts.able, alerts.stuck, slots):
        yield text, "people"
    if number := alerts.reserved:
        text = ngettext(
            "%(n)s reserved answer of a re-issue can’t be given by anyone it is reserved for.",
            "%(n)s reserved answers of a re-issue can’t be given by anyone they are reserved for.",
            number,
        )
        yield text % {"n": number}, "reissue"


def _less_urgent(alerts: Alerts) -> Iterator[tuple[str, str]]:
    if number := alerts.flagged:
        text = ngettext("%(n)s person is flagged.", "%(n)s people are flagged.", number)
        yield text % {"n": number}, "people?state=flagged"
    if number := alerts.paused:
        text = ngettext("%(n)s person is paused.", "%(n)s people are paused.", number)
        yield text % {"n": number}, "people?state=paused"
    if number := alerts.unpaid:
        text = ngettext(
            "%(n)s participant ended below the minimum of answers.",
            "%(n)s participants ended below the minimum of answers.",
            number,
        )
        yield text % {"n": number}, "recruiting"
    if number := alerts.set_aside:
        text = ngettext("%(n)s item is set aside.", "%(n)s items are set aside.", number)
        yield text % {"n": number}, "skips"
    if number := alerts.previews:
        text = ngettext(
            "%(n)s preview of a generation run is waiting for approval.",
            "%(n)s previews of generation runs are waiting for approval.",
            number,
        )
        yield text % {"n": number}, "generation_runs"
    if number := alerts.parked:
        text = ngettext(
            "%(n)s batch of a generation run failed and is parked.",
            "%(n)s batches of generation runs failed and are parked.",
            number,
        )
        yield text % {"n": number}, "generation_runs"
    if number := alerts.comments:
        text = ngettext(
            "%(n)s comment from an annotator is open.",
            "%(n)s comments from annotators are open.",
            number,
        )
        yield text % {"n": number}, "comments"


def _address(member: Membership, page: str) -> str:
    name, _, query = page.partition("?")
    address = reverse(name, args=[member.project.public_id])
    return f"{address}?{query}" if query else address
