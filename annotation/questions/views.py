"""Questions about annotators: their list with totals, one of them, and the page to answer them."""

import uuid
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import gates
from annotation.access.gates import UNPROCESSABLE, Request
from annotation.errors import Refused
from annotation.models import AnnotatorQuestion, Membership
from annotation.people.services import members
from annotation.projects.views import table_page
from annotation.questions import ready, selectors, services
from annotation.questions.forms import RATHER_NOT, QuestionForm, ReadyForm, ReplyForm
from annotation.questions.selectors import Totals


@dataclass(frozen=True, slots=True)
class Line:
    """A question in the list, with the choices that enough people made, most frequent first."""

    totals: Totals
    texts: ready.Texts
    numbers: list[tuple[str, int]]

    @property
    def question(self) -> AnnotatorQuestion:
        return self.totals.question


@gates.signed_in
@require_safe
def questions(request: Request, project_id: uuid.UUID) -> HttpResponse:
    return _list_page(request, gates.reader(request, project_id))


@gates.signed_in
@require_POST
def add_questions(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Add the ready-made questions that were picked."""
    member = gates.manager(request, project_id)
    form = _ready_form(member, request.POST)
    if form.is_valid():
        with table_page.refusal_in(form, "ready"):
            services.add_ready(member.project, form.cleaned_data["ready"], by=request.user)
            messages.success(request, _("Questions added."))
            return redirect("questions", project_id)
    return _list_page(request, member, ready_form=form)


@gates.signed_in
@require_POST
def add_question(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Add a question of the study's own."""
    member = gates.manager(request, project_id)
    form = QuestionForm(request.POST)
    if form.is_valid():
        with table_page.refusal_in(form):
            services.add(member.project, **form.cleaned_data, by=request.user)
            messages.success(request, _("Question added."))
            return redirect("questions", project_id)
    return _list_page(request, member, form=form)


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def question(request: Request, project_id: uuid.UUID, question_id: uuid.UUID) -> HttpResponse:
    """Show a question to change it; a POST saves, removes or retires it."""
    member = gates.manager(request, project_id)
    stored = get_object_or_404(AnnotatorQuestion, project=member.project, public_id=question_id)
    if request.method != "POST":
        return _question_page(request, member, stored, QuestionForm.showing(stored))
    form = QuestionForm(request.POST)
    try:
        if "retire" in request.POST:
            services.retire(stored, by=request.user)
            messages.success(request, _("Question retired. Nobody is asked it any more."))
        elif "remove" in request.POST:
            services.remove(stored, by=request.user)
            messages.success(request, _("Question removed."))
        elif form.is_valid():
            services.change(stored, **form.cleaned_data, by=request.user)
            messages.success(request, _("Question saved."))
        else:
            return _question_page(request, member, stored, form)
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("question", project_id, question_id)
    return redirect("questions", project_id)


@gates.signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def about_me(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Ask what the person has not answered yet, or show all their replies; a POST stores them."""
    member = gates.member(request, project_id)
    asked = selectors.to_answer(member)
    is_step = bool(asked)
    if not (questions := asked or selectors.to_change(member)):
        raise Http404
    if not member.has_consented:
        return redirect("welcome", project_id)
    if request.method != "POST":
        form = ReplyForm(
            questions=questions,
            replies=selectors.replies_of(member),
            initial={
                "version": selectors.version_of(questions),
                "publishes": bool(member.publishes),
            },
        )
        return _reply_page(request, member, form, is_step=is_step)
    form = ReplyForm(request.POST, questions=questions, replies={})
    if not form.is_valid():
        return _reply_page(request, member, form, is_step=is_step)
    try:
        services.reply(
            member,
            form.replies,
            publishes=form.cleaned_data["publishes"],
            version=form.cleaned_data["version"],
        )
    except Refused as refused:
        messages.warning(request, str(refused))
        return redirect("about_me", project_id)
    if is_step:
        members.leave_first_page(member)
        return redirect("welcome", project_id)
    messages.success(request, _("Saved."))
    return redirect("me", project_id)


def _ready_form(member: Membership, data: Any = None) -> ReadyForm:
    taken = {question.ready for question in selectors.active(member.project)}
    return ReadyForm(data, offered=[key for key in ready.READY if key not in taken])


def _list_page(
    request: Request,
    member: Membership,
    *,
    form: QuestionForm | None = None,
    ready_form: ReadyForm | None = None,
) -> HttpResponse:
    """Show the list, with a form that was sent and refused, or with empty forms."""
    context = table_page.frame(member) | {
        "lines": [_line(totals) for totals in selectors.totals(member.project)],
        "least": member.project.least_in_group,
        "form": form or QuestionForm(),
        "ready_form": ready_form or _ready_form(member),
    }
    status = UNPROCESSABLE if form or ready_form else 200
    return render(request, "annotation/setup/questions.html", context, status=status)


def _line(totals: Totals) -> Line:
    texts = ready.shown(totals.question)
    names = {None: str(RATHER_NOT)} | dict(enumerate(texts.choices))
    numbers = [(names[place], number) for place, number in totals.numbers.items()]
    return Line(totals, texts, sorted(numbers, key=lambda row: (-row[1], row[0])))


def _question_page(
    request: Request, member: Membership, stored: AnnotatorQuestion, form: QuestionForm
) -> HttpResponse:
    context = table_page.frame(member) | {
        "form": form,
        "question": stored,
        "texts": ready.shown(stored),
        "has_replies": selectors.has_reply(stored),
    }
    status = UNPROCESSABLE if form.is_bound else 200
    return render(request, "annotation/setup/question.html", context, status=status)


def _reply_page(
    request: Request, member: Membership, form: ReplyForm, *, is_step: bool
) -> HttpResponse:
    context = {
        "project": member.project,
        "least": member.project.least_in_group,
        "form": form,
        "is_step": is_step,
    }
    status = UNPROCESSABLE if form.is_bound else 200
    return render(request, "annotation/entrance/about_me.html", context, status=status)
