"""Interventions in the work of people: each page asks for a reason, or shows its plan, first."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access import gates
from annotation.access.gates import Request
from annotation.errors import Refused
from annotation.models import Intervention, Membership
from annotation.people.selectors import annotator
from annotation.people.services import same_person as accounts_of_one
from annotation.people.views.person import find
from annotation.projects.forms.filters import chosen_ids
from annotation.projects.views import table_page
from annotation.quality.forms import OtherForm, ReissueForm, RulesForm, SearchForm, StepForm
from annotation.quality.selectors import interventions as standing
from annotation.quality.selectors import reserved
from annotation.quality.services import interventions
from annotation.quality.services import reissue as service
from annotation.quality.services.reissue import Plan

BAD_REQUEST, CONFLICT, UNPROCESSABLE = 400, 409, 422

SEPARATED = _("Account unlinked. It counts as a separate person again.")
STILL_LINKED = _("Your project no longer links the account. Another project still does.")
# The others have effects that differ from person to person: they have a page for each.
FOR_MANY = ("warn", "pause", "resume")
# By whether the project translates.
LINKED = {
    False: _("Both accounts now count as one person and never get the same pair."),
    True: _("Both accounts now count as one person: neither validates what the other translated."),
}


@dataclass(frozen=True, slots=True)
class Step:
    """An intervention: its title, its button text and the message after it succeeds."""

    act: Callable[..., Intervention]
    title: str | Promise
    button: str | Promise
    done: str | Promise


STEPS = {
    "warn": Step(
        interventions.warn,
        _("Send a message"),
        _("Send"),
        _("Message sent. It is shown next to their work."),
    ),
    "pause": Step(interventions.pause, _("Pause"), _("Pause"), _("Paused. They get no more work.")),
    "resume": Step(
        interventions.resume, _("Resume"), _("Resume"), _("Resumed. They get work again.")
    ),
    "exclude": Step(
        interventions.exclude,
        _("Exclude their answers"),
        _("Exclude the answers"),
        _("Answers excluded and reassigned to other annotators."),
    ),
    "reinstate": Step(
        interventions.reinstate,
        _("Include their answers again"),
        _("Include the answers"),
        _("Answers included again."),
    ),
}


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def intervene(
    request: Request, project_id: uuid.UUID, user_id: uuid.UUID, step: str
) -> HttpResponse:
    """Show the confirmation page of an intervention; a POST with a reason applies it."""
    member, person = _manager_and_other(request, project_id, user_id)
    if step not in STEPS:
        raise Http404
    form = StepForm(request.POST if request.method == "POST" else None, label_suffix="")
    if form.is_valid() and _take_step(request, person, STEPS[step], form):
        return redirect("person", project_id, user_id)
    context = table_page.frame(member) | {
        "person": person,
        "step": STEPS[step],
        "name": step,
        "touched": annotator.touched_answers(person),
        "flags": standing.of_member(person).flags,
        "form": form,
    }
    status = UNPROCESSABLE if form.is_bound else 200
    return render(request, "annotation/study/intervene.html", context, status=status)


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def same_person(request: Request, project_id: uuid.UUID, user_id: uuid.UUID) -> HttpResponse:
    """Search for another account among the members; a POST links both to one person."""
    member, person = _manager_and_other(request, project_id, user_id)
    if request.method == "POST":
        return _link_accounts(request, member, person)
    form = SearchForm(request.GET, label_suffix="")
    words = form.cleaned_data["q"].strip() if form.is_valid() else ""
    context = table_page.frame(member) | {
        "person": person,
        "form": form,
        "words": words,
        "found": annotator.search(person, words) if words else [],
        "one": annotator.other_accounts(person),
    }
    return render(request, "annotation/study/same_person.html", context)


@gates.signed_in
@require_http_methods(["POST"])
def separate(request: Request, project_id: uuid.UUID, user_id: uuid.UUID) -> HttpResponse:
    member, person = _manager_and_other(request, project_id, user_id)
    with table_page.refusal_shown(request, level=messages.WARNING):
        is_alone = accounts_of_one.separate(person.user, project=member.project, by=request.user)
        messages.success(request, SEPARATED if is_alone else STILL_LINKED)
    return redirect("person_actions", project_id, user_id)


def _manager_and_other(
    request: Request, project_id: uuid.UUID, user_id: uuid.UUID
) -> tuple[Membership, Membership]:
    """Return the manager and the other member concerned. Raises Http404."""
    member = gates.manager(request, project_id)
    person = find(member, user_id)
    if person.pk == member.pk:
        raise Http404
    return member, person


def _take_step(request: Request, person: Membership, step: Step, form: StepForm) -> bool:
    """Apply the step and return whether it succeeded; errors go to the form."""
    with table_page.refusal_in(form):
        step.act(person, by=request.user, reason=form.cleaned_data["reason"])
        messages.success(request, str(step.done))
    return form.is_valid()


def _link_accounts(request: Request, member: Membership, person: Membership) -> HttpResponse:
    form = table_page.valid_or_404(OtherForm(request.POST))
    other = find(member, form.cleaned_data["other"])
    if other.pk == person.pk:
        raise Http404
    shared = accounts_of_one.mark(person.user, other.user, project=member.project, by=request.user)
    messages.success(request, LINKED[member.project.translates])
    pairs_here = sum(pair.project_id == member.project_id for pair in shared)
    if pairs_here:
        text = ngettext(
            "Both have already answered %(pairs)s pair. Exclude the answers of one account if "
            "they should not count twice.",
            "Both have already answered %(pairs)s pairs. Exclude the answers of one account if "
            "they should not count twice.",
            pairs_here,
        )
        messages.warning(request, text % {"pairs": pairs_here})
    return redirect("person_actions", member.project.public_id, person.user.public_id)


@gates.signed_in
@require_POST
def intervene_many(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Ask for the reason, then apply the step to everyone who was chosen."""
    member = gates.manager(request, project_id)
    people = _people(member, chosen_ids(request.POST))
    if not people:
        messages.warning(request, _now("Select at least one person."))
        return redirect("people", project_id)
    name = request.POST.get("step", "")
    if name not in FOR_MANY:
        raise Http404
    form = StepForm(request.POST if "confirmed" in request.POST else None, label_suffix="")
    if form.is_valid():
        _apply_to_all(request, people, STEPS[name], form.cleaned_data["reason"])
        return redirect("people", project_id)
    context = table_page.frame(member) | {
        "people": people,
        "step": STEPS[name],
        "name": name,
        "form": form,
    }
    status = UNPROCESSABLE if form.is_bound else 200
    return render(request, "annotation/study/intervene_many.html", context, status=status)


def _people(member: Membership, ids: list[uuid.UUID]) -> list[Membership]:
    """Return those of the project, without the manager who asks."""
    others = member.project.memberships.exclude(pk=member.pk).select_related("user", "project")
    return list(others.filter(user__public_id__in=ids).order_by("user__username"))


def _apply_to_all(request: Request, people: list[Membership], step: Step, reason: str) -> None:
    done = 0
    for person in people:
        try:
            step.act(person, by=request.user, reason=reason)
            done += 1
        except Refused as refused:
            messages.warning(request, f"{person.user}: {refused}")
    text = ngettext("%(step)s: %(people)s person.", "%(step)s: %(people)s people.", done)
    if done:
        messages.success(request, text % {"step": step.title, "people": done})


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def reissue(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the plan for the thresholds in the address; a POST with a confirmation carries it out.

    The thresholds stay in the address. The plan is shown again if other people are low or best by
    then.
    """
    member = gates.manager(request, project_id)
    rules = RulesForm.bound(request.GET)
    if not rules.is_valid():
        return _render_reissue(request, member, {"rules": rules}, status=BAD_REQUEST)
    plan = service.plan(member.project, **rules.cleaned_data)
    context: dict[str, Any] = {"rules": rules, "plan": plan}
    if request.method != "POST":
        initial = {"reason": service.usual_reason()}
        form = ReissueForm(initial=initial, label_suffix="")
        return _render_reissue(request, member, context | {"form": form})
    form = ReissueForm(request.POST, label_suffix="")
    if form.is_valid() and _carry_out(request, plan, form):
        return redirect("reissue", project_id)
    return _render_reissue(request, member, context | {"form": form}, status=CONFLICT)


@gates.signed_in
@require_POST
def release_reserved(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Open reserved slots to everybody: `every` one, or those that none of the best can get."""
    member = gates.manager(request, project_id)
    released = service.release(member.project, by=request.user, every="every" in request.POST)
    text = ngettext(
        "%(n)s answer can now be given by anyone.",
        "%(n)s answers can now be given by anyone.",
        released,
    )
    messages.success(request, text % {"n": released})
    return redirect("reissue", project_id)


def _carry_out(request: Request, plan: Plan, form: ReissueForm) -> bool:
    """Return whether it was; errors go to the form."""
    values = form.cleaned_data
    with table_page.refusal_in(form):
        if values["digest"] != plan.digest:
            raise service.Changed
        answers = service.carry_out(
            plan, request.user, reason=values["reason"], anybody=values["anybody"]
        )
        text = ngettext(
            "%(n)s answer was excluded and reassigned.",
            "%(n)s answers were excluded and reassigned.",
            answers,
        )
        messages.success(request, text % {"n": answers})
    return form.is_valid()


def _render_reissue(
    request: Request, member: Membership, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    frame = table_page.frame(member) | {"waiting": reserved.waiting(member.project)}
    return render(request, "annotation/study/reissue.html", frame | context, status=status)
