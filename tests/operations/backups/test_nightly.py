"""One backup a night, and a warning when there was none."""

from datetime import datetime, timedelta
from unittest.mock import Mock

import pytest
from django.utils import timezone
from django.utils.module_loading import import_string

from config import celery_app
from operations import backups, tasks
from operations.backups import BackupError, folders, nightly


def at(day, hour, minute=0):
    return datetime(2026, 5, day, hour, minute, tzinfo=timezone.get_default_timezone())


@pytest.fixture
def folder(tmp_path, settings, monkeypatch):
    settings.BACKUP_DIR = str(tmp_path / "backups")
    monkeypatch.setattr(nightly.timezone, "now", lambda: at(5, 12))
    return tmp_path / "backups"


def test_a_backup_is_due_once_it_has_been_three_o_clock_and_late_after_26_hours(folder, settings):
    for name in (".unfinished", "2026-05-04", "notes"):  # which are no backups
        (folder / name).mkdir(parents=True)
    assert (backups.is_due(at(4, 12)), backups.is_late(at(4, 12))) == (True, True)
    for made, now, is_due, is_late in [
        (at(4, 3, 5), at(5, 2, 59), False, False),
        (at(4, 3, 5), at(5, 3, 0), True, False),
        (at(4, 12), at(5, 3, 30), True, False),
        (at(3, 3), at(4, 2), False, False),
        (at(3, 2), at(4, 2), True, False),
        (at(4, 3), at(5, 5), True, False),
        (at(4, 3), at(5, 5, 1), True, True),
    ]:
        both = [folder / folders.name_at(each) for each in (made - timedelta(days=1), made)]
        for place in both:
            place.mkdir()
        assert backups.newest(folder).made_at == made
        assert (backups.is_due(now), backups.is_late(now)) == (is_due, is_late), (made, now)
        for place in both:
            place.rmdir()
    settings.BACKUP_DIR = ""
    found = (backups.folder(), backups.is_due(at(4, 12)), backups.is_late(at(4, 12)))
    assert found == (None, False, False)


def test_workers_make_one_where_it_is_due_or_log_why_not(folder, monkeypatch, settings, caplog):
    (folder / folders.name_at(at(4, 3))).mkdir(parents=True)
    monkeypatch.setattr(nightly, "make", make := Mock(side_effect=BackupError("no space")))
    tasks.back_up()
    assert "no space The last one is more than 26 hours old." in caplog.text
    make.reset_mock()
    make.side_effect = lambda where, kept: (where / folders.name_at(at(5, 12))).mkdir() or Mock()
    tasks.back_up()
    tasks.back_up()
    make.assert_called_once_with(folder, kept=settings.BACKUPS_KEPT)
    chores = {import_string(name): seconds for name, seconds in settings.WORKER_CHORES.items()}
    due = celery_app.conf.beat_schedule["backup"]
    assert (chores[backups.back_up_when_due], due["schedule"]) == (3600.0, 3600.0)
    assert due["task"] == tasks.back_up.name
