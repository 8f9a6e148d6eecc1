"""The rail: where a project's pages are, in five groups, with what waits in each."""

from dataclasses import dataclass

from django import template
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from annotation.access import rooms
from annotation.models import Membership, Project, Role
from annotation.people.selectors import watch
from annotation.projects import rail as rail_entries
from annotation.projects.rail import OVERVIEW, Entry, Name, Page
from annotation.projects.selectors import rail as numbers
from annotation.templatetags.figures import number
from annotation.work import kinds

register = template.Library()


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
    """Return how many people need a look: only those whose work has a consensus can be found to."""
    has_consensus = any(kind.has_consensus for kind in kinds.of_project(project))
    return watch.number_needing_look(project) if has_consensus else 0


class _Reader:
    """A reader of a project on the page with this path."""

    def __init__(self, member: Membership, path: str) -> None:
        self.project, self.path = member.project, path
        self.manages = member.role == Role.MANAGER
        listed = [kind.name for kind in rail_entries.listed_kinds(self.project)]
        self.counts = numbers.counts(self.project, listed) | {"looks": _looks(self.project)}
        self.start = reverse("overview", args=[member.project.public_id])

    def rail(self) -> Rail:
        groups = rail_entries.groups(self.project)
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
