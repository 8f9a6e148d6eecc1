"""Pages about the whole installation, for its staff."""

import uuid
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import wraps
from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import handed_out, services
from accounts.admin import InvitationForm, PersonAdmin
from accounts.models import AuditEntry, User
from annotation.access.gates import UNPROCESSABLE
from annotation.models import Membership, Project, Role
from annotation.people.selectors import workforce
from annotation.projects.services import lifecycle
from annotation.projects.views import history
from annotation.projects.views.table_page import Links
from annotation.quality.views.alerts import Need
from operations import selectors, status
from operations.status import Condition, Finding, Level

View = Callable[..., HttpResponse]
VIEW_PEOPLE, ADD_PEOPLE = (f"accounts.{act}_user" for act in ("view", "add"))
VIEW_PROJECTS, CHANGE_PROJECTS = (f"annotation.{act}_project" for act in ("view", "change"))
VIEW_LOG = "accounts.view_auditentry"
VIEW_EVENTS, CHANGE_EVENTS = (f"operations.{act}_delivery" for act in ("view", "change"))
# By route: the name, and what one needs besides being one of the staff.
PAGES: dict[str, tuple[str | Promise, str]] = {
    "installation": (gettext_lazy("Overview"), ""),
    "installation_people": (gettext_lazy("People"), VIEW_PEOPLE),
    "installation_projects": (gettext_lazy("Projects"), VIEW_PROJECTS),
    "installation_models": (gettext_lazy("Models"), ""),
    "status": (gettext_lazy("Status"), ""),
    "installation_events": (gettext_lazy("Events"), VIEW_EVENTS),
    "installation_log": (gettext_lazy("Log"), VIEW_LOG),
}
ROWS, FIRST_ROWS = 50, 5
COLOURS = {
    Level.ERROR: "red",
    Level.WARNING: "amber",
    Level.NOTE: "amber",
    Level.HINT: "blue",
    Level.FINE: "green",
}


class StaffInvitation(InvitationForm):
    """An account without a password, which may be given the right to create projects."""

    creates_projects = forms.BooleanField(label=gettext_lazy("May create projects"), required=False)

    class Meta(InvitationForm.Meta):
        fields = ["username", "first_name", "last_name"]

    def save(self, commit: bool = True) -> User:
        self.instance.may_create_projects = self.cleaned_data["creates_projects"] or None
        return super().save(commit)


def for_staff(permission: str = "") -> Callable[[View], View]:
    """Admit staff with a permission, by the same gate as the administration."""

    def decorate(view: View) -> View:
        @wraps(view)
        def gate(request: HttpRequest, **arguments: Any) -> HttpResponse:
            if permission and not cast(User, request.user).has_perm(permission):
                raise PermissionDenied
            return view(request, **arguments)

        return cast(View, admin.site.admin_view(gate))

    return decorate


@for_staff()
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    condition, person = status.read_condition(), cast(User, request.user)
    context: dict[str, Any] = {
        "condition": condition,
        "needs": list(_needs(condition, person)),
        "use": selectors.use(),
    }
    if person.has_perm(VIEW_PEOPLE):
        context |= _people(request, selectors.people()[:FIRST_ROWS])
    if person.has_perm(VIEW_PROJECTS):
        context |= _project_rows(person, _projects()[:FIRST_ROWS])
    return show_page(request, "overview", context)


@for_staff(VIEW_PEOPLE)
@require_safe
def people(request: HttpRequest) -> HttpResponse:
    handed_out.forget(request)
    words = request.GET.get("words", "").replace("\0", "")
    page = page_of(request, selectors.people(words))
    links = links_of(page, words=words)
    context = _people(request, list(page.object_list)) | {"words": words, "links": links}
    return show_page(request, "people", context)


@for_staff(ADD_PEOPLE)
@require_http_methods(["GET", "HEAD", "POST"])
def invite(request: HttpRequest) -> HttpResponse:
    """Create an account, and show the link with which its person chooses a password."""
    form = StaffInvitation(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        refusal = UNPROCESSABLE if request.method == "POST" else 200
        return render(request, "operations/invite.html", {"form": form}, status=refusal)
    person = form.save()
    _person_admin().log_addition(request, person, [{"added": {}}])
    return _hand_out_link(request, person)


@for_staff()
@require_http_methods(["GET", "HEAD", "POST"])
def password_link(request: HttpRequest, person_id: uuid.UUID) -> HttpResponse:
    """Create a link for a new password, or show the one that this session keeps."""
    person = get_object_or_404(User, public_id=person_id, is_active=True, is_simulated=False)
    if request.method == "POST":
        if not _person_admin().has_change_permission(request, person):
            raise PermissionDenied
        return _hand_out_link(request, person)
    if not (kept := handed_out.kept(request)):
        return redirect("installation_people")
    context = {
        "person": person,
        "back": reverse("installation_people"),
        "link": request.build_absolute_uri(kept[0]),
        "days": settings.PASSWORD_RESET_TIMEOUT // 86400,
    }
    return render(request, "accounts/password_link.html", context)


@for_staff(VIEW_PROJECTS)
@require_safe
def projects(request: HttpRequest) -> HttpResponse:
    page = page_of(request, _projects())
    context = _project_rows(cast(User, request.user), list(page.object_list))
    return show_page(request, "projects", context | {"links": links_of(page)})


@for_staff(CHANGE_PROJECTS)
@require_http_methods(["GET", "HEAD", "POST"])
def archive(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """Ask before archiving, with the number of people whose work stops; a POST archives."""
    project, back = get_object_or_404(Project, public_id=project_id), "installation_projects"
    if request.method == "POST":
        lifecycle.archive(project, by=cast(User, request.user))
        messages.success(request, _("Project archived."))
        return redirect(back)
    stopped = workforce.stopped_by_closing(project)
    context = {"project": project, "step": "archive", "stopped": stopped, "back": reverse(back)}
    return render(request, "annotation/setup/stop_project.html", context)


@for_staff(CHANGE_PROJECTS)
@require_POST
def restore(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    project = get_object_or_404(Project, public_id=project_id)
    lifecycle.restore(project, by=cast(User, request.user))
    messages.success(request, _("Project restored. Open it to continue the work."))
    return redirect("installation_projects")


@for_staff()
@require_safe
def models(request: HttpRequest) -> HttpResponse:
    return show_page(request, "models", {"models": selectors.models()})


@for_staff()
@require_safe
def show_status(request: HttpRequest) -> HttpResponse:
    condition = status.read_condition()
    problems = [_need(finding) for finding in condition.findings]
    return show_page(request, "status", {"condition": condition, "problems": problems})


@for_staff(VIEW_LOG)
@require_safe
def log(request: HttpRequest) -> HttpResponse:
    page = page_of(request, AuditEntry.objects.select_related("by"))
    entries = list(page.object_list)
    names = selectors.names_in(entries)
    lines = [history.line_of(entry, names) for entry in entries]
    return show_page(request, "log", {"lines": lines, "names": names, "links": links_of(page)})


def show_page(request: HttpRequest, name: str, context: dict[str, Any]) -> HttpResponse:
    person = cast(User, request.user)
    numbers = {
        VIEW_PEOPLE: User.objects.filter(erased_at=None).count(),
        VIEW_PROJECTS: Project.objects.count(),
    }
    pages = [
        (reverse(route), title, numbers.get(permission))
        for route, (title, permission) in PAGES.items()
        if not permission or person.has_perm(permission)
    ]
    context |= {"pages": pages, "invites": person.has_perm(ADD_PEOPLE)}
    return render(request, f"operations/{name}.html", context)


def _hand_out_link(request: HttpRequest, person: User) -> HttpResponse:
    path = services.hand_out_link(person, by=cast(User, request.user))
    page = reverse("installation_password_link", args=[person.public_id])
    return handed_out.keep(request, path, page=page)


def _needs(condition: Condition, person: User) -> Iterator[Need]:
    for finding in (*condition.findings, *status.notes(condition)):
        need = _need(finding)
        if finding.subject is status.MAIL and person.has_perm(VIEW_PEOPLE):
            need = replace(need, address=reverse("installation_people"), button=_("People"))
        yield need


def _need(finding: Finding) -> Need:
    subject, is_fine = finding.subject, finding.level is Level.FINE
    return Need(
        COLOURS[finding.level],
        "done" if is_fine else subject.icon,
        finding.text,
        "",
        gettext_lazy("What to do"),
        why=finding.advice,
        address="" if is_fine or not subject.topic else reverse("help_page", args=[subject.topic]),
    )


def _people(request: HttpRequest, rows: Iterable[User]) -> dict[str, Any]:
    may_change = _person_admin().has_change_permission
    return {
        "people": [
            (person, may_change(request, person.user))
            for person in selectors.with_projects(list(rows))
        ],
        "simulated": User.objects.filter(is_simulated=True, erased_at=None).count(),
        "projects_of_simulated": selectors.projects_of_simulated(),
    }


def _projects() -> "QuerySet[Project]":
    return Project.objects.order_by("-created_at", "-pk")


def _project_rows(reader: User, rows: Iterable[Project]) -> dict[str, Any]:
    """Return rows, and the projects of these that the reader may open."""
    memberships = Membership.objects.filter(user=reader).exclude(role=Role.REMOVED)
    return {
        "projects": selectors.with_figures(list(rows)),
        "own": set(memberships.values_list("project", flat=True)),
    }


def page_of(request: HttpRequest, rows: "QuerySet[Any]") -> "Page[Any]":
    return Paginator(rows, ROWS).get_page(request.GET.get("page"))


def links_of(page: "Page[Any]", **filters: str) -> Links:
    def address(number: int) -> str:
        return f"?{urlencode({**filters, 'page': str(number)})}"

    return Links(
        first="",
        before=address(page.previous_page_number()) if page.has_previous() else "",
        after=address(page.next_page_number()) if page.has_next() else "",
        filters="",
    )


def _person_admin() -> PersonAdmin:
    return cast(PersonAdmin, admin.site.get_model_admin(User))
