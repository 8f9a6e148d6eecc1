"""Commands, and what they print."""

import pytest
from django.core.management import call_command


@pytest.fixture
def printed(capsys):
    """Runs a command; returns what it prints."""

    def run(command, *arguments, **options):
        capsys.readouterr()
        call_command(command, *arguments, **options)
        return capsys.readouterr().out

    return run
