"""The condition of an installation: workers, waiting work, capacity and problems."""

import platform
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Any, NamedTuple

import django
from django.conf import settings
from django.contrib.humanize.templatetags.humanize import naturaltime
from django.template.defaultfilters import date, filesizeformat
from django.utils.functional import Promise
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from prometheus_client import CollectorRegistry, Gauge, generate_latest

from annotation.seals import selectors as seals
from common import clock
from evaluation.services import EVALUATIONS
from generation.models import Queue, Worker
from generation.selectors import SILENT_AFTER, parked_batches
from operations import backups, storage
from operations.models import Delivery
from operations.work import KINDS, WORKS, Waiting, waiting_work

# Work without progress for this long needs attention.
SILENCE = timedelta(minutes=10)
RECENTLY = timedelta(weeks=1)
LITTLE_DISK, NO_DISK = 0.10, 0.02


class Subject(NamedTuple):
    """What a problem is about, with its icon and the page of the documentation about it."""

    name: Promise
    icon: str
    topic: str


WORKERS = Subject(gettext_lazy("Workers"), "settings", "operator/workers")
BATCHES = Subject(gettext_lazy("Batches"), "swap", "operator/workers")
WORK = Subject(gettext_lazy("Work"), "clock", "operator/workers")
DISK = Subject(gettext_lazy("Disk"), "data", "operator/monitoring")
BACKUPS = Subject(gettext_lazy("Backups"), "data", "operator/backups")
SEALS = Subject(gettext_lazy("Seals"), "check", "operator/backups")
EVENTS = Subject(gettext_lazy("Events"), "letter", "operator/events")
MAIL = Subject(gettext_lazy("Email"), "letter", "")


class Level(StrEnum):
    """The severity: an error keeps people or workers from working; from notes on, all is well."""

    ERROR = "ERROR"
    WARNING = "WARNING"
    NOTE = "note"
    HINT = "hint"
    FINE = "fine"


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem, and what to do about it."""

    level: Level
    subject: Subject
    text: str
    advice: str


error, warning, note, hint, fine = (partial(Finding, level) for level in Level)


@dataclass(frozen=True, slots=True)
class Condition:
    """The condition at one moment.

    Attributes:
        at: the moment, by the clock of the database.
        findings: problems, errors first.
        waits: work for workers.
        workers: all with a heartbeat in the last day.
        present: those with one in the last minute; the others are dead or disconnected.
        facts: versions, sizes and free space, each by its name.
    """

    at: datetime
    findings: list[Finding]
    waits: list[Waiting]
    workers: list[Worker]
    present: list[Worker]
    facts: dict[str, str]


def read_condition() -> Condition:
    moment = clock.now()
    waits, workers = waiting_work(moment), list(Worker.objects.all())
    present = [worker for worker in workers if moment - worker.seen_at < SILENT_AFTER]
    findings = [
        *_findings_of_workers(waits, present),
        *_findings_of_work(waits, moment),
        *_findings_of_disk(),
        *_findings_of_backups(moment),
        *_findings_of_seals(moment),
        *_findings_of_events(moment),
    ]
    errors_first = sorted(findings, key=lambda finding: finding.level)
    return Condition(moment, errors_first, waits, workers, present, _facts())


def notes(condition: Condition) -> Iterator[Finding]:
    """Yield what staff should know, though nothing is wrong."""
    if backups.folder() is None and not settings.ADDRESS.is_public:
        _version, size = storage.describe_database()
        reason = _("The database has %(size)s.") % {"size": filesizeformat(size)}
        yield note(BACKUPS, _("There is no backup yet."), reason)
    if not settings.SENDS_MAIL:
        reason = _("People who forget their password need a link from you.")
        yield hint(MAIL, _("Pawsmith sends no email."), reason)
    if condition.present and not condition.waits:
        last = max(worker.seen_at for worker in condition.present)
        text = ngettext(
            "The worker runs and nothing waits.",
            "%(number)d workers run and nothing waits.",
            len(condition.present),
        )
        seen = _("Last sign of life %(time)s") % {"time": naturaltime(last)}
        yield fine(WORKERS, text % {"number": len(condition.present)}, seen)


def metrics() -> bytes:
    """Return the condition as gauges for Prometheus, in its text format."""
    registry, condition = CollectorRegistry(), read_condition()

    def gauge(name: str, text: str, *labels: str) -> Gauge:
        return Gauge(f"pawsmith_{name}", text, labels, registry=registry)

    waits = gauge("waiting", "Work that is not done", "kind")
    silence = gauge("waiting_seconds", "Longest without progress", "kind")
    for kind in KINDS:
        silences = [work.silence(condition.at) for work in condition.waits if work.kind == kind]
        waits.labels(kind).set(len(silences))
        silence.labels(kind).set(max(time.total_seconds() for time in silences) if silences else 0)
    workers = gauge("workers", "With a heartbeat in the last minute", "queue")
    for queue in sorted({*Queue.values, *(work.queue for work in WORKS)}):
        workers.labels(queue).set(sum(queue in worker.queues for worker in condition.present))
    gauge("parked_batches", "Batches that failed three times").set(parked_batches().count())
    room = disk()
    gauge("disk_bytes", "Of the data folder").set(room.total)
    gauge("disk_free_bytes", "Of the data folder").set(room.free)
    if backup := backups.newest():
        age = condition.at - backup.made_at
        gauge("backup_age_seconds", "Of the newest").set(age.total_seconds())
    text: bytes = generate_latest(registry)
    return text


def disk() -> Any:
    """Return `total` and `free`, in bytes, of the disk with the data folder."""
    return shutil.disk_usage(settings.DATA_DIR)


def _findings_of_workers(waits: list[Waiting], present: list[Worker]) -> Iterator[Finding]:
    queues = {queue for worker in present for queue in worker.queues}
    for queue in sorted({work.queue for work in waits} - queues):
        text = _("Work is waiting, but no worker is running.")
        advice = _("Start a worker that reads the queue %(queue)s.") % {"queue": queue}
        if queue == Queue.GPU:
            text = _("Work is waiting for a worker with a GPU, but none is running.")
        elif queue == Queue.ENDPOINT:
            text = _("Work is waiting for a worker that asks models on other servers.")
            advice = _("Start a worker with --queue endpoint.")
        elif queue == EVALUATIONS.queue:
            text = _("Evaluations are waiting, but no worker evaluates.")
            advice = _("Start a worker with --evaluations.")
        yield error(WORKERS, text, advice)
    if queues.isdisjoint({*Queue.values} - {Queue.ENDPOINT}) and not waits:
        text = _("No worker is running. No work is waiting yet.")
        advice = _("Start one: finished candidates reach annotators through workers.")
        yield warning(WORKERS, text, advice)


def _findings_of_work(waits: list[Waiting], at: datetime) -> Iterator[Finding]:
    for work in waits:
        if work.since is not None and work.silence(at) >= SILENCE:
            yield _finding_of_silence(work, work.since, at)
    if parked := parked_batches().count():
        text = ngettext(
            "%(number)d batch has failed three times and is parked.",
            "%(number)d batches have failed three times and are parked.",
            parked,
        )
        advice = _("See the run’s page for the reason. Fix the cause, then retry.")
        yield warning(BATCHES, text % {"number": parked}, advice)


def _finding_of_silence(work: Waiting, since: datetime, at: datetime) -> Finding:
    names = {"name": work.name, "time": timesince(since, at)}
    text = _("%(name)s has made no progress for %(time)s.") % names
    if work.is_held:
        advice = _("A worker is processing it. If this continues, check its log and restart it.")
    else:
        advice = _("No worker is processing it: all are busy, or too few are running.")
    return warning(WORK, text, advice)


def _findings_of_disk() -> Iterator[Finding]:
    room = disk()
    free = filesizeformat(room.free)
    text = _("Only %(free)s are free on the disk with the data folder.") % {"free": free}
    advice = _("Free disk space now to avoid losing data.")
    if room.free < NO_DISK * room.total:
        yield error(DISK, text, advice)
    elif room.free < LITTLE_DISK * room.total:
        yield warning(DISK, text, advice)


def _findings_of_backups(at: datetime) -> Iterator[Finding]:
    if backups.folder() is None and settings.ADDRESS.is_public:
        text = _("No backups are made.")
        yield warning(BACKUPS, text, _("Set PAWSMITH_BACKUP_DIR to a folder on another disk."))
    elif backups.is_late(at):
        is_there = backups.newest() is not None
        text = _("The last backup is over a day old.") if is_there else _("There is no backup yet.")
        yield error(BACKUPS, text, _("Check the log of the worker, then make a backup."))


def _findings_of_seals(at: datetime) -> Iterator[Finding]:
    since = seals.waiting_consensus().values_list("decided_at", flat=True).first()
    if since is not None and at - since >= SILENCE:
        text = _("Answers to pairs decided over ten minutes ago are not sealed.")
        yield warning(SEALS, text, _("Workers seal them. Check the log of a worker."))


def _findings_of_events(at: datetime) -> Iterator[Finding]:
    failed = Delivery.objects.filter(state=Delivery.State.FAILED, created_at__gt=at - RECENTLY)
    if number := failed.count():
        text = ngettext(
            "%(number)d event of the last week could not be delivered.",
            "%(number)d events of the last week could not be delivered.",
            number,
        )
        advice = _("See the page Events for the reason. Fix the cause, then send again.")
        yield warning(EVENTS, text % {"number": number}, advice)


def _facts() -> dict[str, str]:
    room, backup = disk(), backups.newest()
    sizes = {"free": filesizeformat(room.free), "total": filesizeformat(room.total)}
    version, size = storage.describe_database()
    return {
        _("Pawsmith"): settings.VERSION,
        _("Python, Django"): f"{platform.python_version()}, {django.get_version()}",
        _("Database"): version,
        _("Size of the database"): filesizeformat(size),
        _("Last backup"): date(backup.made_at, "DATETIME_FORMAT") if backup else _("never"),
        _("Disk with the data folder"): _("%(free)s of %(total)s are free") % sizes,
    }
