"""The page of events: the targets, what was sent to them, and what happened to it."""

import uuid
from collections.abc import Iterable
from typing import cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from accounts.models import Event, User
from annotation.models import Project
from operations import deliveries, targets
from operations.installation import (
    CHANGE_EVENTS,
    VIEW_EVENTS,
    for_staff,
    links_of,
    page_of,
    show_page,
)
from operations.models import Delivery
from operations.targets import BadFile, Target

State = Delivery.State
# Name and colour of each state.
STATES = {
    State.WAITING: (gettext_lazy("waiting"), "amber"),
    State.SENDING: (gettext_lazy("being sent"), "blue"),
    State.DELIVERED: (gettext_lazy("delivered"), "green"),
    State.FAILED: (gettext_lazy("given up"), "red"),
}
KINDS = {**{kind.value: kind.label for kind in Event.Kind}, deliveries.TEST: gettext_lazy("Test")}


@for_staff(VIEW_EVENTS)
@require_safe
def events(request: HttpRequest) -> HttpResponse:
    problem = ""
    try:
        rows = [
            (target, [KINDS[kind] for kind in target.events])
            for target in targets.targets().values()
        ]
    except BadFile as error:
        rows, problem = [], str(error)
    page = page_of(request, Delivery.objects.select_related("person"))
    context = {
        "targets": rows,
        "problem": problem,
        "unknown_projects": _unknown_projects(target for target, _events in rows),
        "deliveries": [
            (delivery, KINDS.get(delivery.kind, delivery.kind), *STATES[State(delivery.state)])
            for delivery in page.object_list
        ],
        "links": links_of(page),
        "may_send": cast(User, request.user).has_perm(CHANGE_EVENTS),
    }
    return show_page(request, "events", context)


def _unknown_projects(all_targets: Iterable[Target]) -> list[str]:
    """Return the names and ids in the file of webhooks that are those of no project."""
    names = {name for target in all_targets for name in target.projects}
    if not names:
        return []
    projects = Project.objects.values_list("public_id", "name")
    return sorted(names - {str(key) for keys in projects for key in keys})


@for_staff(CHANGE_EVENTS)
@require_POST
def send_test(request: HttpRequest, name: str) -> HttpResponse:
    """Have a worker send a test. Raises Http404 if the file has no such target."""
    try:
        target = targets.targets().get(name)
    except BadFile:
        target = None
    if target is None:
        raise Http404
    deliveries.send_test(target)
    messages.success(request, _("A worker sends the test. Reload this page to see the result."))
    return redirect("installation_events")


@for_staff(CHANGE_EVENTS)
@require_POST
def send_again(request: HttpRequest, delivery_id: uuid.UUID) -> HttpResponse:
    delivery = get_object_or_404(Delivery, public_id=delivery_id)
    if deliveries.send_again(delivery):
        text = _("A worker sends it again. Reload this page to see the result.")
        messages.success(request, text)
    else:
        messages.warning(request, _("A worker is sending it now."))
    return redirect("installation_events")
