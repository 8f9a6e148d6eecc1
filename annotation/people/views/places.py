"""The projects that a person manages or reads, each as a row: how far it is, and the next step."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.contrib.humanize.templatetags.humanize import naturaltime
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.models import Correction, Membership, Translation
from annotation.projects import charts, protocols
from annotation.projects.charts import Shares
from annotation.projects.selectors import glance as glances
from annotation.projects.selectors.glance import Glance
from annotation.projects.views import stages, steps
from annotation.quality.views import alerts
from annotation.stats.agreement import krippendorff_alpha
from annotation.stats.consensus import PAWS
from annotation.templatetags.figures import number
from common import languages

PAGE = 30
MOST_CHIPS = 2
# Alpha of more pairs would take too long for a list.
MOST_PAIRS = 20_000
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
    bar, progress = _progress(glance)
    return Row(
        member,
        list(_facts(glance)),
        bar,
        progress,
        list(_chips(glance))[:MOST_CHIPS],
        _next(member, glance),
    )


def _facts(glance: Glance) -> Iterator[str]:
    """Yield what kind of study it is, its language, its people and when they were active."""
    project = glance.project
    if project.translates:
        yield _("Translation")
        plan = project.translation_plan
        yield f"{_language(plan.source_language)} → {_language(plan.language)}"
    elif project.judges:
        yield _scheme(glance)
    yield from (_language(tag) for tag in glance.languages if not project.translates)
    people = glance.people
    if people <= 1:
        yield _("only you")
    elif glance.are_simulated:
        text = ngettext("%(n)s simulated person", "%(n)s simulated people", glance.annotators)
        yield text % {"n": number(glance.annotators)}
    else:
        yield ngettext("%(n)s person", "%(n)s people", people) % {"n": number(people)}
    if glance.last_answer:
        yield _("active %(time)s") % {"time": naturaltime(glance.last_answer)}
    else:
        yield _("created %(time)s") % {"time": naturaltime(project.created_at)}
    if not project.is_open:
        yield _("closed")


def _scheme(glance: Glance) -> str:
    protocol = protocols.of_project(glance.project)
    if protocol.max_label > 1:
        return _("Graded 0–%(highest)s") % {"highest": number(protocol.max_label)}
    return "PAWS" if protocol == PAWS else _("Same or different")


def _language(tag: str) -> str:
    return languages.name_of(tag).partition(" (")[0]


def _progress(glance: Glance) -> tuple[Shares, list[str]]:
    """Return the bar, and the sentence in parts; the first is what counts."""
    project = glance.project
    if project.translates:
        return _of_translations(glance)
    if not project.judges:
        [stage] = stages.of_study(glance)[:1]
        return stage.share, [f"{stage.number} {stage.note}"]
    if glance.is_young and not glance.pairs:
        text = ngettext("%(n)s sentence", "%(n)s sentences", glance.sentences)
        made = glance.candidates
        candidates = ngettext("%(n)s candidate", "%(n)s candidates", made)
        waiting = candidates % {"n": number(made)} if made else _("no candidates yet")
        return charts.shares({}, 1), [text % {"n": number(glance.sentences)}, waiting]
    return _of_pairs(glance)


def _of_pairs(glance: Glance) -> tuple[Shares, list[str]]:
    kept, doing = glance.kept.total, glance.undecided
    too_few = glance.judged.total - kept
    _done, rejected = stages.corrected(glance)
    excluded = sum(items.excluded for items in glance.items.values())
    to_correct = glance.left.get(Correction.KIND, 0)
    lost = rejected + excluded + too_few
    whole = kept + doing + lost + to_correct + glance.set_aside
    bar = charts.shares({"done": kept, "doing": doing, "lost": lost}, whole or 1)
    if glance.project.max_label > 1:
        graded = {"done": number(glance.judged.total), "all": number(glance.pairs)}
        parts = [_("%(done)s of %(all)s graded") % graded]
        if 0 < glance.judged.total <= MOST_PAIRS:
            alpha = krippendorff_alpha(glance.votes).value
            parts += [_("alpha %(value)s") % {"value": number(alpha, 2)}]
        return bar, parts
    counts = (
        (kept, _("%(n)s kept")),
        (doing, _("%(n)s being judged")),
        (to_correct, _("%(n)s to correct")),
        (too_few, _("%(n)s too few agree")),
    )
    return bar, [text % {"n": number(count)} for count, text in counts if count]


def _of_translations(glance: Glance) -> tuple[Shares, list[str]]:
    whole, done = glance.items[Translation.KIND].number, glance.translated
    left = glance.left.get(Translation.KIND, 0)
    parts = [_("%(done)s of %(all)s translated") % {"done": number(done), "all": number(whole)}]
    if left:
        parts.append(_("%(n)s left") % {"n": number(left)})
    lost = max(0, whole - done - left)
    return charts.shares({"done": done, "lost": lost}, whole or 1), parts


def _chips(glance: Glance) -> Iterator[Chip]:
    if flags := len(glance.flags):
        text = ngettext("%(n)s flag", "%(n)s flags", flags)
        yield Chip(text % {"n": number(flags)}, "red")
    if notes := glance.notes:
        yield Chip(ngettext("%(n)s note", "%(n)s notes", notes) % {"n": number(notes)}, "blue")
    if glance.previews:
        yield Chip(_("Preview"), "blue")
    if glance.version:
        yield Chip(_("%(version)s released") % {"version": glance.version})
    elif glance.is_young:
        place, step_count = _place(glance)
        yield Chip(
            _("Step %(n)s of %(all)s") % {"n": number(place), "all": number(step_count)}, "blue"
        )
    elif glance.all_is_answered:
        yield Chip(_("All done"), "green")


def _place(glance: Glance) -> tuple[int, int]:
    """Return the number of the next step of a young study, and how many there are."""
    all_steps = steps.of_study(glance)
    place = next((place for place, step in enumerate(all_steps, 1) if step.is_now), len(all_steps))
    return place, len(all_steps)


def _next(member: Membership, glance: Glance) -> Next:
    overview = reverse("overview", args=[glance.project.public_id])
    if need := alerts.first_of(member, glance):
        return Next(need.text, need.button, need.address)
    if glance.is_young:
        step = next((step for step in steps.of_study(glance) if step.is_now), None)
        if step:
            return Next(f"{step.title}.", gettext_lazy("Continue"), overview)
        return Next(_("Wait for the first answers."))
    return Next(_("Nothing to do."))
