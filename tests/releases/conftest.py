"""What tests of releases have in common."""

import pytest

from tests.annotation import make
from tests.annotation.rest import as_, at, reader, study  # noqa: F401 fixtures


@pytest.fixture
def project(db):
    return make.study()
