"""manage.py runserver: pages work without collectstatic."""

from unittest.mock import Mock

from django.contrib.staticfiles.management.commands import runserver
from django.core.management import call_command


def test_the_files_of_pages_are_collected_before_the_server_starts(settings, tmp_path, monkeypatch):
    settings.STATIC_ROOT, settings.DEBUG = tmp_path, False
    monkeypatch.setattr(runserver.Command, "run", serve := Mock())
    call_command("runserver")
    assert (tmp_path / "pawsmith").is_dir()
    assert serve.called
