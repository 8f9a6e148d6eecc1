"""Broken files sent to a form: each broken line is listed, or the file is refused."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from benchmarks.load import hostile_lines
from tests.annotation import make
from tests.annotation.views.pages import client_of, page

HEADERS = {
    "add_gold_pairs": b"sentence1\tsentence2\tlabel\n",
    "add_qualification_lines": b"sentence1\tsentence2\tlabel\texplanation\n",
    "add_model_judgments": b"pair\tlabel\n",
}


@pytest.fixture(params=HEADERS)
def form(request, db):
    """Sends a file to one of the forms; and the header that such a file has."""
    project = make.study()
    client = client_of(project)
    client.raise_request_exception = False

    def send(data, name="a.tsv"):
        sent = {"name": "G", "file": SimpleUploadedFile(name, data)}
        return client.post(page(request.param, project), sent)

    return send, HEADERS[request.param]


@pytest.mark.parametrize("kind", hostile_lines.FILES)
def test_no_file_brings_a_form_down(form, kind):
    send, header = form
    lines = hostile_lines.FILES[kind]()
    small = hostile_lines.ended([line for line in lines if len(line.data) < 5_000])
    whole = [line.data for line in lines if line.text is None][:60:7]
    for data in (small, header + small, *whole, b"\x00" * 1_000, b""):
        for name in ("a.tsv", "a.jsonl"):
            assert send(data, name).status_code in {200, 302, 422}, data[:60]
