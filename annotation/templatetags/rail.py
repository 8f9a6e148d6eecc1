"""The rail: where a project's pages are, in five groups, with what waits in each."""

from collections.abc import Iterator
from dataclasses import dataclass

from django import template
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from annotation.access import rooms
from annotation.models import Membership, Project, Role
from annotation.people.selectors import watch
from annotation.projects.selectors import rail as numbers
from annotation.templatetags.figures import number
from annotation.work import kinds
from annotation.work.contract import Kind

register = template.Library()
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


@dataclass(frozen=True, slots=True)
class Link:
    """A link; `current` is the value of aria-current, empty for other pages."""

    name: Name
    address: str
    current: str
    is_locked: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """An entry as displayed, with its number in words or in a badge."""

    link: Link
    icon: str
    words: str
    waits: int
    fails: int


@dataclass(frozen=True, slots=True)
class Rail:
    """The groups of lines; the current line by name, with its pages and its help."""

    groups: list[tuple[str, Name, list[Line]]]
    pages: list[Link]
    here: Name
    help: str


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
        for kind in _listed_kinds(project)
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


def _listed_kinds(project: Project) -> list[Kind]:
    """Return the kinds of work whose answers are listed: judgments are listed by pair."""
    work = kinds.of_project(project)
    return [kind for kind in work if not kind.has_consensus and kind.is_usual_in(project)]


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


@register.simple_tag(takes_context=True)
def rail(context: template.Context) -> Rail | None:
    """Return the rail of the project whose page it is; None for annotators and other pages."""
    request: HttpRequest = context["request"]
    member: Membership | None = getattr(request, "member", None)
    if member is None or member.role == Role.ANNOTATOR:
        return None
    return _Reader(member, request.path).rail()


@register.simple_tag(takes_context=True)
def projects(context: template.Context) -> list[Membership]:
    """Return where the person manages or reads, the projects that they opened last first."""
    return numbers.opened_last(context["request"].user)


def _looks(project: Project) -> int:
    """Return how many people need a look: only judges can be found to."""
    return watch.number_needing_look(project) if project.judges else 0


class _Reader:
    """A reader of a project on the page with this path."""

    def __init__(self, member: Membership, path: str) -> None:
        self.project, self.path = member.project, path
        self.manages = member.role == Role.MANAGER
        listed = [kind.name for kind in _listed_kinds(self.project)]
        self.counts = numbers.counts(self.project, listed) | {"looks": _looks(self.project)}
        self.start = reverse("overview", args=[member.project.public_id])

    def rail(self) -> Rail:
        groups: list[tuple[str, Name, tuple[Entry, ...]]] = [
            ("", "", (OVERVIEW,)),
            ("material", _("Material"), tuple(_material(self.project))),
            ("people", _("People"), PEOPLE),
            ("results", _("Results"), RESULTS),
            ("project", _("Project"), PROJECT),
        ]
        pages_by_entry = {
            entry: pages
            for _name, _title, entries in groups
            for entry in entries
            if (pages := self._pages(entry))
        }
        here = self._entry_here(pages_by_entry)
        pages = pages_by_entry[here]
        current = max((at for _page, at in pages if self.path.startswith(at)), key=len, default="")
        return Rail(
            groups=[
                (
                    name,
                    title,
                    [
                        self._line(entry, pages_by_entry[entry][0][1], is_here=entry is here)
                        for entry in entries
                        if entry in pages_by_entry
                    ],
                )
                for name, title, entries in groups
            ],
            pages=[
                self._link(page.name, at, is_here=at == current, is_locked=self._is_locked(page))
                for page, at in pages
            ],
            here=here.name,
            help=reverse("help_page", args=[here.help]),
        )

    def _pages(self, entry: Entry) -> list[tuple[Page, str]]:
        """Return the pages of an entry that the reader may open, with their addresses."""
        if entry.is_for_managers and not self.manages:
            return []
        addresses = [(page, self._address(page)) for page in entry.pages]
        return [
            (page, address)
            for page, address in addresses
            if rooms.has_page(self.project, address) and (self.manages or not page.is_for_managers)
        ]

    def _address(self, page: Page) -> str:
        kind = [page.kind] if page.kind else []
        return reverse(page.route, args=[self.project.public_id, *kind])

    def _entry_here(self, pages_by_entry: dict[Entry, list[tuple[Page, str]]]) -> Entry:
        """Return the entry whose beginning of the path is the longest: the page belongs to it."""
        lengths = [
            (len(beginning), entry)
            for entry, pages in pages_by_entry.items()
            for beginning in (
                *(address for _page, address in pages),
                *(self.start + more for more in entry.also),
            )
            if self.path.startswith(beginning)
        ]
        return max(lengths, key=lambda length: length[0])[1] if lengths else OVERVIEW

    def _line(self, entry: Entry, address: str, *, is_here: bool) -> Line:
        waits = self.counts[entry.waits] if entry.waits else 0
        fails = self.counts[entry.fails] if entry.fails else 0
        return Line(
            link=self._link(entry.name, address, is_here=is_here),
            icon=entry.icon,
            words="" if waits or fails else self._words(entry.count),
            waits=waits,
            fails=fails,
        )

    def _words(self, count: str) -> str:
        value = self.counts.get(count)
        if not value:
            return ""
        if isinstance(value, str):
            return value
        text = number(min(value, numbers.MOST)) + ("+" if value > numbers.MOST else "")
        return str(_("%(n)s left") % {"n": text}) if count.startswith("left:") else text

    def _is_locked(self, page: Page) -> bool:
        return page.locks and self.project.items.exists()

    def _link(self, name: Name, address: str, *, is_here: bool, is_locked: bool = False) -> Link:
        current = "page" if self.path == address else "true" if is_here else ""
        return Link(name, address, current, is_locked)
