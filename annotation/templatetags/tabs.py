"""The tabs of a study's pages, and which of them a page belongs to."""

from dataclasses import dataclass

from django import template
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

register = template.Library()


@dataclass(frozen=True, slots=True)
class Tab:
    """Where a tab leads and what it is called; addresses of its pages begin with one of `rooms`."""

    route: str
    name: str | Promise
    rooms: tuple[str, ...]
    is_for_managers: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """A tab on a page; `current` is the value of aria-current, empty for another tab."""

    name: str | Promise
    address: str
    current: str


TABS = (
    Tab(
        "overview",
        _("Overview"),
        ("", "agreement", "corrections", "guests", "leases", "skips"),
    ),
    Tab("pairs", _("Pairs"), ("pairs",)),
    Tab("annotators", _("Annotators"), ("annotators",)),
    Tab("releases", _("Releases"), ("releases",)),
    Tab("people", _("People"), ("people", "qualification"), is_for_managers=True),
    Tab("project_settings", _("Settings"), ("settings", "known"), is_for_managers=True),
    Tab("history", _("History"), ("history",), is_for_managers=True),
)


@register.simple_tag(takes_context=True)
def tabs(context: template.Context) -> list[Shown]:
    """Those that the reader may open; the page itself, or the one that it was opened from, is
    marked."""
    key, path = context["project"].public_id, context["request"].path
    room = path.removeprefix(reverse("overview", args=[key])).partition("/")[0]
    return [
        _shown(tab, reverse(tab.route, args=[key]), path=path, room=room)
        for tab in TABS
        if context.get("manages") or not tab.is_for_managers
    ]


def _shown(tab: Tab, address: str, *, path: str, room: str) -> Shown:
    within = "true" if room in tab.rooms else ""
    return Shown(tab.name, address, "page" if path == address else within)
