"""Manager pages for one member of a project: role, work, access and the qualification test."""

import uuid

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import handed_out
from annotation.access import gates
from annotation.access.gates import UNPROCESSABLE, Request
from annotation.errors import Refused
from annotation.models import Membership, Role, Slot
from annotation.people.forms import PlaceForm
from annotation.people.services import members as services
from annotation.people.views.person import context_of
from annotation.projects.views import table_page
from annotation.quality.selectors import qualification as attempts
from annotation.quality.services import qualification


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def person_place(request: Request, project_id: uuid.UUID, person_id: uuid.UUID) -> HttpResponse:
    """Show one member; a POST changes their role and permissions."""
    member = _member_or_404(request, project_id, person_id)
    handed_out.forget(request)
    despite = member.role != Role.ANNOTATOR and bool(member.kinds)
    role = Role.ANNOTATOR if member.role == Role.REMOVED else member.role
    initial = {"role": role, "kinds": member.kinds, "despite_votes": despite}
    form = PlaceForm(request.POST or None, initial=initial, project=member.project)
    if request.method != "POST" or not form.is_valid():
        return _person_page(request, member, form)
    try:
        services.change(member, **form.cleaned_data, by=request.user)
    except Refused as refused:
        form.add_error("role", str(refused))
        return _person_page(request, member, form)
    messages.success(request, _("Saved."))
    if form.withholds:
        messages.info(request, _("They get no work, because they can see votes."))
    stepped_down = member.user_id == request.user.pk and member.role != Role.MANAGER
    return redirect("home") if stepped_down else redirect("person_place", project_id, person_id)


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def remove_member(request: Request, project_id: uuid.UUID, person_id: uuid.UUID) -> HttpResponse:
    """Ask before a member is removed; a POST removes them."""
    member = _member_or_404(request, project_id, person_id)
    refusal = ""
    if request.method == "POST":
        try:
            services.remove(member, by=request.user)
        except Refused as refused:
            refusal = str(refused)
        else:
            messages.success(request, _("Member removed. Their answers are kept."))
            is_self = member.user_id == request.user.pk
            return redirect("home") if is_self else redirect("people", project_id)
    slots = Slot.objects.of_member(member)
    context = {
        "project": member.project,
        "manages": True,
        "place": member,
        "refusal": refusal,
        "answers": slots.answered().count(),
        "in_progress": slots.in_progress().count(),
    }
    status = UNPROCESSABLE if refusal else 200
    return render(request, "annotation/setup/remove_member.html", context, status=status)


@gates.signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def password_link(request: Request, project_id: uuid.UUID, person_id: uuid.UUID) -> HttpResponse:
    """Create a link for a new password, or show the one that this session keeps."""
    member = _member_or_404(request, project_id, person_id)
    if request.method == "POST":
        with table_page.refusal_shown(request, level=messages.WARNING):
            return handed_out.keep(request, services.new_password_link(member, by=request.user))
    if not (kept := handed_out.kept(request)):
        return redirect("person_place", project_id, person_id)
    context = {
        "project": member.project,
        "manages": True,
        "person": member.user,
        "back": reverse("person_place", args=[project_id, person_id]),
        "link": request.build_absolute_uri(kept[0]),
        "days": settings.PASSWORD_RESET_TIMEOUT // 86400,
    }
    return render(request, "accounts/password_link.html", context)


@gates.signed_in
@require_POST
def grant_attempt(request: Request, project_id: uuid.UUID, person_id: uuid.UUID) -> HttpResponse:
    member = _member_or_404(request, project_id, person_id)
    with table_page.refusal_shown(request, level=messages.WARNING):
        qualification.grant_attempt(member, by=request.user)
        messages.success(request, _("Extra attempt granted."))
    return redirect("person_place", project_id, person_id)


@gates.signed_in
@require_POST
def let_pass(request: Request, project_id: uuid.UUID, person_id: uuid.UUID) -> HttpResponse:
    """Admit a member regardless of their qualification result."""
    member = _member_or_404(request, project_id, person_id)
    qualification.let_pass(member, by=request.user)
    messages.success(request, _("Annotator approved."))
    return redirect("person_place", project_id, person_id)


def _member_or_404(request: Request, project_id: uuid.UUID, person_id: uuid.UUID) -> Membership:
    """Return a membership of a project that the requester manages. Raises Http404."""
    project = gates.manager(request, project_id).project
    places = project.memberships.select_related("user", "project", "invitation")
    return get_object_or_404(places, user__public_id=person_id)


def _person_page(request: Request, member: Membership, form: PlaceForm) -> HttpResponse:
    tries = list(member.attempts.all())
    context = context_of(request.member, member) | {
        "form": form,
        "attempts": tries,
        "left": attempts.attempts_left(member),
        "has_failed": any(attempt.passed is False for attempt in tries),
    }
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "annotation/study/person_place.html", context, status=status)
