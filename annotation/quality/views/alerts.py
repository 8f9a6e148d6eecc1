"""Alerts for managers as sentences, each with a link to the list that it counts."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Membership
from annotation.projects.selectors.funnel import Funnel
from annotation.quality.selectors import alerts
from annotation.quality.selectors.alerts import Alerts


@dataclass(frozen=True, slots=True)
class Alert:
    """A sentence and the page to act on; the address is empty for people without access."""

    text: str
    address: str


def of_member(member: Membership, every: Funnel) -> list[Alert]:
    """Return the most urgent alerts first; researchers get no links to manager pages."""
    found = alerts.of_project(member.project)
    manages = member.role == Membership.Role.MANAGER
    stuck = _stuck(found, waits=every.pairs > every.judged.total, uncorrected=every.waiting)
    return [
        Alert(text, _address(member, page) if manages or "?" in page or page == "skips" else "")
        for text, page in (*stuck, *_watch(found))
    ]


def _stuck(found: Alerts, *, waits: bool, uncorrected: int) -> Iterator[tuple[str, str]]:
    """Yield alerts about blocked work."""
    if found.is_closed:
        yield _("The project is closed: no one gets work."), "project_settings"
        return
    if found.nobody_is_qualified:
        yield _("No one has passed the qualification yet."), "people"
    elif waits and found.too_few_judges:
        text = ngettext(
            "Only %(n)s person can judge now, and each pair needs %(slots)s.",
            "Only %(n)s people can judge now, and each pair needs %(slots)s.",
            found.judges,
        )
        yield text % {"n": found.judges, "slots": found.slots}, "people"
    if uncorrected and not found.correctors:
        text = ngettext(
            "%(n)s candidate waits for correction, and no one can correct.",
            "%(n)s candidates wait for correction, and no one can correct.",
            uncorrected,
        )
        yield text % {"n": uncorrected}, "people"


def _watch(found: Alerts) -> Iterator[tuple[str, str]]:
    """Yield alerts about things to check."""
    if number := found.flagged:
        text = ngettext("%(n)s person is flagged.", "%(n)s people are flagged.", number)
        yield text % {"n": number}, "annotators?state=flagged"
    if number := found.paused:
        text = ngettext("%(n)s person is paused.", "%(n)s people are paused.", number)
        yield text % {"n": number}, "annotators?state=paused"
    if number := found.set_aside:
        text = ngettext("%(n)s item is set aside.", "%(n)s items are set aside.", number)
        yield text % {"n": number}, "skips"


def _address(member: Membership, page: str) -> str:
    name, _, query = page.partition("?")
    address = reverse(name, args=[member.project.public_id])
    return f"{address}?{query}" if query else address
