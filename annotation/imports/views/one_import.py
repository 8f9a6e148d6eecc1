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
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from accounts import audit
from accounts.audited_acts import Act
from annotation.access import gates
from annotation.access.gates import UNPROCESSABLE, Request
from annotation.errors import Refused
from annotation.imports import detection, files, reasons, selectors
from annotation.imports.forms import ColumnsForm, LayoutForm, move_field
from annotation.imports.kinds import KINDS, PAIR
from annotation.imports.previews import Preview
from annotation.imports.selectors import MIN_DEFINITIONS, Clashes
from annotation.imports.services import corpora, pruning, uploads, work
from annotation.imports.tables import Layout, Shape
from annotation.models import Import, Membership
from annotation.projects.views import table_page
from annotation.runs import services as runs
from annotation.templatetags import figures
from annotation.work import judge
from common.bodies import LONG_TEXTS, takes_up_to
from common.display import duration
from common.messages import wake_worker
from generation.nlp.text import is_byte_literal

SHOWN_ROWS = 4
BYTES_AT_ONCE = 64 * 1024
State = Import.State
STEPS: dict[str, tuple[Callable[..., Import | None], str]] = {
    "cancel": (uploads.cancel, "import"),
    "retry": (uploads.retry, "import"),
    "discard": (uploads.discard, "data"),
    "without-ids": (uploads.create_without_ids, "import"),
}


@takes_up_to(LONG_TEXTS, gate=gates.manager_sends)
@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def one_import(request: Request, project_id: uuid.UUID, import_id: uuid.UUID) -> HttpResponse:
    """Show an import. A POST changes how a draft is read, or starts it."""
    member = gates.manager(request, project_id)
    row = _import_or_404(member, import_id)
    if row.state != State.DRAFT:
        if request.method == "POST":
            return redirect("import", project_id, import_id)
        return _outcome_page(request, member, row)
    return _draft(request, member, row)


@gates.signed_in
@require_safe
def import_progress(request: Request, project_id: uuid.UUID, import_id: uuid.UUID) -> HttpResponse:
    """Render the progress for polling; when it is over, reload the whole page."""
    member = gates.manager(request, project_id)
    row = _import_or_404(member, import_id)
    if not request.htmx:
        return redirect("import", project_id, import_id)
    context = table_page.frame(member) | _progress(row)
    if row.state in uploads.PENDING:
        return render(request, "annotation/imports/parts/progress.html", context)
    if context["to_enter"]:
        return render(request, "annotation/imports/parts/entering.html", context)
    return HttpResponseClientRefresh()


@gates.signed_in
@require_safe
def refused_lines(request: Request, project_id: uuid.UUID, import_id: uuid.UUID) -> HttpResponse:
    """Send the refused lines as a CSV file, which can be uploaded again once it is corrected."""
    row = _import_or_404(gates.manager(request, project_id), import_id)
    path = files.refused_of(row)
    if not row.refused or not path.exists():
        raise Http404
    name = f"{slugify(row.name.rpartition('.')[0] or row.name) or 'import'}-refused.csv"
    audit.record_alone(Act.TABLE_EXPORTED, by=request.user, on=row, file=name)
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
    row = _import_or_404(gates.manager(request, project_id), import_id)
    if step not in STEPS:
        raise Http404
    act, then = STEPS[step]
    try:
        row = act(row, by=request.user) or row
    except Refused as refused:
        messages.warning(request, str(refused))
        then = "import"
    wake_worker()
    return redirect(then, project_id, *([row.public_id] if then == "import" else []))


def _content(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from iter(partial(file.read, BYTES_AT_ONCE), b"")


def _import_or_404(member: Membership, import_id: uuid.UUID) -> Import:
    rows = selectors.imports_of(member.project)
    row: Import = get_object_or_404(rows, public_id=import_id)
    row.project = member.project
    return row


def _draft(request: Request, member: Membership, row: Import) -> HttpResponse:
    """Show how the file is read. A worker reads it again after a change; otherwise start it."""
    preview = Preview(**(row.preview or {}))
    if request.method != "POST":
        return _draft_page(request, member, row, preview, _columns_form(request, row, preview))
    if request.htmx:
        sent = move_field(request.POST, request.htmx.trigger_name or "")
        form = _columns_form(request, row, preview, sent)
        return _draft_page(request, member, row, preview, form)
    layout = _layout(row)
    if layout and (new_layout := _chosen_layout(request, layout, preview)) != layout:
        uploads.read_as(row, new_layout, form_values=_form_values(request))
        wake_worker()
        return redirect("import", member.project.public_id, row.public_id)
    form = _columns_form(request, row, preview, request.POST)
    starts = not preview.problem and "start" in request.POST
    if starts and form.is_valid() and ("ids" in request.POST or not _clashes(form).refused):
        return _start_import(request, member, row, form, preview)
    return _draft_page(request, member, row, preview, form, UNPROCESSABLE)


def _clashes(form: ColumnsForm) -> Clashes:
    return selectors.id_clashes(form.row, form.columns(), form.corpus(), form.texts())


def _layout(row: Import) -> Layout | None:
    """Return the layout of a draft; None if the file is no table."""
    return Layout.from_dict(row.layout) if row.layout else None


def _form_values(request: Request) -> dict[str, str]:
    """Return the values of the form, without the columns, which are detected again."""
    names = set(ColumnsForm.base_fields) & set(request.POST)
    return {name: request.POST[name] for name in names}


def _chosen_layout(request: Request, layout: Layout, preview: Preview) -> Layout:
    form = LayoutForm(request.POST, layout=layout, sheets=preview.sheets)
    new_layout = form.chosen() if form.is_valid() else layout
    is_new_table = new_layout.shape is not layout.shape and new_layout.shape is Shape.CSV
    return replace(new_layout, has_header=True) if is_new_table else new_layout


def _columns_form(request: Request, row: Import, preview: Preview, *sent: Any) -> ColumnsForm:
    about: dict[str, Any] = {"row": row, "preview": preview, "user": request.user}
    return ColumnsForm(*sent, **about, kind=KINDS[row.kind])


def _start_import(
    request: Request, member: Membership, row: Import, form: ColumnsForm, preview: Preview
) -> HttpResponse:
    try:
        with transaction.atomic():
            corpus = form.corpus()
            if corpus is None and form.kind.has_corpus:
                corpus = corpora.create(**form.about(), owner=request.user, project=member.project)
            options, columns = form.options(), form.columns()
            if not form.keeps_clashing_ids and _clashes(form).refused:
                del columns[form.kind.identity[0]]
            uploads.start(row, columns=columns, options=options, corpus=corpus, by=request.user)
    except ValidationError as error:
        form.add_error("corpus_name", error.messages[0])
        return _draft_page(request, member, row, preview, form, UNPROCESSABLE)
    except Refused as refused:
        messages.warning(request, str(refused))
    wake_worker()
    return redirect("import", member.project.public_id, row.public_id)


def _draft_page(
    request: Request,
    member: Membership,
    row: Import,
    preview: Preview,
    form: ColumnsForm,
    status: int = 200,
) -> HttpResponse:
    layout = _layout(row)
    context = table_page.frame(member) | {"row": row, "kind": KINDS[row.kind]}
    context |= {"problem": preview.in_words(), "total": preview.total, "layout": layout}
    if not preview.problem:
        context |= _what_happens(form, preview)
    if request.htmx:
        return render(request, "annotation/imports/parts/mapped.html", context)
    context |= {
        "reading": layout and LayoutForm(layout=layout, sheets=preview.sheets),
        "bytes": sum(any(map(is_byte_literal, cells)) for _, cells, _ in preview.rows),
        "answers": _scale(row),
        "draft_days": pruning.DRAFT_DAYS,
        "is_large": row.kind == Import.Kind.SENTENCES and not work.is_compared(row),
    }
    return render(request, "annotation/imports/draft.html", context, status=status)


def _what_happens(form: ColumnsForm, preview: Preview) -> dict[str, Any]:
    """Return the columns, the first rows and what an import does with all of them."""
    clashes, left_out = _clashes(form), None
    if not form.is_bound and clashes.stored and clashes.ids_count_rows:
        left_out = {"number": clashes.stored, "name": form.leave_out_ids()}
        clashes = _clashes(form)
    is_without_ids = bool(clashes.refused) and not form.keeps_clashing_ids
    number = clashes.new_without_ids if is_without_ids else clashes.new
    return {
        "form": form,
        "clashes": clashes,
        "left_out": left_out,
        "unusable": _unusable(form, clashes, preview),
        "lacks": [field.label for field in form.kind.required if field.name not in form.columns()],
        "seems_pairs": form.kind.adds_texts and detection.name_all(preview.header, PAIR),
        "corpus": form.corpus(),
        "lines": [_cells(*line, form, clashes) for line in preview.rows[:SHOWN_ROWS]],
        "deed": preview.total and form.kind.deed % {"n": number, "number": figures.number(number)},
        "is_without_ids": is_without_ids,
    }


def _unusable(form: ColumnsForm, clashes: Clashes, preview: Preview) -> list[tuple[str, int, int]]:
    """Return why rows can't be imported, how many, and the first line; none before columns are."""
    if any(field.name not in form.columns() for field in form.kind.required):
        return []
    column = form.columns().get("label")
    labels = {
        line: cells[column]
        for line, cells, _fault in preview.rows
        if column is not None and column < len(cells)
    }
    return [
        (reasons.of_line(reason, labels.get(first, "")), number, first)
        for reason, (number, first) in clashes.unusable.items()
    ]


def _cells(
    number: int, cells: list[str], fault: str, form: ColumnsForm, clashes: Clashes
) -> dict[str, Any]:
    """Return a row with the class of each cell."""
    id_field, classes = form.kind.identity[0], list[str]()
    texts = {field.name for field in form.kind.fields if field.is_text}
    fields = [str(column.value() or "") for column in form.columns_of_table]
    for field, cell in zip(fields, cells, strict=False):
        is_clash = field == id_field and cell.strip() in clashes.clashing
        classes.append(
            "unused" if not field else "clash" if is_clash else "text" if field in texts else ""
        )
    reason = reasons.in_words(fault) if fault else ""
    return {"number": number, "cells": list(zip(cells, classes, strict=False)), "reason": reason}


def _scale(row: Import) -> list[Any]:
    """Return the answers of the project, if the lines have labels."""
    has_labels = any(field.name == "label" for field in KINDS[row.kind].fields)
    return list(judge.choices(row.project)) if has_labels else []


def _outcome_page(request: Request, member: Membership, row: Import) -> HttpResponse:
    required = [field.name for field in KINDS[row.kind].required]
    text_columns = [row.columns[name] for name in required if name in row.columns]
    context = table_page.frame(member) | _progress(row)
    context |= {
        "refused": [(reasons.in_words(reason), n) for reason, n in row.refused.items()],
        "first_refused": selectors.first_refused_lines(row, text_columns),
        "refused_for_ids": selectors.lines_refused_for_ids(row),
        "entities_with_few_definitions": selectors.entities_with_few_definitions(row),
        "min_definitions": MIN_DEFINITIONS,
        "can_run": row.corpus is not None and runs.can_rewrite(row.project, row.corpus.language),
    }
    return render(request, "annotation/imports/import.html", context)


def _progress(row: Import) -> dict[str, Any]:
    seconds = selectors.seconds_left(row)
    to_enter = selectors.pairs_to_enter(row)
    share = round(100 * row.done / row.total) if row.total else 0
    return {
        "row": row,
        "kind": KINDS[row.kind],
        "percent": min(share, 100),
        "to_enter": to_enter,
        "entered": max(row.added - to_enter, 0),
        "left": None if seconds is None else duration(seconds),
    }
