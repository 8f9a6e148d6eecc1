"""Access checks: every view calls one of these first."""

import uuid
from collections.abc import Callable
from functools import cache, wraps
from typing import Concatenate, ParamSpec, cast
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.contrib.sessions.backends.base import SessionBase
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from accounts.models import User
from annotation.access import rooms
from annotation.errors import ARCHIVED
from annotation.models import Duty, Membership, Project
from common.columns import Columns

Args = ParamSpec("Args")
# Long texts that few pages show; those pages load them separately.
LONG = frozenset({"description", "guidelines", "consent"})
DUTY, MEMBER = Columns(Duty, "duty"), Columns(Membership, "member")
PROJECT = Columns(Project, "project", without=LONG)
WITH_GUIDELINES = Columns(Project, "project", without=LONG - {"guidelines"})
READING = ("GET", "HEAD", "OPTIONS")
# The status of a page whose form is invalid.
UNPROCESSABLE = 422
# At the end of an address: what was typed there and not stored is to be shown again (managing.js).
AGAIN = "#again"


class Request(HttpRequest):
    """A request of a signed-in user, with the attributes that the middleware adds."""

    user: User
    member: Membership  # on the pages of a project
    htmx: HtmxDetails
    session: SessionBase


def signed_in(
    view: Callable[Concatenate[Request, Args], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Args], HttpResponse]:
    """Redirect anonymous users to the sign-in page; with htmx, redirect the whole page."""

    @wraps(view)
    def gate(request: HttpRequest, /, *args: Args.args, **kwargs: Args.kwargs) -> HttpResponse:
        request = cast(Request, request)
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        address = _sign_in(request)
        return HttpResponseClientRedirect(address) if request.htmx else redirect(address)

    return gate


def _sign_in(request: Request) -> str:
    """Return the address of the sign-in page, which leads back to the page in view.

    It says if a session has ended, and if an answer or a form was lost with it.
    """
    had_session = bool(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
    is_answer = request.method == "POST" and (bool(request.htmx) or "item" in request.POST)
    is_form = request.method == "POST" and not is_answer
    page = page_in_view(request) + (AGAIN if is_form else "")
    address = redirect_to_login(page).url
    if request.htmx or request.method == "POST" or (had_session and request.session.is_empty()):
        address += "&expired=1"
    if is_form:
        return f"{address}&unsaved=1"
    return f"{address}&lost=1" if is_answer else address


def page_in_view(request: Request) -> str:
    """Return the address of the page that a request came from; of a reading request, its own.

    Addresses that forms are sent to often show no page of their own.
    """
    if request.htmx:
        return request.htmx.current_url_abs_path or resolve_url("home")
    came_from = request.headers.get("Referer", "")
    if request.method in READING or not url_has_allowed_host_and_scheme(
        came_from, {request.get_host()}
    ):
        return request.get_full_path()
    page = urlsplit(came_from)
    return urlunsplit(("", "", page.path, page.query, ""))


def member(
    request: Request, project_id: uuid.UUID, *, archived: bool = False, texts: bool = False
) -> Membership:
    """Return the user's membership, with its project; `texts` reads its long texts too.

    Raises Http404 if they have none or the project has no such page, and PermissionDenied for a
    change of an archived project unless `archived` allows it.
    """
    rows = Membership.objects.select_related("project").exclude(role=Membership.Role.REMOVED)
    if not texts:
        rows = rows.defer(*(f"project__{name}" for name in LONG))
    membership = get_object_or_404(rows, user=request.user.pk, project__public_id=project_id)
    membership.user = request.user
    request.member = membership
    if not rooms.has_page(membership.project, request.path):
        raise Http404
    if not archived:
        _refuse_archived(request, membership.project)
    return membership


def duty(request: Request, project_id: uuid.UUID, kind: str) -> Duty:
    """Return the user's duty of this kind, with membership and project.

    Raises Http404 if they may not do it, and PermissionDenied for answers to an archived project.
    """
    is_page = request.method in READING and not request.htmx
    duty = _find_duty(user=request.user.pk, project=project_id, kind=kind, guidelines=is_page)
    if duty is None:
        raise Http404
    duty.membership.user = request.user
    _refuse_archived(request, duty.membership.project)
    return duty


def reader(request: Request, project_id: uuid.UUID) -> Membership:
    """Return the membership of a manager or researcher. Raises Http404 otherwise."""
    membership = member(request, project_id)
    if membership.role == Membership.Role.ANNOTATOR:
        raise Http404
    return membership


def manager(request: Request, project_id: uuid.UUID, **options: bool) -> Membership:
    """Return the membership of a manager. Raises Http404 otherwise; options are as in `member`."""
    membership = member(request, project_id, **options)
    if membership.role != Membership.Role.MANAGER:
        raise Http404
    return membership


def manager_sends(request: HttpRequest, project_id: uuid.UUID, **_others: object) -> None:
    """Let managers of the project send large bodies to a view; see `bodies.takes_up_to`."""
    manager(cast(Request, request), project_id)


def _refuse_archived(request: Request, project: Project) -> None:
    """Raise PermissionDenied if the request would change an archived project."""
    if project.archived_at is not None and request.method not in READING:
        raise PermissionDenied(ARCHIVED)


def unlisted(reply: HttpResponse) -> HttpResponse:
    """Block search engines, and referrers on redirects: of pages with a secret in their address."""
    reply["X-Robots-Tag"] = "noindex, nofollow"
    if reply.status_code == 302:  # a form on a page without referrer would send no origin either
        reply["Referrer-Policy"] = "no-referrer"
    return reply


def _find_duty(*, user: int, project: uuid.UUID, kind: str, guidelines: bool) -> Duty | None:
    """Return the user's duty for a kind of work; None if they may not do it.

    `project` is its public id. With `guidelines`, their text is read too.
    """
    project_columns = WITH_GUIDELINES if guidelines else PROJECT
    public_id = Project._meta.get_field("public_id").get_db_prep_value(project, connection)
    with connection.cursor() as cursor:
        cursor.execute(_statement(project_columns), [public_id, user, kind])
        row = cursor.fetchone()
    if row is None:
        return None
    to_member, to_project = len(DUTY.fields), len(DUTY.fields) + len(MEMBER.fields)
    duty = DUTY.instance(row[:to_member])
    duty.membership = MEMBER.instance(row[to_member:to_project])
    duty.membership.project = project_columns.instance(row[to_project:])
    return duty


@cache
def _statement(project: Columns[Project]) -> str:
    return f"""
SELECT {DUTY.sql}, {MEMBER.sql}, {project.sql} FROM annotation_project project
JOIN annotation_membership member ON member.project_id = project.id
JOIN annotation_duty duty ON duty.membership_id = member.id
WHERE project.public_id = %s AND member.user_id = %s
AND duty.kind = %s AND duty.allowed"""  # noqa: S608 all parts are constants
