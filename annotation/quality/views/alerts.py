"""What needs a manager, worst first: a sentence, why, and the page to act on."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.comments import selectors as comments
from annotation.models import Judgment, Membership, ModelTask, Participant, Project
from annotation.pairs.services import intake
from annotation.people.selectors import names, watch, workforce
from annotation.projects.selectors.glance import Glance
from annotation.quality.selectors import interventions, reserved
from annotation.studies.base import Study
from annotation.translations.selectors.readiness import CLOSED
from annotation.work import kinds

LEVELS = ("red", "amber", "blue", "green")
# Pages of people who only read, besides lists with filters.
FOR_READERS = ("person", "skips", "comments")
MOST_PEOPLE = MOST_NOTES = 2
MOST_CHARACTERS = 80
LOOK, INVITE = gettext_lazy("Look"), gettext_lazy("Invite")
DECIDE = gettext_lazy("Decide with the votes they have")


@dataclass(frozen=True, slots=True)
class Need:
    """What a manager should look at.

    `level` is a colour of LEVELS, `page` a route with its filters, and `key` one person or row of
    it. The address is empty for people without access.
    """

    level: str
    icon: str
    text: str
    page: str
    button: str | Promise = LOOK
    why: str = ""
    key: UUID | None = None
    address: str = ""


@dataclass(frozen=True, slots=True)
class Blocked:
    """What may block the work of a study.

    By kind of work, `able` counts the people who get it now, and `stuck` the items next in the
    queue for which too few people are left. `unvoted` pairs wait for one more person, and no one is
    left. `reserved` counts answers of a re-issue that no one can
    give, `unqualified` annotators who have not passed the qualification set yet, and `unpaid`
    participants of open recruiting links whose work ended before the minimum of answers.
    """

    paused: int
    able: Mapping[str, int]
    stuck: Mapping[str, int]
    unvoted: int
    reserved: int
    annotators: int
    unqualified: int
    unpaid: int

    @property
    def nobody_is_qualified(self) -> bool:
        return 0 < self.annotators == self.unqualified


def of_member(member: Membership, study: Study) -> list[Need]:
    """Return what needs the member; researchers get no links to manager pages."""
    glance, blocked = study.glance, of_project(member.project)
    needs = (
        *_people_to_look_at(member),
        *_stuck_work(glance, blocked),
        *_of_study(study),
        *_newest_notes(member, glance),
        *_paused_by_workers(member.project),
        *_less_urgent(blocked),
        *_on_its_way(member.project),
    )
    return _ranked(member, needs)


def first_of(member: Membership, study: Study) -> Need | None:
    """Return the worst of the needs that a glance shows, without any query."""
    needs = [*_closed(study.glance), *_of_study(study)]
    if notes := study.glance.notes:
        needs.append(_notes(notes))
    return next(iter(_ranked(member, needs)), None)


def of_project(project: Project) -> Blocked:
    """Return what may block the work, in a bounded number of database queries."""
    members = workforce.with_duties(project)
    annotators = [member for member in members if member.role == Membership.Role.ANNOTATOR]
    is_reissued = any(duty.takes_reserved for member in members for duty in member.duties.all())
    workers = workforce.of_members(project, members)
    unfinishable = workforce.unfinishable(project, workers) if project.is_open else {}
    stuck = {kind: len(items) for kind, items in unfinishable.items()}
    unvoted = len(workforce.pairs_without_voters(project, unfinishable.get(Judgment.KIND, [])))
    if unvoted:
        stuck[Judgment.KIND] -= unvoted
    return Blocked(
        paused=_count_paused(project, members),
        able={kind: len(people) for kind, people in workers.items()},
        stuck=stuck,
        unvoted=unvoted,
        reserved=reserved.waiting(project).stuck if project.is_open and is_reissued else 0,
        annotators=len(annotators),
        unqualified=sum(
            project.asks_qualification and member.qualified_at is None for member in annotators
        ),
        unpaid=Participant.objects.filter(
            project=project,
            outcome=Participant.Outcome.NOTHING_LEFT,
            recruitment__revoked_at=None,
            recruitment__expires_at__gt=timezone.now(),
        ).count(),
    )


def _count_paused(project: Project, members: Iterable[Membership]) -> int:
    """Count the paused people of whom a manager has decided nothing else yet."""
    paused = [member.pk for member in members if member.paused_at is not None]
    standings = interventions.of_project(project) if paused else {}
    return sum(pk not in standings or not standings[pk].excluded for pk in paused)


def _ranked(member: Membership, needs: Iterable[Need]) -> list[Need]:
    """Return the worst needs first, with addresses that the member may open."""
    manages = member.role == Membership.Role.MANAGER
    return [
        replace(need, address=_address(member, need))
        if manages or "?" in need.page or need.page in FOR_READERS
        else need
        for need in sorted(needs, key=lambda need: LEVELS.index(need.level))
    ]


def _closed(glance: Glance) -> Iterator[Need]:
    if not glance.project.is_open and any(glance.left.values()):
        yield Need("red", "alert", str(CLOSED), "project_actions", gettext_lazy("Open"))


def _stuck_work(glance: Glance, blocked: Blocked) -> Iterator[Need]:
    project = glance.project
    yield from _closed(glance)
    if not project.is_open:
        return
    if blocked.nobody_is_qualified:
        text = _("No one has passed the qualification test yet.")
        yield Need("red", "check", text, "people")
    # The test is of judging: it has said why people are missing for that.
    works = [
        kind
        for kind in kinds.of_project(project)
        if not (kind.has_consensus and blocked.nobody_is_qualified)
    ]
    messages = {kind.name: (kind.too_few, kind.stuck) for kind in works}
    slots = {kind.name: kind.slots_in(project) for kind in works}
    for text in workforce.describe_lack(project, messages, blocked.able, blocked.stuck, slots):
        yield Need("red", "people", text, "invitations", INVITE)
    if number := blocked.unvoted:
        text = ngettext(
            "%(n)s pair waits for one more person, and nobody is left who can judge it.",
            "%(n)s pairs wait for one more person, and nobody is left who can judge them.",
            number,
        )
        yield Need("red", "people", text % {"n": number}, "decide_pairs", DECIDE)
    if number := blocked.reserved:
        text = ngettext(
            "%(n)s reserved answer of a re-issue can’t be given by anyone it is reserved for.",
            "%(n)s reserved answers of a re-issue can’t be given by anyone they are reserved for.",
            number,
        )
        yield Need("red", "people", text % {"n": number}, "reissue")


def _of_study(study: Study) -> Iterator[Need]:
    glance = study.glance
    yield from _flagged(len(glance.flags))
    if number := glance.parked:
        text = ngettext(
            "%(n)s batch of a run failed and is parked.",
            "%(n)s batches of runs failed and are parked.",
            number,
        )
        yield Need("red", "alert", text % {"n": number}, "generation_runs")
    if number := glance.set_aside:
        text = ngettext("%(n)s item is set aside.", "%(n)s items are set aside.", number)
        yield Need("amber", "pair", text % {"n": number}, "skips")
    if number := glance.previews:
        text = ngettext(
            "%(n)s preview of a run is waiting for approval.",
            "%(n)s previews of runs are waiting for approval.",
            number,
        )
        yield Need("blue", "swap", text % {"n": number}, "generation_runs")
    yield from _finished(study)


def _flagged(number: int) -> Iterator[Need]:
    if number:
        text = ngettext("%(n)s person is flagged.", "%(n)s people are flagged.", number)
        yield Need("amber", "flag", text % {"n": number}, "people?state=flagged")


def _people_to_look_at(member: Membership) -> Iterator[Need]:
    naming = names.for_reader(member)
    for person in watch.needing_look(naming)[:MOST_PEOPLE]:
        user = person.figures.user
        text = _("%(name)s needs a look.") % {"name": naming.name(user)}
        yield Need("red", "flag", text, "person", why=person.reason, key=user.public_id)


def _finished(study: Study) -> Iterator[Need]:
    finish = study.finish()
    if version := study.glance.withdrawn:
        text = _("Release %(version)s is withdrawn, and no other replaces it.")
        button = gettext_lazy("Draft a release")
        yield Need("amber", "box", text % {"version": version}, "draft_release", button)
    elif finish and study.glance.all_is_answered and not study.glance.version:
        yield Need("green", "box", finish.text, finish.page, finish.button)


def _newest_notes(member: Membership, glance: Glance) -> Iterator[Need]:
    if not glance.notes:
        return
    naming = names.for_reader(member)
    for note in comments.newest_notes(member.project, MOST_NOTES):
        words = Truncator(note.text).chars(MOST_CHARACTERS)
        text = _("%(name)s: “%(words)s”") % {"name": naming.name(note.author), "words": words}
        moment = date_format(timezone.localtime(note.created_at), "DATETIME_FORMAT")
        button = gettext_lazy("Reply") if naming.by_name else LOOK
        yield Need("blue", "note", text, "comments", button, why=moment)
    if glance.notes > MOST_NOTES:
        yield _notes(glance.notes)


def _notes(number: int) -> Need:
    text = ngettext("%(n)s note is open.", "%(n)s notes are open.", number)
    return Need("blue", "note", text % {"n": number}, "comments")


def _paused_by_workers(project: Project) -> Iterator[Need]:
    """Yield runs and model tasks that go on only when a manager resumes them."""
    paused = Q(state="paused") & ~Q(paused_because="")
    if number := project.runs.filter(paused).count():
        text = ngettext(
            "A worker paused %(n)s run: its limit is reached, or its server refused.",
            "Workers paused %(n)s runs: their limits are reached, or their servers refused.",
            number,
        )
        yield Need("amber", "alert", text % {"n": number}, "generation_runs")
    if number := ModelTask.objects.filter(paused, project=project).count():
        text = ngettext(
            "A worker paused %(n)s model that judges: its limit is reached, or its server refused.",
            "Workers paused %(n)s models that judge: their limits are reached, or their servers "
            "refused.",
            number,
        )
        yield Need("amber", "alert", text % {"n": number}, "models")


def _less_urgent(blocked: Blocked) -> Iterator[Need]:
    if number := blocked.paused:
        text = ngettext("%(n)s person is paused.", "%(n)s people are paused.", number)
        yield Need("amber", "people", text % {"n": number}, "people?state=paused")
    if number := blocked.unpaid:
        text = ngettext(
            "%(n)s participant ended below the minimum of answers.",
            "%(n)s participants ended below the minimum of answers.",
            number,
        )
        yield Need("amber", "people", text % {"n": number}, "recruiting")


def _on_its_way(project: Project) -> Iterator[Need]:
    if number := intake.candidates_waiting(project):
        text = ngettext(
            "%(n)s candidate can’t be corrected or judged yet. A worker adds it to the project.",
            "%(n)s candidates can’t be corrected or judged yet. A worker adds them to the project.",
            number,
        )
        yield Need("blue", "clock", text % {"n": number}, "generation_runs")


def _address(member: Membership, need: Need) -> str:
    name, _, query = need.page.partition("?")
    key = [need.key] if need.key else []
    address = reverse(name, args=[member.project.public_id, *key])
    return f"{address}?{query}" if query else address
