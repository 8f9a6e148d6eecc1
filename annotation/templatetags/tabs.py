"""Where a project's pages are: the tabs, the pages of each, and the way to the current page."""

from collections.abc import Iterator
from dataclasses import dataclass

from django import template
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.access import rooms
from annotation.models import Project
from annotation.work import kinds

register = template.Library()
Name = str | Promise


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a tab, as its sub-navigation lists it."""

    route: str
    name: Name
    query: str = ""
    is_for_managers: bool = False
    is_of_translating: bool = False


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab: its route and name; paths of its pages start with one of `rooms`.

    `help` is the page of the documentation about it, and `pages` are listed below the tabs, the
    page of the tab first.
    """

    route: str
    name: Name
    rooms: tuple[str, ...]
    is_for_managers: bool = False
    help: str = ""
    pages: tuple[Page, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """A link as displayed; `current` is the value of aria-current, empty for other pages."""

    name: Name
    address: str
    current: str


@dataclass(frozen=True, slots=True)
class Place:
    """The tab and the page of it where the reader is."""

    tab: Tab | None
    page: Shown | None


# The list of answers of each kind of work that decides no items: judgments are listed by pair.
ANSWERS = "answers"
OVERVIEW = (
    Page("overview", _("Progress")),
    Page("agreement", _("Agreement")),
    Page(ANSWERS, ""),
    Page("leases", _("Items in progress")),
    Page("skips", _("Skipped items")),
    Page("comments", _("Comments")),
    Page("models", _("Human-model disagreements")),
    Page("glossary", _("Glossary"), is_of_translating=True),
    Page("guidelines", _("Guidelines")),
)
TEXTS = (
    Page("translations", _("Progress")),
    Page("untranslatable", _("Untranslatable")),
    Page("collapsed", _("Equal translations"), is_for_managers=True),
)
PAIRS = (Page("pairs", _("All pairs")), Page("pairs", _("Too few agree"), "?state=not_kept"))
PEOPLE = (
    Page("people", _("Members")),
    Page("recruiting", _("Recruiting")),
    Page("qualification_set", _("Qualification set")),
)
STAFF = ("people", "qualification", "recruiting")
SETTINGS = (
    Page("project_settings", _("Settings")),
    Page("gold_pairs", _("Gold pairs")),
    Page("project_actions", _("Manage the project")),
)
GENERATION = (
    Page("generation_runs", _("Runs")),
    Page("compare_runs", _("Comparison")),
)
ROOMS = ("", "agreement", "answers", "models", "leases", "skips", "comments", "glossary")
TABS = (
    Tab("overview", _("Overview"), ROOMS, help="manager/progress", pages=OVERVIEW),
    Tab("data", _("Data"), ("data",), help="manager/importing"),
    Tab(
        "generation_runs",
        _("Generation"),
        ("generation",),
        help="manager/generation",
        pages=GENERATION,
    ),
    Tab(
        "translations",
        _("Translations"),
        ("translations",),
        help="manager/translations",
        pages=TEXTS,
    ),
    Tab("pairs", _("Pairs"), ("pairs",), help="manager/labels", pages=PAIRS),
    Tab("annotators", _("Annotators"), ("annotators",), help="manager/quality"),
    Tab("releases", _("Releases"), ("releases",), help="manager/releases"),
    Tab("people", _("People"), STAFF, True, "manager/annotators", PEOPLE),
    Tab("project_settings", _("Settings"), ("settings", "known"), True, "manager/study", SETTINGS),
    Tab("history", _("History"), ("history",), True, "manager/progress"),
)


@register.simple_tag(takes_context=True)
def tabs(context: template.Context) -> list[Shown]:
    """Return the tabs that the reader may open, with the current one marked."""
    here, path = _tab(context), context["request"].path
    return [
        _shown_tab(tab.name, _address(context, tab.route), path=path, within=tab is here)
        for tab in _tabs_open_to_reader(context)
    ]


@register.simple_tag(takes_context=True)
def pages(context: template.Context) -> list[Shown]:
    """Return the pages of the current tab, with the current one marked; empty for a single page."""
    tab = _tab(context)
    if tab is None:
        return []
    names_and_addresses = list(_pages_of_tab(context, tab))
    nearest = _nearest(context, names_and_addresses)
    path = context["request"].get_full_path()
    return [
        _shown_tab(name, address, path=path, within=address == nearest)
        for name, address in names_and_addresses
    ]


@register.simple_tag(takes_context=True)
def trail(context: template.Context) -> list[Shown]:
    """Return the way from the project to the page: its tab, and the page of the tab."""
    tab = _tab(context)
    if tab is None:
        return []
    path = context["request"].path
    steps = [_shown_tab(tab.name, _address(context, tab.route), path=path)]
    steps += [page for page in pages(context)[1:] if page.current and "?" not in page.address]
    return steps


@register.simple_tag(takes_context=True)
def help_page(context: template.Context) -> str:
    """Return the address of the documentation of the current tab; empty if there is none."""
    tab = _tab(context)
    return reverse("help_page", args=[tab.help]) if tab and tab.help else ""


def _tabs_open_to_reader(context: template.Context) -> list[Tab]:
    """Return the tabs of the project that the reader may open."""
    return [
        tab
        for tab in TABS
        if (context.get("manages") or not tab.is_for_managers) and _exists(context, tab.route)
    ]


def _exists(context: template.Context, route: str) -> bool:
    return rooms.has_page(context["project"], _address(context, route))


def _tab(context: template.Context) -> Tab | None:
    room = context["request"].path.removeprefix(_address(context, "overview")).partition("/")[0]
    return next((tab for tab in _tabs_open_to_reader(context) if room in tab.rooms), None)


def _pages_of_tab(context: template.Context, tab: Tab) -> Iterator[tuple[Name, str]]:
    project: Project = context["project"]
    for page in tab.pages:
        if page.is_for_managers and not context.get("manages"):
            continue
        if page.is_of_translating and not project.translates:
            continue
        if page.route == ANSWERS:
            for kind in kinds.of_project(project):
                if not kind.has_consensus:
                    yield kind.title_in(project), _address(context, ANSWERS, kind.name)
        elif _exists(context, page.route):
            yield page.name, _address(context, page.route) + page.query


def _nearest(context: template.Context, entries: list[tuple[Name, str]]) -> str:
    """Return the address of the page of the tab that the current page belongs to."""
    path, full_path = context["request"].path, context["request"].get_full_path()
    candidates = [
        address
        for _name, address in entries
        if full_path == address or ("?" not in address and path.startswith(address))
    ]
    return max(candidates, key=len, default="")


def _address(context: template.Context, route: str, *more: str) -> str:
    return reverse(route, args=[context["project"].public_id, *more])


def _shown_tab(name: Name, address: str, *, path: str, within: bool = False) -> Shown:
    return Shown(name, address, "page" if path == address else "true" if within else "")
