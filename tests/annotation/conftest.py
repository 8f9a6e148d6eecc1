"""What tests of studies and of their runs have in common."""

import pytest
from django.core.management import call_command

from generation import methods
from support import fake
from tests.annotation import make
from tests.annotation.pages import page, signed_in
from tests.annotation.rest import as_, at, reader, study  # noqa: F401 fixtures


@pytest.fixture
def project(db):
    return make.study(description="About towns.", guidelines="Judge *fairly*.")


@pytest.fixture
def alice(project):
    """She is asked to work."""
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


@pytest.fixture
def backwards(monkeypatch):
    """Word swap is the method of support.fake."""
    monkeypatch.setitem(methods.METHODS, "word_swap", fake.METHOD)


@pytest.fixture
def printed(capsys):
    """Runs a command; returns what it prints."""

    def run(command, *arguments, **options):
        capsys.readouterr()
        call_command(command, *arguments, **options)
        return capsys.readouterr().out

    return run
