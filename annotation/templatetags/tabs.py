"""The tabs on a project's pages."""

from dataclasses import dataclass

from django import template
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

register = template.Library()


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab: its route and name; paths of its pages start with one of `rooms`."""

    route: str
    name: str | Promise
    rooms: tuple[str, ...]
    is_for_managers: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """A tab as displayed; `current` is the value of aria-current, empty for other tabs."""

    name: str | Promise
    address: str
    current: str


TABS = (
    Tab("overview", _("Overview"), ("", "agreement", "answers", "models", "leases", "skips")),
    Tab("pairs", _("Pairs"), ("pairs",)),
    Tab("annotators", _("Annotators"), ("annotators",)),
    Tab("releases", _("Releases"), ("releases",)),
    Tab("people", _("People"), ("people", "qualification", "recruiting"), is_for_managers=True),
    Tab("project_settings", _("Settings"), ("settings", "known"), is_for_managers=True),
    Tab("history", _("History"), ("history",), is_for_managers=True),
)


@register.simple_tag(takes_context=True)
def tabs(context: template.Context) -> list[Shown]:
    """Return the tabs that the reader may open, with the current one marked."""
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
