"""The pages of a translation study: its figures, its sentences, validation and delivery."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from annotation.access import gates
from annotation.access.gates import Request
from annotation.errors import Refused
from annotation.models import Project, Translation, TranslationPlan
from annotation.people.selectors.names import Naming
from annotation.people.views.annotators import find
from annotation.projects.selectors import over_time
from annotation.projects.views import table_page
from annotation.translations.forms import PlanForm
from annotation.translations.selectors import figures, lists, readiness
from annotation.translations.selectors.figures import Translator, Validator
from annotation.translations.services import delivery, plans, validation
from annotation.work.translate import REASONS

# More equal translations, or untranslatable sentences, than a manager reads.
MOST_LISTED = 500
UNPROCESSABLE = 422


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the table of translators or of validators."""

    user: User
    name: str
    of: Translator | Validator


@gates.signed_in
@require_safe
def translations(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show progress, translators, validators, and what is missing for delivery."""
    member = gates.reader(request, project_id)
    frame = table_page.frame(member)
    found = figures.of_study(figures.read(member.project))
    naming, users = frame["naming"], _users(found)
    course = over_time.of_answers(member.project, Translation.KIND)
    context: dict[str, Any] = frame | {
        "found": found,
        "plan": found.plan,
        "progress": found.progress,
        "translators": _lines(found.translators, naming, users),
        "validators": _lines(found.validators, naming, users),
        "held": lists.in_progress(member.project),
        "pace": over_time.pace_of(member.project, course) if course else None,
        "missing": readiness.missing(found, lambda key: naming.name(users[key])),
        "lacking": sum(each.too_few and not each.waiting for each in found.translators),
    }
    return render(request, "annotation/translations/translations.html", context)


@gates.signed_in
@require_safe
def untranslatable(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """List the sentences that two people gave up, with both reasons."""
    member = gates.reader(request, project_id)
    found = lists.untranslatable(figures.read(member.project))
    keys = {opinion.translator for each in found for opinion in each.opinions}
    context = table_page.frame(member) | {
        "plan": member.project.translation_plan,
        "number": len(found),
        "lines": found[:MOST_LISTED],
        "reasons": REASONS,
        "users": User.objects.in_bulk(keys),
    }
    return render(request, "annotation/translations/untranslatable.html", context)


@gates.signed_in
@require_safe
def collapsed(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """List the pairs whose two translations are equal, with their labels: for managers only."""
    member = gates.manager(request, project_id)
    found = lists.collapsed(member.project, figures.read(member.project))
    context = table_page.frame(member) | {
        "plan": member.project.translation_plan,
        "number": len(found),
        "different": sum(each.label == 0 for each in found),
        "lines": found[:MOST_LISTED],
    }
    return render(request, "annotation/translations/collapsed.html", context)


@gates.signed_in
@require_POST
def top_up(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Put up as many translations of each person as the settings ask for."""
    project = gates.manager(request, project_id).project
    try:
        _tell_put_up(request, validation.top_up(project, by=request.user))
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("translations", project_id)


@gates.signed_in
@require_POST
def widen(request: Request, project_id: uuid.UUID, user_id: uuid.UUID) -> HttpResponse:
    """Put up all translations of a person, now and from now on."""
    member = gates.manager(request, project_id)
    translator = find(member, user_id).user
    try:
        _tell_put_up(request, validation.widen(member.project, translator, by=request.user))
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("translations", project_id)


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def deliver(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Say what delivery does, or what is missing; a POST delivers."""
    member = gates.manager(request, project_id)
    plan = member.project.translation_plan
    if plan.delivered_at is not None:
        return redirect("translations", project_id)
    reasons: list[str] = []
    if request.method == "POST":
        try:
            corpus = delivery.deliver(member.project, by=request.user)
        except delivery.NotReady as error:
            reasons = list(error.reasons)
        else:
            text = _("The translations are delivered as the corpus “%(corpus)s”.")
            messages.success(request, text % {"corpus": corpus.name})
            return redirect("translations", project_id)
    found = figures.of_study(figures.read(member.project))
    users = _users(found)
    context = table_page.frame(member) | {
        "plan": plan,
        "found": found,
        "missing": reasons or readiness.missing(found, lambda key: users[key].get_username()),
    }
    status = UNPROCESSABLE if reasons else 200
    return render(request, "annotation/translations/deliver.html", context, status=status)


@gates.signed_in
@require_POST
def change_plan(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Change how translations are validated; the form is on the page of the settings."""
    member = gates.manager(request, project_id)
    plan = TranslationPlan.objects.get(project=member.project)
    form = PlanForm(request.POST, instance=plan)
    if form.is_valid() and _is_changed(request, member.project, form):
        return redirect("project_settings", project_id)
    context = table_page.frame(member) | {"plan_form": form}
    template = "annotation/translations/settings.html"
    return render(request, template, context, status=UNPROCESSABLE)


def _is_changed(request: Request, project: Project, form: PlanForm) -> bool:
    """Store the settings; return False, with the reason in the form, if they are refused."""
    try:
        changed = plans.change(project, form.cleaned_data, by=request.user)
    except (Refused, ValidationError) as error:
        form.add_error(None, error if isinstance(error, ValidationError) else str(error))
        return False
    messages.success(request, _("Saved.") if changed else _("No changes to save."))
    return True


def _tell_put_up(request: Request, number: int) -> None:
    text = ngettext(
        "%(n)s translation was added to validation.",
        "%(n)s translations were added to validation.",
        number,
    )
    if number:
        messages.success(request, text % {"n": number})
    else:
        messages.info(request, _("No translation was added: enough are being validated."))


def _users(found: figures.Figures) -> dict[int, User]:
    keys = {each.user for each in found.translators} | {each.user for each in found.validators}
    return User.objects.in_bulk(keys)


def _lines(
    people: Sequence[Translator] | Sequence[Validator],
    naming: Naming,
    users: dict[int, User],
) -> list[Line]:
    lines = [Line(users[each.user], naming.name(users[each.user]), each) for each in people]
    return sorted(lines, key=lambda line: naming.order(line.user))
