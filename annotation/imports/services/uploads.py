"""Stores uploaded files, and starts, cancels, retries and discards their imports."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import Refused
from annotation.imports import files
from annotation.imports.kinds import KINDS
from annotation.imports.reasons import ID_FAULTS, in_words
from annotation.imports.selectors import lines_refused_for_ids
from annotation.imports.tables import Layout, Shape
from annotation.models import Import, Project
from annotation.projects import additions
from common.leases import next_round, update_as_read
from generation.models import Corpus

State = Import.State
PENDING = (State.QUEUED, State.RUNNING)
DISCARDABLE = (State.DRAFT, State.FAILED, State.CANCELLED)
LONGEST_NAME = Import._meta.get_field("name").max_length or 0


def create(
    project: Project,
    *,
    kind: str,
    name: str,
    size: int,
    chunks: Iterable[bytes],
    by: User | None,
    corpus: Corpus | None = None,
) -> Import:
    """Store an uploaded file for a worker, which reads its beginning.

    Raises Refused for sentences and pairs of a project whose pairs are complete, and for any file
    if it judges no pairs.
    """
    _check(project, kind)
    row = Import(project=project, kind=kind, size=size, created_by=by, corpus=corpus)
    row.name = name[-LONGEST_NAME:]
    return _store(row, chunks)


def create_without_ids(row: Import, *, by: User | None) -> Import:
    """Store the lines that an import refused for their IDs as a draft that leaves the IDs out.

    Raises Refused if there are none, and as `create`.
    """
    if not lines_refused_for_ids(row):
        raise Refused(_("This import refused no lines for their IDs."))
    _check(row.project, row.kind)
    draft = Import(project=row.project, kind=row.kind, name=row.name, corpus=row.corpus)
    draft.size, draft.created_by = row.refused_bytes, by
    draft.layout = Layout(Shape.CSV).to_dict()
    id_field = KINDS[row.kind].identity[0]
    draft.columns = {name: column for name, column in row.columns.items() if name != id_field}
    return _store(draft, _lines_refused_for_ids(row))


def _check(project: Project, kind: str) -> None:
    if KINDS[kind].has_corpus:
        additions.check(project)
    else:
        additions.check_judged(project)


def _store(row: Import, chunks: Iterable[bytes]) -> Import:
    row.state = State.QUEUED
    try:
        files.write(row, chunks)
        with transaction.atomic():
            row.save()
            audit.record(Act.FILE_UPLOADED, by=row.created_by, on=row, what=row.kind)
    except BaseException:
        files.remove(row)
        raise
    return row


def _lines_refused_for_ids(row: Import) -> Iterator[bytes]:
    """Yield the names of the columns and these lines; the file names reasons in words."""
    reasons = set()
    for language, _name in settings.LANGUAGES:
        with override(language):
            reasons |= {in_words(fault) for fault in ID_FAULTS}
    with files.refused_of(row).open(encoding="utf-8-sig", newline="") as file:
        for number, cells in enumerate(csv.reader(file)):
            if number == 0 or cells[-2] in reasons:
                line = StringIO()
                csv.writer(line).writerow(cells)
                yield line.getvalue().encode()


def read_as(row: Import, layout: Layout, *, form_values: Mapping[str, str]) -> None:
    """Queue a draft for a worker, which reads it again; keep the values of its form."""
    Import.objects.filter(pk=row.pk, state=State.DRAFT).update(
        state=State.QUEUED,
        attempts=next_round(row.attempts),
        layout=layout.to_dict(),
        columns={},
        options=dict(form_values),
        preview=None,
    )


@transaction.atomic
def start(
    row: Import,
    *,
    columns: Mapping[str, int],
    options: Mapping[str, Any],
    corpus: Corpus | None,
    by: User | None,
) -> None:
    """Queue a draft for a worker. Raises Refused if it is no draft any more."""
    changes: dict[str, Any] = {"columns": dict(columns), "options": dict(options), "preview": {}}
    changes["attempts"] = next_round(row.attempts)
    drafts = Import.objects.filter(pk=row.pk, state=State.DRAFT)
    if not drafts.update(state=State.QUEUED, corpus=corpus, **changes):
        raise Refused(_("This file is already being imported."))
    if corpus:
        row.project.corpora.add(corpus)
    audit.record(Act.IMPORT_STARTED, by=by, on=row, what=row.kind)


@transaction.atomic
def cancel(row: Import, *, by: User | None) -> None:
    """Stop an import after the chunk that is being stored. What is imported stays.

    Raises Refused if it is over.
    """
    pending = Import.objects.filter(pk=row.pk, state__in=PENDING)
    if not pending.update(state=State.CANCELLED, lease_until=None):
        raise Refused(_("This import has ended, so it can’t be cancelled."))
    audit.record(Act.IMPORT_ENDED, by=by, on=row, what=row.kind)
    transaction.on_commit(lambda: files.remove_data(row))


@transaction.atomic
def retry(row: Import, *, by: User | None) -> None:
    """Queue a failed import again. Raises Refused if it has not failed."""
    attempts = next_round(row.attempts)
    if row.state != State.FAILED or not update_as_read(row, state=State.QUEUED, attempts=attempts):
        raise Refused(_("This import hasn’t failed, so it can’t be retried."))
    audit.record(Act.IMPORT_STARTED, by=by, on=row, what=row.kind)


@transaction.atomic
def discard(row: Import, *, by: User | None) -> None:
    """Delete an import that is a draft or ended early, with its files. Raises Refused."""
    audit.record(Act.IMPORT_ENDED, by=by, on=row, what=row.kind)
    if not Import.objects.filter(pk=row.pk, state__in=DISCARDABLE).delete()[0]:
        raise Refused(_("This import is running or done, so it can’t be discarded."))
    transaction.on_commit(lambda: files.remove(row))
