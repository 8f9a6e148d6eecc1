"""A study with a little work, and Alice, who is signed in and asked to do it."""

import pytest

from tests.annotation import make
from tests.annotation.views.pages import page, signed_in


@pytest.fixture
def project(db):
    return make.study(description="About towns.", guidelines="Judge *fairly*.")


@pytest.fixture
def alice(project):
    return make.person(project)


@pytest.fixture
def client(alice):
    return signed_in(alice.user)


@pytest.fixture
def judge_page(project):
    return page("work", project, "judge")


@pytest.fixture
def correct_page(project):
    return page("work", project, "correct")
