"""The projects that a person manages or reads, each as a row: how far it is, and the next step."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.contrib.humanize.templatetags.humanize import naturaltime
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.models import Membership
from annotation.projects.charts import Shares
from annotation.projects.selectors import glance as glances
from annotation.projects.selectors.glance import Glance
from annotation.quality.views import alerts
from annotation.studies import types
from annotation.studies.base import Study
from annotation.templatetags.figures import day, number

PAGE = 30
MOST_CHIPS = 2
EARLIEST = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Chip:
    """A state in a word, or a number and a word."""

    words: str
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Next:
    """What to do next in a project: a sentence, and a link if there is something to do."""

    text: str
    button: str | Promise = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A project: facts, a bar with its sentence, chips, and one next step."""

    member: Membership
    facts: list[str]
    bar: Shares
    progress: list[str]
    chips: list[Chip]
    next: Next


def last_active_first(members: Sequence[Membership]) -> list[Membership]:
    """Return the memberships by the last answer in their project, or else its creation."""
    last = glances.last_answers(member.project for member in members)

    def moment(member: Membership) -> datetime:
        return max(last.get(member.project_id) or EARLIEST, member.project.created_at)

    return sorted(members, key=moment, reverse=True)


def rows(members: Sequence[Membership]) -> list[Row]:
    """Return a row for each membership, in as many statements for one as for thirty."""
    glance_by_project = glances.of_projects(member.project for member in members)
    return [_row(member, glance_by_project[member.project_id]) for member in members]


def _row(member: Membership, glance: Glance) -> Row:
    study = types.study_at(glance)
    bar, progress = study.progress()
    return Row(
        member,
        list(_facts(study)),
        bar,
        progress,
        list(_chips(study))[:MOST_CHIPS],
        _next(member, study),
    )


def _facts(study: Study) -> Iterator[str]:
    """Yield the type of study, its languages, its people and when they were active."""
    glance = study.glance
    yield from study.facts()
    people = glance.people
    if people <= 1:
        yield _("only you")
    elif glance.are_simulated:
        text = ngettext("%(n)s simulated person", "%(n)s simulated people", glance.annotators)
        yield text % {"n": number(glance.annotators)}
    else:
        yield ngettext("%(n)s person", "%(n)s people", people) % {"n": number(people)}
    if glance.last_answer:
        yield _("active %(time)s") % {"time": _spoken(glance.last_answer)}
    else:
        yield _("created %(time)s") % {"time": _spoken(glance.project.created_at)}
    if not glance.project.is_open:
        yield _("closed")


def _spoken(moment: datetime) -> str:
    """Return how long ago a moment was; for one over a day ago, its day."""
    if timezone.now() - moment < timedelta(days=1):
        return str(naturaltime(moment))
    return day(moment)


def _chips(study: Study) -> Iterator[Chip]:
    glance = study.glance
    if flags := len(glance.flags):
        text = ngettext("%(n)s flag", "%(n)s flags", flags)
        yield Chip(text % {"n": number(flags)}, "red")
    if notes := glance.notes:
        yield Chip(ngettext("%(n)s note", "%(n)s notes", notes) % {"n": number(notes)}, "blue")
    if glance.previews:
        yield Chip(_("Preview"), "blue")
    if glance.version:
        yield Chip(_("%(version)s released") % {"version": glance.version})
    elif glance.withdrawn:
        yield Chip(_("%(version)s withdrawn") % {"version": glance.withdrawn}, "amber")
    elif glance.is_young:
        place, step_count = _place(study)
        yield Chip(
            _("Step %(n)s of %(all)s") % {"n": number(place), "all": number(step_count)}, "blue"
        )
    elif glance.all_is_answered:
        yield Chip(_("All done"), "green")


def _place(study: Study) -> tuple[int, int]:
    """Return the number of the next step of a young study, and how many there are."""
    all_steps = study.steps()
    place = next((place for place, step in enumerate(all_steps, 1) if step.is_now), len(all_steps))
    return place, len(all_steps)


def _next(member: Membership, study: Study) -> Next:
    overview = reverse("overview", args=[member.project.public_id])
    if need := alerts.first_of(member, study):
        return Next(need.text, need.button, need.address)
    if study.glance.is_young:
        step = next((step for step in study.steps() if step.is_now), None)
        if step:
            return Next(f"{step.title}.", gettext_lazy("Continue"), overview)
        if study.glance.project.kinds:
            return Next(_("Wait for the first answers."))
    return Next(_("Nothing to do."))
