"""What tests of releases have in common."""

import pytest

from tests.annotation import make


@pytest.fixture
def project(db):
    return make.study()
