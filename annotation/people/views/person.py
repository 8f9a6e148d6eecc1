"""One person of a project: their answers and why they need a look, and the steps taken."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.agreement import by_person
from annotation.agreement.by_person import Effect
from annotation.models import Membership, Project, Role, Slot
from annotation.pairs import differences
from annotation.pairs.differences import Piece
from annotation.people.selectors import annotator as one_annotator
from annotation.people.selectors import watch
from annotation.people.selectors.annotator import Answered, Stretch
from annotation.people.selectors.risk import Level
from annotation.people.selectors.watch import Watched
from annotation.people.words import COLOURS, LEVELS, work_of
from annotation.projects import charts
from annotation.projects.charts import Panel, Tick, Times
from annotation.projects.forms.filters import ApartForm
from annotation.projects.views import table_page, timeline
from annotation.quality.selectors import interventions
from annotation.stats.agreement import Estimate
from annotation.templatetags.figures import number
from annotation.work import judge, kinds
from annotation.work.contract import Kind
from annotation.work.kinds import KINDS

HEIGHT, TIMES_HEIGHT = 70, 125


@dataclass(frozen=True, slots=True)
class Shown:
    """An answer with its sentences as diff pieces, and what the others say of the pair."""

    own: Slot
    sentences: tuple[list[Piece], list[Piece]]
    answer: str
    gold: str
    others: str
    is_apart: bool


@dataclass(frozen=True, slots=True)
class Written:
    """An answer without others: the sentences, and what the person made of them, as diff pieces."""

    slot: Slot
    sentences: list[list[Piece]]
    languages: list[str]
    answer: str | Promise
    note: str


@dataclass(frozen=True, slots=True)
class Course:
    """The person's pace, as table rows with the names of their periods, and as two charts."""

    rows: list[tuple[str, Stretch]]
    answers: Panel
    seconds: Panel | None
    ticks: list[Tick]


@dataclass(frozen=True, slots=True)
class Haste:
    """The seconds of the last answers as a chart, in words, and when the first and last were."""

    chart: Times
    words: str
    first: datetime
    last: datetime


def context_of(member: Membership, person: Membership) -> dict[str, Any]:
    """Return what all pages about a person show, for a reader of the project."""
    level = watch.levels(member.project).get(person.user_id, Level.FINE)
    return table_page.frame(member) | {
        "person": person,
        "work": work_of(person),
        "level": LEVELS.get(level, ""),
        "colour": COLOURS.get(level, ""),
        "standing": interventions.of_member(person),
        "touched": one_annotator.touched_answers(person),
        "steps": person.interventions.count(),
        "is_self": person.pk == member.pk,
    }


@gates.signed_in
@require_safe
def person(request: Request, project_id: uuid.UUID, user_id: uuid.UUID) -> HttpResponse:
    """Show what the person answered, and why they need a look."""
    member = gates.reader(request, project_id)
    form = ApartForm(request.GET)
    subject = find(member, user_id)
    is_filtered = form.is_valid() and form.cleaned_data["apart"]
    context, everyone = _with_everyone(member, subject)
    watched = next(one for one in everyone if one.figures.membership.pk == subject.pk)
    context |= {
        "watched": watched,
        "figures": watched.figures,
        "others": _range_of_others(watched, everyone),
        "course": _course(subject),
        "is_filtered": is_filtered,
        "works": [
            (kind, watched.figures.answers[kind.name]) for kind in _listed_kinds(member.project)
        ],
        "written": [
            _written_answer(slot) for slot in one_annotator.latest_written_answers(subject)
        ],
    }
    if member.project.judges:
        context |= _judgments(member, subject, context, is_filtered=is_filtered)
    return render(request, "annotation/study/person.html", context)


@gates.signed_in
@require_safe
def person_actions(request: Request, project_id: uuid.UUID, user_id: uuid.UUID) -> HttpResponse:
    """Show the steps taken and the linked accounts; only managers can take further ones."""
    member = gates.reader(request, project_id)
    subject = find(member, user_id)
    context = context_of(member, subject) | {
        "history": subject.interventions.select_related("by").order_by("-pk"),
        "one": one_annotator.other_accounts(subject),
    }
    return render(request, "annotation/study/person_actions.html", context)


def find(member: Membership, user_id: uuid.UUID) -> Membership:
    """Return the project member that a page is about. Raises Http404."""
    members = Membership.objects.select_related("project", "user", "invitation")
    return get_object_or_404(members, project=member.project, user__public_id=user_id)


def _with_everyone(member: Membership, subject: Membership) -> tuple[dict[str, Any], list[Watched]]:
    """Return the context, with the figures of all people to compare with."""
    everyone = watch.everyone(table_page.frame(member)["naming"])
    return context_of(member, subject), everyone


def _range_of_others(subject: Watched, everyone: Sequence[Watched]) -> tuple[float, float] | None:
    """Return the lowest and the highest agreement of the others, as the reason names them."""
    values = [
        share
        for one in everyone
        if one is not subject and one.risk.level is not Level.HANDLED
        if (share := watch.numbers(one.figures).agreement) is not None
    ]
    return (min(values), max(values)) if values else None


def _judgments(
    member: Membership, subject: Membership, context: dict[str, Any], *, is_filtered: bool
) -> dict[str, Any]:
    apart = by_person.apart(subject)
    lines = one_annotator.latest_judgments(subject, among=apart if is_filtered else None)
    answers = {choice.place: str(choice.name) for choice in judge.choices(member.project)}
    tells_effect = member.role == Role.MANAGER and context["touched"].included
    effect = by_person.without(member.project, subject) if tells_effect else None
    return {
        "apart": len(apart),
        "lines": [_shown_answer(line, apart, answers) for line in lines],
        "haste": _haste(subject),
        "effect": effect if effect and effect.pairs else None,
        "lacking": _lacking(effect, member.project) if effect else 0,
    }


def _lacking(effect: Effect, project: Project) -> int:
    """Return how many people more are needed to give the answers again; 0 if there are enough."""
    return max(0, project.judgments_per_pair - effect.able) if effect.to_answer else 0


def _haste(person: Membership) -> Haste | None:
    timed = one_annotator.latest_seconds(person)
    if not timed:
        return None
    limit, seconds = person.project.floor_seconds, [spent for _at, spent in timed]
    text = ngettext(
        "Seconds of the last answer, logarithmic: %(median)s.",
        "Seconds of the last %(answers)s answers in order, logarithmic: half of them took at most "
        "%(median)s seconds, and %(fast)s less than the limit of %(limit)s seconds.",
        len(timed),
    )
    words = text % {
        "answers": number(len(timed)),
        "median": number(median(seconds), 1),
        "fast": number(sum(spent < limit for spent in seconds)),
        "limit": number(limit, 1),
    }
    chart = charts.times(seconds, limit, height=TIMES_HEIGHT)
    return Haste(chart, words, timed[0][0], timed[-1][0])


def _listed_kinds(project: Project) -> list[Kind]:
    """Return the kinds of work whose answers are listed one by one."""
    return [kind for kind in kinds.of_project(project) if not kind.has_consensus]


def _shown_answer(answered: Answered, apart: Sequence[int], answers: dict[int, str]) -> Shown:
    own, pair = answered.own, answered.own.item
    return Shown(
        own=own,
        sentences=differences.pieces(*pair.texts),
        answer=answers.get(own.label or 0, ""),
        gold=answers.get(pair.gold_label, "") if pair.gold_label is not None else "",
        others=_of_others(answered, answers),
        is_apart=own.pk in apart,
    )


def _of_others(answered: Answered, answers: dict[int, str]) -> str:
    """Return the answer that most of the others gave, and how many of them did."""
    labels = [other.label for other in answered.others if other.counts]
    if not labels:
        return _("no one else yet")
    numbers = {label: labels.count(label) for label in labels}
    most = max(numbers.values())
    given = [answers[label] for label in sorted(numbers) if numbers[label] == most]
    values = {"answer": " / ".join(given), "most": most, "number": len(labels)}
    return _("others: %(answer)s, %(most)s of %(number)s") % values


def _written_answer(slot: Slot) -> Written:
    kind = KINDS[slot.kind]
    texts, languages = kind.sentences(slot.item), list(kind.languages(slot.item))
    is_text = bool(slot.text) and not kind.is_note(slot)
    if is_text and not kind.revises:
        texts, languages = (*texts, slot.text), [*languages, kind.written_in(slot.item)]
    sentences = [[Piece(text, differs=False)] for text in texts]
    if is_text and kind.revises:
        sentences[-1:] = differences.pieces(texts[-1], slot.text)
        languages.append(languages[-1])
    note = slot.text if kind.is_note(slot) else ""
    return Written(slot, sentences, languages, kind.name_of(slot), note)


def _course(person: Membership) -> Course | None:
    course = one_annotator.course(person)
    if course is None:
        return None
    periods, stretches = course
    begins = [timeline.moment(stretch.begins) for stretch in stretches]
    names = [timeline.period_name(begin, periods.length) for begin in begins]
    return Course(
        rows=[row for row in zip(names, stretches, strict=True) if row[1].answers],
        answers=charts.bars([stretch.answers for stretch in stretches], height=HEIGHT),
        seconds=_seconds(stretches),
        ticks=charts.ticks([timeline.axis_label(begin, periods) for begin in begins]),
    )


def _seconds(stretches: list[Stretch]) -> Panel | None:
    measured = [stretch.seconds for stretch in stretches if stretch.seconds is not None]
    if not measured:
        return None
    estimates = [Estimate(stretch.seconds) for stretch in stretches]
    return charts.dots(estimates, charts.count_axis(measured), height=HEIGHT)
