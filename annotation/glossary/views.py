"""The glossary of a translation study: a list for its members, and changes by its managers."""

import uuid
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.glossary import selectors, services
from annotation.glossary.lines import lines
from annotation.models import Membership, Term, TranslationPlan
from annotation.models.people import Role
from annotation.projects.views import table_page
from common.bodies import REST_OF_FORM, takes_up_to

LONGEST = Term._meta.get_field("source").max_length
MOST_BYTES = 2_000_000
MOST_SEARCHED = 100
OK, UNPROCESSABLE = 200, 422


class TermForm(forms.Form):
    """A term with its translation."""

    source = forms.CharField(label=gettext_lazy("Term"), max_length=LONGEST)
    target = forms.CharField(label=gettext_lazy("Translation"), max_length=LONGEST)
    note = forms.CharField(label=gettext_lazy("Note"), max_length=LONGEST, required=False)

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, label_suffix="", **options)
        for field in self.fields.values():
            field.widget.attrs |= {"dir": "auto", "autocomplete": "off"}

    @classmethod
    def showing(cls, term: Term) -> "TermForm":
        values = {"source": term.source, "target": term.target, "note": term.note}
        return cls(initial=values)


class SearchForm(forms.Form):
    """Words that the terms contain."""

    words = forms.CharField(label=gettext_lazy("Words"), max_length=MOST_SEARCHED, required=False)


class UploadForm(forms.Form):
    """A file of terms."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy("CSV or TSV: the term, its translation and, optionally, a note."),
        error_messages={
            "required": gettext_lazy("Choose a file."),
            "empty": gettext_lazy("The file is empty."),
        },
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,text/csv,text/plain"}),
    )

    def clean_file(self) -> bytes:
        file = self.cleaned_data["file"]
        if file.size > MOST_BYTES:
            raise forms.ValidationError(gettext_lazy("The file is larger than 2 MB. Split it."))
        return bytes(file.read())


@gates.signed_in
@never_cache
@require_safe
def glossary(request: Request, project_id: uuid.UUID) -> HttpResponse:
    return _page(request, _member(request, project_id))


@gates.signed_in
@require_POST
def propose_term(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Store a proposal, or a term if a manager sends it; the work page gets a fragment."""
    member = _member(request, project_id)
    form = TermForm(request.POST)
    if form.is_valid() and (notice := _store(request, member, form)):
        if request.htmx:
            context = {"project": member.project, "said": notice}
            return render(request, "annotation/glossary/parts/propose.html", context)
        messages.success(request, notice)
        return redirect("glossary", project_id)
    if request.htmx:
        context = {"project": member.project, "form": form}
        template = "annotation/glossary/parts/propose.html"
        return render(request, template, context, status=UNPROCESSABLE)
    return _page(request, member, form=form, status=UNPROCESSABLE)


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def term(request: Request, project_id: uuid.UUID, term_id: uuid.UUID) -> HttpResponse:
    """Show a term to change it; a POST saves, approves or removes it."""
    member = _require_translation_plan(gates.manager(request, project_id))
    stored_term = get_object_or_404(Term, project=member.project, public_id=term_id)
    if request.method != "POST":
        return _term_page(request, member, stored_term, TermForm.showing(stored_term))
    if "remove" in request.POST:
        services.remove(stored_term, by=request.user)
        messages.success(request, _("Term removed."))
    elif "approve" in request.POST:
        services.approve(stored_term, by=request.user)
        messages.success(request, _("Term approved. Translators see it from now on."))
    else:
        form = TermForm(request.POST)
        if not form.is_valid() or not _change(stored_term, form, request):
            return _term_page(request, member, stored_term, form, status=UNPROCESSABLE)
        messages.success(request, _("Term saved."))
    return redirect("glossary", project_id)


@takes_up_to(MOST_BYTES + REST_OF_FORM, gate=gates.manager_sends)
@gates.signed_in
@require_POST
def upload_terms(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Add the terms of a file, and show what became of each line."""
    member = _require_translation_plan(gates.manager(request, project_id))
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, member, upload=form, status=UNPROCESSABLE)
    with table_page.refusal_in(form, "file"):
        file = lines(form.cleaned_data["file"])
        outcomes = services.upload(member.project, file, by=request.user)
        return _page(request, member, outcomes=outcomes)
    return _page(request, member, upload=form, status=UNPROCESSABLE)


def _member(request: Request, project_id: uuid.UUID) -> Membership:
    return _require_translation_plan(gates.member(request, project_id))


def _require_translation_plan(member: Membership) -> Membership:
    """Raises Http404 for a project that translates nothing."""
    get_object_or_404(TranslationPlan, project=member.project_id)
    return member


def _store(request: Request, member: Membership, form: TermForm) -> str:
    """Return what the page says of a new term; empty if it is refused, with an error."""
    manages = member.role == Role.MANAGER
    act = services.add if manages else services.propose
    with table_page.refusal_in(form):
        act(member.project, **form.cleaned_data, by=request.user)
        return _("Term added.") if manages else _("Sent to the project managers. Thank you.")
    return ""


def _change(stored_term: Term, form: TermForm, request: Request) -> bool:
    with table_page.refusal_in(form):
        services.change(stored_term, **form.cleaned_data, by=request.user)
    return form.is_valid()


def _term_page(
    request: Request, member: Membership, term: Term, form: TermForm, *, status: int = OK
) -> HttpResponse:
    context = table_page.frame(member) | {"form": form, "term": term}
    return render(request, "annotation/glossary/term.html", context, status=status)


def _page(request: Request, member: Membership, *, status: int = OK, **parts: Any) -> HttpResponse:
    search = SearchForm(request.GET if request.method != "POST" else None, label_suffix="")
    words = search.cleaned_data["words"] if search.is_bound and search.is_valid() else ""
    rows = selectors.of_project(member.project, words=words)
    number = rows.count()
    reads = member.role != Role.ANNOTATOR
    context = {
        **(table_page.frame(member) if reads else {"project": member.project}),
        "plan": member.project.translation_plan,
        "search": search,
        "words": words,
        "number": number,
        "terms": rows[: selectors.MOST_LISTED],
        "has_more": number > selectors.MOST_LISTED,
        "form": TermForm(),
        "upload": UploadForm(label_suffix=""),
        **parts,
    }
    if "outcomes" in parts:
        context["summary"] = _summary(parts["outcomes"])
    return render(request, "annotation/glossary/glossary.html", context, status=status)


def _summary(outcomes: Any) -> str:
    refused = sum(outcome.is_refused for outcome in outcomes)
    read = ngettext("%(count)s line read.", "%(count)s lines read.", len(outcomes))
    wrong = ngettext("%(count)s line refused.", "%(count)s lines refused.", refused)
    return f"{read % {'count': len(outcomes)}} {wrong % {'count': refused}}"
