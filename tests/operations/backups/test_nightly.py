"""One backup a night, and a warning when there was none."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone
from django.utils.module_loading import import_string

from config import celery_app
from operations import backups, tasks
from operations.backups import BackupError, folders, nightly


@pytest.fixture
def folder(tmp_path, settings):
    settings.BACKUP_DIR = str(tmp_path / "backups")
    return tmp_path / "backups"


def at(day, hour, minute=0):
    return datetime(2026, 5, day, hour, minute, tzinfo=timezone.get_default_timezone())


def backed_up(folder, moment):
    (folder / folders.name_at(moment)).mkdir(parents=True)


def test_without_a_folder_none_is_due_and_none_is_late(settings):
    settings.BACKUP_DIR = ""
    assert backups.folder() is None
    assert not backups.is_due(at(4, 12))
    assert not backups.is_late(at(4, 12))


def test_the_first_is_due_at_once(folder):
    assert backups.is_due(at(4, 12))
    assert backups.is_late(at(4, 12))


@pytest.mark.parametrize(
    ("made", "now", "is_due"),
    [
        (at(4, 3, 5), at(4, 12), False),
        (at(4, 3, 5), at(5, 2, 59), False),
        (at(4, 3, 5), at(5, 3, 0), True),
        (at(4, 12), at(5, 3, 30), True),
        (at(3, 23), at(4, 2), False),
        (at(3, 2), at(4, 2), True),
    ],
)
def test_one_is_due_once_it_has_been_three_o_clock(folder, made, now, is_due):
    backed_up(folder, made)
    assert backups.is_due(now) is is_due


@pytest.mark.parametrize(("hours", "is_late"), [(25.9, False), (26.1, True)])
def test_one_is_late_after_26_hours(folder, hours, is_late):
    backed_up(folder, at(4, 3))
    assert backups.is_late(at(4, 3) + timedelta(hours=hours)) is is_late


def test_what_is_no_backup_counts_for_none(folder):
    for name in (".unfinished", "2026-05-04", "notes"):
        (folder / name).mkdir(parents=True)
    assert backups.newest(folder) is None
    assert backups.all_in(folder) == []


def test_the_newest_is_told_by_its_name(folder):
    for day in (2, 4, 3):
        backed_up(folder, at(day, 3))
    found = backups.newest(folder)
    assert found is not None
    assert found.made_at == at(4, 3)


def test_the_task_makes_one_where_it_is_due_and_no_other(folder, monkeypatch, settings):
    made = []

    def make(where, *, kept):
        made.append(kept)
        backed_up(where, timezone.now())
        return backups.newest(where)

    monkeypatch.setattr(nightly, "make", make)
    tasks.back_up()
    tasks.back_up()
    assert made == [settings.BACKUPS_KEPT]


def test_that_none_could_be_made_is_told_in_the_log(folder, monkeypatch, caplog):
    def make(_where, *, kept):
        raise BackupError("no space")

    monkeypatch.setattr(nightly, "make", make)
    backed_up(folder, timezone.now() - timedelta(hours=30))
    tasks.back_up()
    assert "no space The last one is more than 26 hours old." in caplog.text


def test_both_kinds_of_worker_look_for_it_every_hour(settings):
    hour = 3600.0
    chores = {import_string(name): seconds for name, seconds in settings.WORKER_CHORES.items()}
    assert chores[backups.back_up_when_due] == hour
    due = celery_app.conf.beat_schedule["backup"]
    assert (due["task"], due["schedule"]) == (tasks.back_up.name, hour)
