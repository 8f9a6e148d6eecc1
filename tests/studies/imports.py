"""Files of sentences: as they were sent, being imported, and imported."""

from datetime import timedelta
from functools import partial
from unittest import mock

from django.utils import timezone

from annotation import models
from annotation.imports.services import uploads
from annotation.imports.services.work import IMPORTS
from common import leases

DAY, NOW = timedelta(days=1), timezone.now()
LINES = b"id,text\n1,The river flows to the sea.\n1,It rains.\n2\n"


def new_file(project):
    """A file of sentences that is not imported yet."""
    file = {"name": "rivers.csv", "size": len(LINES), "chunks": [LINES]}
    row = uploads.create(project, kind="sentences", **file, by=None)
    with mock.patch.object(leases, "BEAT_SECONDS", 600.0):  # no second thread
        assert IMPORTS.do_next()
    row.refresh_from_db()
    return row


def imported(project):
    """An import of which one sentence was added, and two lines were refused."""
    row, corpus = new_file(project), project.corpora.earliest("pk")
    uploads.start(row, columns=row.columns, options={}, corpus=corpus, by=None)
    with mock.patch.object(leases, "BEAT_SECONDS", 600.0):  # no second thread
        assert IMPORTS.do_next()
    return row


def draft_import(study):
    study.arguments["import_id"] = new_file(study.project).public_id


def _import(study, **columns):
    models.Import.objects.filter(public_id=study.arguments["import_id"]).update(**columns)


queued_import = partial(_import, state="queued")
failed_import = partial(_import, state="failed", failure="No space left")
cancelled_import = partial(_import, state="cancelled")
import_under_way = partial(
    _import, state="running", done=1200, total=4000, started_at=NOW - DAY, lease_until=NOW + DAY
)
