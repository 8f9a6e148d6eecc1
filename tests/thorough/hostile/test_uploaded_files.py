"""Broken files that are uploaded: each broken line is refused, or the file as a whole."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.imports.kinds import KINDS
from annotation.imports.services.work import IMPORTS
from annotation.models import Import
from common import leases
from support import hostile_lines
from tests.annotation import make
from tests.annotation.pages import client_of, page

HEADERS = {
    "sentences": b"id\ttext\n",
    "flashcards": b"entity\tdefinition\tid\n",
    "pairs": b"sentence1\tsentence2\tlabel\n",
    "gold_pairs": b"sentence1\tsentence2\tlabel\n",
    "qualification": b"sentence1\tsentence2\tlabel\texplanation\n",
    "model_judgments": b"pair\tlabel\n",
}


@pytest.fixture(params=KINDS)
def upload(request, db, settings, tmp_path, monkeypatch):
    """Imports a file as one of the kinds, through the pages; and the header of such a file."""
    settings.IMPORTS_DIR = tmp_path
    monkeypatch.setattr(leases, "BEAT_SECONDS", 600.0)
    project, kind = make.study(), request.param
    client = client_of(project)

    def send(data, name):
        file = SimpleUploadedFile(name, data)
        reply = client.post(page("upload", project), {"kind": kind, "file": file})
        assert reply.status_code in {302, 422}, data[:60]
        if reply.status_code == 302:
            _import(client, project, Import.objects.first())

    return send, HEADERS[kind]


def _import(client, project, row):
    address = page("import", project, row.public_id)
    IMPORTS.do_next()
    row.refresh_from_db()
    assert client.get(address).status_code == 200
    if row.preview["problem"]:
        return
    columns = {f"column_{place}": name for name, place in row.columns.items()}
    about = {"target": "new", "corpus_name": f"C {row.pk}", "language": "en", "name": "Model"}
    reply = client.post(address, row.layout | columns | about | {"start": "yes"})
    assert reply.status_code in {302, 422}
    IMPORTS.do_next()
    row.refresh_from_db()
    assert row.state in {"done", "draft"}, row.failure
    assert row.read == row.added + row.duplicates + row.refused_lines
    assert client.get(address).status_code == 200


@pytest.mark.parametrize("kind", hostile_lines.FILES)
def test_no_file_brings_the_importer_down(upload, kind):
    send, header = upload
    lines = hostile_lines.FILES[kind]()
    small = hostile_lines.ended([line for line in lines if len(line.data) < 5_000])
    whole = [line.data for line in lines if line.text is None][:60:7]
    for data in (small, header + small, *whole, b"\x00" * 1_000, b""):
        for name in ("a.tsv", "a.jsonl"):
            send(data, name)
