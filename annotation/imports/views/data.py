"""The data of a project: its imports and corpora, a corpus with its sentences, and uploads."""

import uuid
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from annotation.access import gates, readers
from annotation.access.gates import UNPROCESSABLE, Request
from annotation.access.readers import Reader
from annotation.errors import Refused
from annotation.imports import selectors
from annotation.imports.corpus_forms import ChangeCorpusForm
from annotation.imports.kinds import KINDS, LARGEST_FILE
from annotation.imports.services import corpora, uploads
from annotation.models import Import, Membership, Project
from annotation.projects import additions
from annotation.projects.forms.filters import MOST_CHARACTERS, PageForm
from annotation.projects.labels import asks_about_meaning
from annotation.projects.views import table_page
from common import keyset
from common.bodies import REST_OF_FORM, takes_up_to
from common.messages import wake_worker
from generation.models import Corpus, Method
from generation.selectors import sources

TEMPLATE = "annotation/imports/data.html"
NOT_STORED = gettext_lazy(
    "The server couldn’t store the file. Its disk may be full: ask the administrator "
    "to free some space."
)
MOST_PASTED = 5_000_000
PAGE = 50
# Sentences that the page shows of each corpus, and of how many corpora.
EXAMPLES, WITH_EXAMPLES = 3, 5
COLUMNS = ("id",)


class UploadForm(forms.Form):
    """What is imported, as a file or as pasted text."""

    kind = forms.ChoiceField(
        label=gettext_lazy("What do you want to import?"),
        choices=[(kind.name, kind.label) for kind in KINDS.values()],
        widget=forms.RadioSelect,
        initial=Import.Kind.SENTENCES,
    )
    file = forms.FileField(
        label=gettext_lazy("File"),
        required=False,
        help_text=gettext_lazy(
            "Text, CSV, TSV, JSON (also .gz or .xz) or Excel (.xlsx), up to 1 GB; a JSON list up "
            "to 500 MB."
        ),
        error_messages={
            "empty": gettext_lazy("The file is empty. Choose another file, or paste text below.")
        },
        widget=forms.FileInput(
            attrs={
                "accept": ".txt,.csv,.tsv,.tab,.json,.jsonl,.ndjson,.xlsx,.gz,.xz,"
                "text/plain,text/csv"
            }
        ),
    )
    text = forms.CharField(
        label=gettext_lazy("Or paste text"),
        required=False,
        strip=False,
        max_length=MOST_PASTED,
        help_text=gettext_lazy(
            "One sentence or pair per line. You can paste rows copied from a spreadsheet."
        ),
        widget=forms.Textarea(attrs={"rows": 5, "dir": "auto", "spellcheck": "false"}),
    )
    corpus = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def leave_out_corpora(self) -> None:
        """Offer no sentences and no pairs to judge, for a project whose pairs are complete."""
        kinds = [kind for kind in KINDS.values() if not kind.has_corpus]
        self.fields["kind"].choices = [(kind.name, kind.label) for kind in kinds]  # type: ignore[attr-defined]
        self.fields["kind"].initial = kinds[0].name

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        file, text = values.get("file"), values.get("text", "")
        if "file" in self.errors or "text" in self.errors:
            return values
        if not file and not text.strip():
            self.add_error("file", _("Choose a file or paste text below."))
        kind = KINDS.get(values.get("kind", ""))
        if kind and file and (file.size or 0) > kind.most_bytes:
            most = filesizeformat(kind.most_bytes)
            reason = _("The file is too large: the maximum is %(most)s. Split it.")
            self.add_error("file", reason % {"most": most})
        return values


class CorpusForm(forms.Form):
    """A corpus that the person may use and that the project does not have."""

    corpus = forms.ModelChoiceField(
        Corpus.objects.none(), label=gettext_lazy("Corpus"), empty_label=gettext_lazy("Choose")
    )

    def __init__(self, *args: Any, project: Project, user: Reader, **options: Any) -> None:
        super().__init__(*args, **options | {"label_suffix": ""})
        corpora = readers.usable_corpora(user).exclude(projects=project).order_by("name")
        self.fields["corpus"].queryset = corpora  # type: ignore[attr-defined]


@gates.signed_in
@require_safe
def data(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show imports and corpora; managers also see the form for uploads."""
    member = gates.reader(request, project_id)
    query = {name: request.GET[name] for name in ("kind", "corpus") if name in request.GET}
    is_known = query.get("kind") in Import.Kind.values
    initial = query if is_known else _usual_kind(member.project)
    return _page(request, member, UploadForm(initial=initial, label_suffix=""))


@takes_up_to(LARGEST_FILE + REST_OF_FORM, gate=gates.manager_sends)
@gates.signed_in
@require_POST
def upload(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Store a file. A worker reads its beginning, then its page shows how it is read."""
    member = gates.manager(request, project_id)
    form = UploadForm(request.POST, request.FILES, label_suffix="")
    if not form.is_valid():
        return _page(request, member, form, status=UNPROCESSABLE)
    values = form.cleaned_data
    corpus = member.project.corpora.filter(pk=values["corpus"]).first()
    try:
        row = uploads.create(
            member.project,
            kind=values["kind"],
            **_content(values),
            by=request.user,
            corpus=corpus,
        )
    except Refused as refused:
        form.add_error("kind", str(refused))
        return _page(request, member, form, status=UNPROCESSABLE)
    except OSError:
        form.add_error("file" if values["file"] else "text", NOT_STORED)
        return _page(request, member, form, status=UNPROCESSABLE)
    wake_worker()
    return redirect("import", project_id, row.public_id)


@gates.signed_in
@require_POST
def add_corpus(request: Request, project_id: uuid.UUID) -> HttpResponse:
    project = gates.manager(request, project_id).project
    form = CorpusForm(request.POST, project=project, user=request.user)
    if not form.is_valid():
        messages.error(request, _("You can’t use that corpus. Choose one from the list."))
        return redirect("data", project_id)
    with table_page.refusal_shown(request):
        corpora.add(project, form.cleaned_data["corpus"], by=request.user)
        messages.success(request, _("Corpus added to the project."))
    return redirect("data", project_id)


@gates.signed_in
@require_POST
def remove_corpus(request: Request, project_id: uuid.UUID, corpus_id: int) -> HttpResponse:
    """Remove a corpus that no run of the project rewrites; its sentences stay."""
    project = gates.manager(request, project_id).project
    corpus = get_object_or_404(project.corpora, pk=corpus_id)
    try:
        corpora.remove(project, corpus, by=request.user)
        messages.success(request, _("Corpus removed from the project. It was not deleted."))
    except (ValidationError, Refused) as error:
        messages.error(request, getattr(error, "messages", [str(error)])[0])
    return redirect("data", project_id)


def _usual_kind(project: Project) -> dict[str, str]:
    """Return the kind of an upload: pairs for labels not of paraphrase, unless any are generated.

    Otherwise it is that of the form.
    """
    generated = project.runs.exclude(method=Method.IMPORTED)
    has_pairs = not asks_about_meaning(project.scheme) and not generated.exists()
    return {"kind": Import.Kind.PAIRS} if has_pairs else {}


def _content(values: dict[str, Any]) -> dict[str, Any]:
    """Return name, size and chunks of the file, or else of the pasted text."""
    if file := values["file"]:
        return {"name": file.name, "size": file.size, "chunks": file.chunks()}
    text = values["text"].encode("utf-8", "replace")
    return {"name": _("Pasted text"), "size": len(text), "chunks": [text]}


def _page(
    request: Request, member: Membership, form: UploadForm, *, status: int = 200
) -> HttpResponse:
    project = member.project
    if complete := additions.refusal(project):
        form.leave_out_corpora()
    context = table_page.frame(member) | {
        "complete": complete,
        "form": form,
        "imports": selectors.imports_of(project),
        "corpora": [
            (corpus, sources(corpus.pk)[:EXAMPLES] if place < WITH_EXAMPLES else ())
            for place, corpus in enumerate(selectors.corpora_of(project))
        ],
        "corpus_form": CorpusForm(project=project, user=request.user),
        "chosen": _corpus_of_upload(member, form),
    }
    return render(request, TEMPLATE, context, status=status)


def _corpus_of_upload(member: Membership, form: UploadForm) -> Any:
    """Return the corpus for which the upload was begun, if the project has it."""
    value = str(form["corpus"].value() or "")
    return member.project.corpora.filter(pk=value).first() if value.isdecimal() else None


class SentencesForm(PageForm):
    """Words that the sentences hold."""

    words = forms.CharField(label=gettext_lazy("Words"), max_length=MOST_CHARACTERS, required=False)


@gates.signed_in
@require_safe
def corpus(request: Request, project_id: uuid.UUID, corpus_id: int) -> HttpResponse:
    """List the sentences of a corpus that the project has, in the order of their files."""
    member = gates.reader(request, project_id)
    corpus_row = _corpus_or_404(member, corpus_id)
    return _corpus_page(request, member, corpus_row, ChangeCorpusForm(corpus=corpus_row))


@gates.signed_in
@require_POST
def change_corpus(request: Request, project_id: uuid.UUID, corpus_id: int) -> HttpResponse:
    member = gates.manager(request, project_id)
    corpus_row = _corpus_or_404(member, corpus_id)
    form = ChangeCorpusForm(request.POST, corpus=corpus_row)
    if form.is_valid():
        acting: dict[str, Any] = {"project": member.project, "by": request.user}
        try:
            is_changed = corpora.change(corpus_row, form.about(), **acting)
        except ValidationError as error:
            form.add_error("corpus_name", error.messages[0])
        else:
            messages.success(request, _("Saved.") if is_changed else _("No changes to save."))
            return redirect("corpus", project_id, corpus_id)
    return _corpus_page(request, member, corpus_row, form, status=UNPROCESSABLE)


def _corpus_or_404(member: Membership, corpus_id: int) -> Any:
    return get_object_or_404(selectors.corpora_of(member.project), pk=corpus_id)


def _corpus_page(
    request: Request,
    member: Membership,
    corpus_row: Any,
    about: ChangeCorpusForm,
    *,
    status: int = 200,
) -> HttpResponse:
    form = SentencesForm(request.GET)
    context = table_page.frame(member) | {"corpus": corpus_row, "form": form, "about": about}
    if not form.is_valid():
        return table_page.refuse(request, "annotation/imports/corpus.html", context)
    rows = sources(corpus_row.pk)
    if words := form.cleaned_data["words"]:
        rows = rows.filter(text__icontains=words)
    place = form.page_keys(len(COLUMNS))
    page = keyset.page(
        rows, columns=COLUMNS, size=PAGE, after=place["after"], before=place["before"]
    )
    context |= {
        "sentences": page.rows,
        "number": rows.count() if words else corpus_row.sentences,
        "links": table_page.links(request.GET, page),
    }
    return render(request, "annotation/imports/corpus.html", context, status=status)
