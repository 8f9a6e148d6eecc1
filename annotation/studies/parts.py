"""The parts of pages that say how far a study is, and what comes next."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.access import rooms
from annotation.pairs.differences import Piece
from annotation.projects import charts
from annotation.projects.charts import Shares
from annotation.projects.selectors.glance import Glance
from annotation.projects.selectors.over_time import Pace
from annotation.templatetags.figures import hours, number


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage; without a number it is ahead. `left` is what waits in it, `note` says more."""

    name: str | Promise
    number: int | None
    note: str
    share: Shares
    address: str
    left: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A step: a `button` leads to the page where it is done, and `other` to another way."""

    title: str
    text: str
    is_done: bool
    button: str | Promise = ""
    page: str = ""
    other: str | Promise = ""
    other_page: str = ""
    is_now: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence of the demonstration on its way: its texts, what people do, and the result."""

    heading: str | Promise
    texts: tuple[list[Piece], list[Piece]]
    languages: tuple[str, str]
    work: str | Promise
    result: str | Promise


@dataclass(frozen=True, slots=True)
class Finish:
    """What to do when all is answered: a sentence, and the button to a page."""

    text: str
    button: str
    page: str


def number_left(items: int) -> str:
    return _("%(n)s left") % {"n": number(items)} if items else ""


def time_left(pace: Pace) -> str:
    if pace.forecast is None:
        return ""
    return _("about %(time)s") % {"time": hours(pace.left / pace.forecast.per_hour)}


def part_done(done: float, whole: float) -> Shares:
    return charts.shares({"done": min(done, whole)} if whole else {}, whole)


def list_address(glance: Glance, page: str, *kind: str, state: str = "") -> str:
    """Return the address of a list, empty if the project has none."""
    address = reverse(page, args=[glance.project.public_id, *kind])
    query = f"?{urlencode({'state': state})}" if state else ""
    return address + query if rooms.has_page(glance.project, address) else ""


def invite_people(glance: Glance, text: str) -> Step:
    done = bool(glance.annotators)
    return Step(_("Invite people"), text, done, gettext_lazy("Invite people"), "invitations")


def unmarked(texts: Sequence[str]) -> tuple[list[Piece], list[Piece]]:
    first, second = texts
    return [Piece(first, False)], [Piece(second, False)]
