"""The pages of a translation study: figures, sentences, validation and delivery, and fragments.

The fragments help translators while they write: warnings, and their earlier translations.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from annotation.access import gates
from annotation.access.gates import Request
from annotation.errors import Refused
from annotation.models import Project, Translation, TranslationPlan
from annotation.pairs import differences
from annotation.pairs.rows import Row
from annotation.people.selectors.names import Naming
from annotation.people.views.person import find
from annotation.projects.forms.filters import PageForm
from annotation.projects.selectors import over_time
from annotation.projects.views import table_page
from annotation.translations.forms import PlanForm
from annotation.translations.kinds import REASONS
from annotation.translations.selectors import figures, for_translators, readiness
from annotation.translations.selectors.figures import Translator, Validator
from annotation.translations.services import delivery, plans, studies, validation
from annotation.work import queue
from annotation.work.forms import TextForm, WordsForm
from common import keyset

# More equal translations, or untranslatable sentences, than a manager reads.
MOST_LISTED = 500
PAGE = 50
SENTENCES = [f"item{side}__sentence{place}" for side in (1, 2) for place in (1, 2)]
NOT_YOURS = gettext_lazy(
    "This sentence is no longer assigned to you, so the text can’t be saved. Copy it if you need "
    "it."
)
CONFLICT, UNPROCESSABLE = 409, 422


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
    study_figures = figures.of_study(figures.read(member.project))
    naming, users = frame["naming"], _users(study_figures)
    course = over_time.of_answers(member.project, Translation.KIND)
    context: dict[str, Any] = frame | {
        "found": study_figures,
        "plan": study_figures.plan,
        "progress": study_figures.progress,
        "translators": _lines(study_figures.translators, naming, users),
        "validators": _lines(study_figures.validators, naming, users),
        "held": readiness.items_in_progress(member.project),
        "pace": over_time.pace_of(member.project, course) if course else None,
        "missing": readiness.obstacles(study_figures, lambda key: naming.name(users[key])),
        "lacking": sum(
            person.too_few and not person.waiting for person in study_figures.translators
        ),
    }
    return render(request, "annotation/translations/translations.html", context)


@gates.signed_in
@require_safe
def source_pairs(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """List the pairs whose sentences are translated, in the order of their release."""
    member, form = gates.reader(request, project_id), PageForm(request.GET)
    context, template = table_page.frame(member), "annotation/translations/source_pairs.html"
    if not form.is_valid():
        return table_page.refuse(request, template, context | {"form": form})
    pairs = member.project.translated_pairs
    page = keyset.page(
        pairs.select_related(*SENTENCES),
        columns=["pk"],
        size=PAGE,
        **form.page_keys(1),
    )
    languages = [member.project.translation_plan.source_language] * 2
    context |= {
        "number": pairs.count(),
        "links": table_page.links(request.GET, page),
        "pair_rows": [
            Row(
                None,
                differences.pieces(pair.item1.texts[0], pair.item2.texts[0]),
                languages,
            )
            for pair in page.rows
        ],
    }
    return render(request, template, context)


@gates.signed_in
@require_safe
def untranslatable(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """List the sentences that two people gave up, with both reasons."""
    member = gates.reader(request, project_id)
    results = readiness.untranslatable_sentences(figures.read(member.project))
    keys = {opinion.translator for result in results for opinion in result.opinions}
    context = table_page.frame(member) | {
        "plan": member.project.translation_plan,
        "number": len(results),
        "lines": results[:MOST_LISTED],
        "reasons": REASONS,
        "users": User.objects.in_bulk(keys),
    }
    return render(request, "annotation/translations/untranslatable.html", context)


@gates.signed_in
@require_safe
def collapsed(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """List the pairs whose two translations are equal, with their labels: for managers only."""
    member = gates.manager(request, project_id)
    pairs = readiness.equal_translations(member.project, figures.read(member.project))
    context = table_page.frame(member) | {
        "plan": member.project.translation_plan,
        "number": len(pairs),
        "different": sum(pair.label == 0 for pair in pairs),
        "lines": pairs[:MOST_LISTED],
    }
    return render(request, "annotation/translations/collapsed.html", context)


@gates.signed_in
@require_POST
def top_up(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Put up as many translations of each person as the settings ask for."""
    project = gates.manager(request, project_id).project
    with table_page.refusal_shown(request):
        _tell_put_up(request, validation.top_up(project, by=request.user))
    return redirect("translations", project_id)


@gates.signed_in
@require_POST
def widen(request: Request, project_id: uuid.UUID, user_id: uuid.UUID) -> HttpResponse:
    """Put up all translations of a person, now and from now on."""
    member = gates.manager(request, project_id)
    translator = find(member, user_id).user
    with table_page.refusal_shown(request):
        _tell_put_up(request, validation.widen(member.project, translator, by=request.user))
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
    study_figures = figures.of_study(figures.read(member.project))
    users = _users(study_figures)
    context = table_page.frame(member) | {
        "plan": plan,
        "found": study_figures,
        "missing": reasons
        or readiness.obstacles(study_figures, lambda key: users[key].get_username()),
    }
    status = UNPROCESSABLE if reasons else 200
    return render(request, "annotation/translations/deliver.html", context, status=status)


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def change_plan(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Change how translations are validated: a page of the settings."""
    member = gates.manager(request, project_id)
    plan = TranslationPlan.objects.get(project=member.project)
    form = PlanForm(request.POST if request.method == "POST" else None, instance=plan)
    if form.is_valid() and _is_changed(request, member.project, form):
        return redirect("change_plan", project_id)
    context = table_page.frame(member) | {"form": form}
    status = UNPROCESSABLE if form.is_bound else 200
    return render(request, "annotation/translations/settings.html", context, status=status)


@gates.signed_in
@never_cache
@require_POST
def checks(request: Request, project_id: uuid.UUID, kind: str) -> HttpResponse:
    """Show warnings about a text, as a fragment, to the person who has the item in progress.

    They have it longer, as they are at work. Others, who may have had it, learn that they do not
    have it. Raises Http404 for people who do no such work.
    """
    duty = gates.duty(request, project_id, kind)
    form = TextForm(request.POST)
    if kind not in studies.KINDS or not form.is_valid():
        raise Http404
    slot = queue.renewed_slot(duty)
    if slot is None or slot.item.public_id != form.cleaned_data["item"]:
        return _warn(request, [NOT_YOURS], status=CONFLICT)
    texts = for_translators.warnings(duty.membership.project, slot.item, form.cleaned_data["text"])
    return _warn(request, texts)


def _warn(request: Request, texts: Sequence[str | Promise], *, status: int = 200) -> HttpResponse:
    part = "annotation/translations/parts/warnings.html"
    return render(request, part, {"warnings": texts}, status=status)


@gates.signed_in
@never_cache
@require_safe
def earlier(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the person's own translations that contain the words; all of them without words."""
    duty = gates.duty(request, project_id, Translation.KIND)
    form = WordsForm(request.GET)
    words = form.cleaned_data["words"] if form.is_valid() else ""
    project = duty.membership.project
    context = {
        "project": project,
        "plan": project.translation_plan,
        "words": words,
        "found": for_translators.earlier_translations(duty, words),
        "most": for_translators.MOST_FOUND,
    }
    part = "parts/earlier.html" if request.htmx else "earlier.html"
    return render(request, f"annotation/translations/{part}", context)


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


def _users(study_figures: figures.Figures) -> dict[int, User]:
    keys = {person.user for person in study_figures.translators}
    keys |= {person.user for person in study_figures.validators}
    return User.objects.in_bulk(keys)


def _lines(
    people: Sequence[Translator] | Sequence[Validator],
    naming: Naming,
    users: dict[int, User],
) -> list[Line]:
    lines = [Line(users[person.user], naming.name(users[person.user]), person) for person in people]
    return sorted(lines, key=lambda line: naming.order(line.user))
