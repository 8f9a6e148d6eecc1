"""The entries of a project's rail: its pages in five groups."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotation.models import Project
from annotation.work import kinds
from annotation.work.contract import Kind

Name = str | Promise


@dataclass(frozen=True, slots=True)
class Page:
    """A page of an entry: a link under the head of its pages.

    It `locks` once the project has candidates or pairs.
    """

    route: str
    name: Name
    kind: str = ""
    is_for_managers: bool = False
    locks: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the rail, which leads to the first of its pages that the reader may open.

    `also` are beginnings of further addresses of the entry, after that of the project. `count`
    names a number of `selectors.rail`; `waits` and `fails` name those that are badges.
    """

    name: Name
    icon: str
    pages: tuple[Page, ...]
    also: tuple[str, ...] = ()
    count: str = ""
    waits: str = ""
    fails: str = ""
    is_for_managers: bool = False
    help: str = ""


OVERVIEW = Entry(_("Overview"), "home", (Page("overview", _("Overview")),), help="manager/progress")
RUNS = (Page("generation_runs", _("Runs")), Page("compare_runs", _("Comparison")))
SOURCE_PAIRS = Entry(
    _("Source pairs"),
    "pair",
    (Page("source_pairs", _("Source pairs")),),
    count="source_pairs",
    help="manager/translations",
)
TRANSLATING = (
    Page("untranslatable", _("Untranslatable")),
    Page("collapsed", _("Equal translations"), is_for_managers=True),
)
PEOPLE = (
    Entry(
        _("People"),
        "people",
        (
            Page("people", _("List")),
            Page("leases", _("In progress")),
            Page("skips", _("Skipped")),
            Page("reissue", _("Re-issue"), is_for_managers=True),
            Page("questions", pgettext_lazy("about annotators", "Questions")),
        ),
        also=("questions/",),
        count="people",
        fails="looks",
        help="manager/quality",
    ),
    Entry(
        _("Invitations"),
        "letter",
        (Page("invitations", _("Links")), Page("recruiting", _("Recruiting"))),
        is_for_managers=True,
        help="manager/annotators",
    ),
    Entry(
        _("Tests"),
        "check",
        (Page("qualification_set", _("Qualification set")), Page("gold_pairs", _("Gold pairs"))),
        is_for_managers=True,
        help="manager/quality",
    ),
    Entry(
        pgettext_lazy("about an item", "Notes"),
        "note",
        (Page("comments", pgettext_lazy("about an item", "Notes")),),
        waits="notes",
        help="manager/progress",
    ),
)
RESULTS = (
    Entry(
        _("Agreement"),
        "chart",
        (Page("agreement", _("Figures")), Page("models", _("Models"))),
        help="manager/labels",
    ),
    Entry(
        _("Word errors"),
        "chart",
        (Page("translations", _("Word errors")),),
        help="manager/translations",
    ),
    Entry(
        _("Releases"),
        "box",
        (Page("releases", _("Releases")),),
        count="version",
        help="manager/releases",
    ),
)
PROJECT = (
    Entry(_("Guidelines"), "book", (Page("guidelines", _("Guidelines")),), help="manager/study"),
    Entry(
        _("Settings"),
        "settings",
        (
            Page("project_settings", pgettext_lazy("page of the settings", "Study")),
            Page("work_settings", pgettext_lazy("page of the settings", "Work")),
            Page("joining_settings", _("Joining")),
            Page("quality_settings", _("Quality")),
            Page("protocol_settings", _("Protocol"), locks=True),
            Page("change_plan", _("Translation")),
            Page("project_actions", _("Manage")),
        ),
        is_for_managers=True,
        help="manager/study",
    ),
    Entry(
        _("History"),
        "clock",
        (Page("history", _("History")),),
        is_for_managers=True,
        help="manager/progress",
    ),
)


def groups(project: Project) -> list[tuple[str, Name, tuple[Entry, ...]]]:
    """Return the name, the title and the entries of each group."""
    return [
        ("", "", (OVERVIEW,)),
        ("material", _("Material"), tuple(_material(project))),
        ("people", _("People"), PEOPLE),
        ("results", _("Results"), RESULTS),
        ("project", _("Project"), PROJECT),
    ]


def _material(project: Project) -> Iterator[Entry]:
    if project.translates:
        yield SOURCE_PAIRS
    yield Entry(
        _("Sentences"),
        "lines",
        (Page("data", _("Sentences")),),
        count="sentences",
        help="manager/importing",
    )
    if not project.translates:
        yield _runs(_("Runs"))
    yield from _answers(project)
    yield Entry(
        _("Pairs"), "pair", (Page("pairs", _("Pairs")),), count="pairs", help="manager/labels"
    )
    if project.translates:
        yield _runs(_("Machine translation"))
        pages = (Page("glossary", _("Term list")),)
        yield Entry(_("Term list"), "list", pages, count="terms", help="manager/translations")


def _runs(name: Name) -> Entry:
    return Entry(
        name,
        "swap",
        RUNS,
        also=("generation/",),
        count="runs",
        waits="previews",
        fails="parked",
        help="manager/generation",
    )


def _answers(project: Project) -> Iterator[Entry]:
    pages = [
        Page("answers", kind.list_title_in(project), kind=kind.name)
        for kind in listed_kinds(project)
    ]
    if pages:
        first = pages[0]
        yield Entry(
            first.name,
            "pencil",
            (*pages, *TRANSLATING),
            also=("answers/",),
            count=f"left:{first.kind}",
            help="manager/translations" if project.translates else "manager/progress",
        )


def listed_kinds(project: Project) -> list[Kind]:
    """Return the kinds of work whose answers are listed: judgments are listed by pair."""
    work = kinds.of_project(project)
    return [kind for kind in work if not kind.has_consensus and kind.is_usual_in(project)]
