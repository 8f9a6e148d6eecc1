"""How large a file may be, and from whom: decided before any of it is read."""

import pytest
from django.test import Client

from common.bodies import LARGEST_FILE
from tests.annotation import make
from tests.annotation.views.pages import client_of, page

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    return make.study()


def told(client, address, size):
    """The status of a request that says it has so many bytes; none of them comes."""
    kind = "application/octet-stream"
    return client.generic("POST", address, b"", kind, CONTENT_LENGTH=str(size)).status_code


def test_only_managers_of_the_project_send_files_beyond_the_usual_size(project):
    upload, elsewhere = page("upload", project), client_of(make.study())
    for client, small, large in (
        (client_of(project), 422, 422),
        (client_of(project, "researcher"), 404, 404),
        (client_of(project, "annotator"), 404, 404),
        (elsewhere, 404, 404),
        (Client(), 302, 413),
    ):
        assert told(client, upload, 50_000) == small
        assert told(client, upload, LARGEST_FILE) == large
        assert told(client, upload, LARGEST_FILE + 1) == 413
        assert told(client, page("add_corpus", project), 30_000_000) == 413
        assert told(client, "/nowhere/", 30_000_000) == 413
