"""The page of an import: how the file is read, its columns, then its progress and its outcome."""

import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotation import tasks
from annotation.access import gates
from annotation.access.gates import Request
from annotation.errors import Refused
from annotation.imports import files, reasons, selectors, tables
from annotation.imports.forms import LANGUAGES, LICENCES, ColumnsForm, LayoutForm
from annotation.imports.kinds import KINDS
from annotation.imports.records import UnreadableTable
from annotation.imports.selectors import FEWEST
from annotation.imports.services import corpora, pruning, uploads, work
from annotation.imports.tables import Layout, Shape, Table
from annotation.models import Import, Membership
from annotation.projects.views import table_page
from annotation.work import judge
from common.display import duration

UNPROCESSABLE = 422
SHOWN_ROWS, SHOWN_CELL = 8, 160
BYTES_AT_ONCE = 64 * 1024
State = Import.State
STEPS: dict[str, tuple[Callable[..., None], str]] = {
    "cancel": (uploads.cancel, "import"),
    "retry": (uploads.retry, "import"),
    "discard": (uploads.discard, "data"),
}


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def one_import(request: Request, project_id: uuid.UUID, import_id: uuid.UUID) -> HttpResponse:
    """Show an import. A POST changes how a draft is read, or starts it."""
    member = gates.manager(request, project_id)
    row = _find(member, import_id)
    if row.state != State.DRAFT:
        if request.method == "POST":
            return redirect("import", project_id, import_id)
        return _outcome(request, member, row)
    return _draft(request, member, row)


@gates.signed_in
@require_safe
def import_progress(request: Request, project_id: uuid.UUID, import_id: uuid.UUID) -> HttpResponse:
    """Render the progress for polling; when it is over, reload the whole page."""
    member = gates.manager(request, project_id)
    row = _find(member, import_id)
    if not request.htmx:
        return redirect("import", project_id, import_id)
    if row.state not in uploads.PENDING:
        return HttpResponseClientRefresh()
    context = table_page.frame(member) | _progress(row)
    return render(request, "annotation/imports/parts/progress.html", context)


@gates.signed_in
@require_safe
def refused_lines(request: Request, project_id: uuid.UUID, import_id: uuid.UUID) -> HttpResponse:
    """Send the refused lines as a CSV file, which can be uploaded again once it is corrected."""
    row = _find(gates.manager(request, project_id), import_id)
    path = files.refused_of(row)
    if not row.refused or not path.exists():
        raise Http404
    name = f"{slugify(row.name.rpartition('.')[0] or row.name) or 'import'}-refused.csv"
    reply = StreamingHttpResponse(_content(path), content_type="text/csv; charset=utf-8")
    reply["Content-Disposition"] = f'attachment; filename="{name}"'
    reply["X-Content-Type-Options"] = "nosniff"
    reply["Cache-Control"] = "no-store"
    return cast(HttpResponse, reply)


@gates.signed_in
@require_POST
def import_step(
    request: Request, project_id: uuid.UUID, import_id: uuid.UUID, step: str
) -> HttpResponse:
    """Cancel, retry or discard an import."""
    row = _find(gates.manager(request, project_id), import_id)
    if step not in STEPS:
        raise Http404
    act, then = STEPS[step]
    try:
        act(row, by=request.user)
    except Refused as refused:
        messages.warning(request, str(refused))
        then = "import"
    tasks.wake_for_imports()
    return redirect(then, project_id, *([import_id] if then == "import" else []))


def _content(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from iter(partial(file.read, BYTES_AT_ONCE), b"")


def _find(member: Membership, import_id: uuid.UUID) -> Import:
    rows = selectors.imports_of(member.project)
    row: Import = get_object_or_404(rows, public_id=import_id)
    row.project = member.project
    return row


def _draft(request: Request, member: Membership, row: Import) -> HttpResponse:
    """Show how the file is read; if that changed, show it again before anything is imported."""
    layout, problem, status = Layout.from_dict(row.layout), "", 200
    has_changed = False
    if request.method == "POST":
        chosen = _chosen_layout(request, layout)
        has_changed = chosen != layout
        if has_changed:
            try:
                uploads.read_as(row, chosen)
                layout = chosen
            except UnreadableTable as error:
                problem, status = str(error), UNPROCESSABLE
    try:
        with tables.opened(files.data_of(row), layout) as table:
            form = _columns_form(request, row, table, is_sent=not (has_changed or problem))
            if form.is_bound and "start" in request.POST and form.is_valid():
                return _start(request, member, row, form, table)
            status = UNPROCESSABLE if form.is_bound and "start" in request.POST else status
            return _draft_page(request, member, row, table, form, problem, status)
    except (UnreadableTable, OSError) as error:
        return _unreadable(request, member, row, error)


def _chosen_layout(request: Request, layout: Layout) -> Layout:
    sheets = [request.POST["sheet"]] if "sheet" in request.POST else []
    form = LayoutForm(request.POST, layout=layout, sheets=sheets)
    chosen = form.chosen() if form.is_valid() else layout
    turned = chosen.shape is not layout.shape and chosen.shape is Shape.CSV
    return replace(chosen, has_header=True) if turned else chosen


def _columns_form(request: Request, row: Import, table: Table, *, is_sent: bool) -> ColumnsForm:
    """Return the form with what was sent; after a change of layout, the columns are found again."""
    about: dict[str, Any] = {"row": row, "table": table, "user": request.user}
    about["kind"] = KINDS[row.kind]
    if request.method == "POST" and is_sent:
        return ColumnsForm(request.POST, **about)
    sent = {name: value for name, value in request.POST.items() if not name.startswith("column_")}
    form = ColumnsForm(**about)
    for name, value in sent.items():
        if name in form.fields:
            form.fields[name].initial = value
    return form


def _start(
    request: Request, member: Membership, row: Import, form: ColumnsForm, table: Table
) -> HttpResponse:
    try:
        with transaction.atomic():
            corpus = form.corpus()
            if corpus is None and form.kind.has_corpus:
                corpus = corpora.create(**form.about(), owner=request.user, project=member.project)
            options, columns = form.options(), form.columns()
            uploads.start(row, columns=columns, options=options, corpus=corpus, by=request.user)
    except ValidationError as error:
        form.add_error("corpus_name", error.messages[0])
        return _draft_page(request, member, row, table, form, "", UNPROCESSABLE)
    except Refused as refused:
        messages.warning(request, str(refused))
    tasks.wake_for_imports()
    return redirect("import", member.project.public_id, row.public_id)


def _draft_page(
    request: Request,
    member: Membership,
    row: Import,
    table: Table,
    form: ColumnsForm,
    problem: str,
    status: int,
) -> HttpResponse:
    context = table_page.frame(member) | {
        "row": row,
        "kind": KINDS[row.kind],
        "form": form,
        "layout": LayoutForm(layout=Layout.from_dict(row.layout), sheets=table.sheets),
        "header": table.header,
        "lines": list(_shown(table)),
        "problem": problem,
        "answers": _scale(row),
        "languages": LANGUAGES,
        "licences": LICENCES,
        "draft_days": pruning.DRAFT_DAYS,
        "is_large": row.kind == Import.Kind.SENTENCES and not work.is_compared(row),
    }
    return render(request, "annotation/imports/draft.html", context, status=status)


def _scale(row: Import) -> list[Any]:
    """Return the answers of the project, if the lines have labels."""
    has_labels = any(field.name == "label" for field in KINDS[row.kind].fields)
    return list(judge.choices(row.project)) if has_labels else []


def _shown(table: Table) -> Iterator[tuple[int, list[str], str]]:
    """Yield number, cells and problem of the first records."""
    for record in table.first[:SHOWN_ROWS]:
        fault = reasons.in_words(record.fault) if record.fault else ""
        yield record.number, [_excerpt(cell) for cell in record.cells], fault


def _excerpt(cell: str) -> str:
    """Return the beginning of a cell, without what no page can hold."""
    text = cell if len(cell) <= SHOWN_CELL else f"{cell[:SHOWN_CELL]}…"
    return text.encode("utf-8", "replace").decode()


def _unreadable(
    request: Request, member: Membership, row: Import, error: Exception
) -> HttpResponse:
    text = _(
        "The uploaded file is no longer on the server. Discard this import and upload the "
        "file again."
    )
    problem = str(error) if isinstance(error, UnreadableTable) else text
    layout = LayoutForm(layout=Layout.from_dict(row.layout), sheets=[])
    context = table_page.frame(member) | {"row": row, "kind": KINDS[row.kind], "layout": layout}
    context |= {"problem": problem}
    template = "annotation/imports/draft.html"
    return render(request, template, context, status=UNPROCESSABLE)


def _outcome(request: Request, member: Membership, row: Import) -> HttpResponse:
    required = [field.name for field in KINDS[row.kind].required]
    texts = [row.columns[name] for name in required if name in row.columns]
    context = table_page.frame(member) | _progress(row)
    context |= {
        "refused": [(reasons.in_words(reason), n) for reason, n in row.refused.items()],
        "first_refused": selectors.first_refused(row, texts),
        "few": selectors.few_definitions(row),
        "fewest": FEWEST,
    }
    return render(request, "annotation/imports/import.html", context)


def _progress(row: Import) -> dict[str, Any]:
    left = selectors.seconds_left(row)
    share = round(100 * row.done / row.total) if row.total else 0
    return {
        "row": row,
        "kind": KINDS[row.kind],
        "percent": min(share, 100),
        "left": None if left is None else duration(left),
    }
