"""Figures of the whole installation; reading them does not become slower as it grows."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Model, OuterRef, Q, Subquery, Sum

from annotation.models import Correction, Judgment, Membership
from annotation.work.selectors import seals
from common import clock
from generation.models import Batch, GenerationRun, Worker
from operations import backups, capacity
from operations.pending import Kind, Waiting, waiting

# Higher numbers are of no use, and counting everything would be slow.
MOST_OPEN = 10_000
# Workers send a heartbeat every 15 seconds.
SILENT_AFTER = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Gauge:
    """A Prometheus gauge, with a number for each value of its label, or for "" without label."""

    name: str
    help: str
    values: Mapping[str, float]
    label: str = ""


def gauges() -> list[Gauge]:
    """Return all gauges, using a few dozen statements at most."""
    now = clock.now()
    waits = waiting(now)
    room = capacity.disk()
    return [
        Gauge("judgments", "Judgments given", {"": _given(Judgment)}),
        Gauge("corrections", "Corrections made", {"": _given(Correction)}),
        Gauge("open_slots", f"Slots to be judged, {MOST_OPEN} at most", {"": _open_slots()}),
        Gauge("held_slots", "Slots that somebody has open", {"": _held_slots()}),
        Gauge("runs", "Generation runs by state", _runs(), "state"),
        Gauge("held_batches", "Batches that a worker holds", {"": _held_batches(now)}),
        Gauge("parked_batches", "Batches that failed three times", {"": parked_batches()}),
        Gauge("waiting", "Runs, drafts and releases that wait", _by_kind(waits), "kind"),
        Gauge("waiting_seconds", "Since anything came of one", _ages(waits, now), "kind"),
        Gauge("workers", "Workers that showed life in the last minute", _workers(now), "queue"),
        Gauge("unsealed_seconds", "Since the oldest unsealed pair", _age(unsealed_since(), now)),
        Gauge("backup_age_seconds", "Of the newest backup", _age(_backed_up_at(), now)),
        Gauge("disk_bytes", "Of the data folder", {"": room.total}),
        Gauge("disk_free_bytes", "Of the data folder", {"": room.free}),
        Gauge("database_bytes", "Tables and indexes", {"": capacity.database_size()}),
    ]


def present_workers(now: datetime) -> list[Worker]:
    """Return the workers with a heartbeat in the last minute."""
    return list(Worker.objects.filter(seen_at__gt=now - SILENT_AFTER))


def parked_batches() -> int:
    """Count batches that failed three times, without those of cancelled runs."""
    live = ~Q(run__state=GenerationRun.State.CANCELLED)
    return Batch.objects.filter(live, state=Batch.State.PARKED).count()


def unsealed_since() -> datetime | None:
    """Return when the oldest decided pair without a seal was decided; None without one."""
    first: datetime | None = seals.waiting().values_list("decided_at", flat=True).first()
    return first


def _backed_up_at() -> datetime | None:
    backup = backups.newest()
    return backup.made_at if backup else None


def _age(since: datetime | None, now: datetime) -> dict[str, float]:
    """Return the seconds since then; empty if there is no time."""
    return {} if since is None else {"": (now - since).total_seconds()}


def _given(model: type[Model]) -> float:
    """Count answers by the last number of each member: they are numbered per person and project."""
    own = model._default_manager.filter(
        annotator=OuterRef("user"), project=OuterRef("project"), submitted_at__isnull=False
    )
    last = own.order_by("-submitted_at").values("number")[:1]
    members = Membership.objects.annotate(last=Subquery(last))
    return float(members.aggregate(given=Sum("last", default=0))["given"])


def _open_slots() -> int:
    slots = Judgment.objects.filter(label=None).order_by("project_id", "queue_key")
    return slots[:MOST_OPEN].count()


def _held_slots() -> int:
    return Judgment.objects.filter(label=None, annotator__isnull=False).count()


def _held_batches(now: datetime) -> int:
    running = Q(run__state=GenerationRun.State.RUNNING, state=Batch.State.OPEN)
    return Batch.objects.filter(running, lease_until__gt=now).count()


def _runs() -> dict[str, float]:
    none = dict.fromkeys(GenerationRun.State.values, 0.0)
    counts = GenerationRun.objects.order_by().values_list("state").annotate(n=Count("pk"))
    return none | dict(counts)


def _by_kind(waits: list[Waiting]) -> dict[str, float]:
    none = dict.fromkeys(map(str, Kind), 0.0)
    return none | Counter[str](each.kind for each in waits)


def _ages(waits: list[Waiting], now: datetime) -> dict[str, float]:
    oldest = dict.fromkeys(map(str, Kind), 0.0)
    for each in waits:
        if each.since is not None:
            oldest[each.kind] = max(oldest[each.kind], (now - each.since).total_seconds())
    return oldest


def _workers(now: datetime) -> dict[str, float]:
    queues = (queue for worker in present_workers(now) for queue in worker.queues)
    return dict(Counter[str](queues))
