"""Metrics for Prometheus: counted requests, and figures read from the database when scraped.

Each process of the web server keeps its counts in a file of METRICS_DIR; a scrape returns the sum
of all, ended processes included. config/gunicorn.py empties the folder when the server starts.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from django.conf import settings
from django.core.cache import cache
from django.db.models import Count, OuterRef, Q, Subquery, Sum
from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from annotation.models import Membership, Slot
from common import clock
from generation.models import Batch, GenerationRun
from operations import backups, machine, status
from operations.watchdog import Kind, Waiting, waiting

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 1.0, 3.0, 10.0)
# Seconds for which the figures of the database are cached.
SECONDS_KEPT = 5
# Higher numbers are of no use, and counting everything would be slow.
MOST_OPEN = 10_000

if settings.METRICS_TOKEN:
    settings.METRICS_DIR.mkdir(parents=True, exist_ok=True)

REQUESTS = Histogram(
    "pawsmith_request_seconds",
    "Requests by route, until their reply began",
    ["route", "method", "status"],
    buckets=BUCKETS,
    registry=None,
)


class InstallationFigures(Collector):
    def collect(self) -> Iterable[GaugeMetricFamily]:
        return cache.get_or_set("operations.metrics", lambda: [*_figures()], SECONDS_KEPT) or ()


def count(route: str, method: str, status_code: int, seconds: float) -> None:
    """Count a request. Methods and statuses are grouped, to limit the number of series."""
    known = method if method in METHODS else "other"
    REQUESTS.labels(route, known, f"{status_code // 100}xx").observe(seconds)


def exposition() -> bytes:
    settings.METRICS_DIR.mkdir(parents=True, exist_ok=True)
    registry = CollectorRegistry()
    registry.register(InstallationFigures())
    MultiProcessCollector(registry, path=str(settings.METRICS_DIR))
    text: bytes = generate_latest(registry)
    return text


def _figures() -> Iterator[GaugeMetricFamily]:
    """Yield all gauges, using a few dozen statements at most, however much there is."""
    now = clock.now()
    waits, disk, backup = waiting(now), machine.disk(), backups.newest()
    made_at = backup.made_at if backup else None
    parked, held = status.parked_batches(), _held_batches(now)
    yield _gauge("judgments", "Judgments given", _given("judge"))
    yield _gauge("corrections", "Corrections made", _given("correct"))
    yield _gauge("open_slots", f"Slots to be judged, {MOST_OPEN} at most", _open_slots())
    yield _gauge("held_slots", "Slots in progress", _held_slots())
    yield _gauge("runs", "Generation runs by state", _runs(), label="state")
    yield _gauge("held_batches", "Batches in progress", held)
    yield _gauge("parked_batches", "Batches that failed three times", parked)
    yield _gauge("waiting", "Runs, drafts and releases that wait", _by_kind(waits), label="kind")
    yield _gauge("waiting_seconds", "Longest without progress", _ages(waits, now), label="kind")
    yield _gauge("workers", "With a heartbeat in the last minute", _workers(now), label="queue")
    yield _gauge("unsealed_seconds", "Age of the oldest", _age(status.unsealed_since(), now))
    yield _gauge("backup_age_seconds", "Of the newest", _age(made_at, now))
    yield _gauge("disk_bytes", "Of the data folder", disk.total)
    yield _gauge("disk_free_bytes", "Of the data folder", disk.free)
    yield _gauge("database_bytes", "Tables and indexes", machine.database_size())


def _gauge(
    name: str, text: str, value: float | Mapping[str, float] | None, *, label: str = ""
) -> GaugeMetricFamily:
    """Return a gauge with a number, with one for each value of its label, or without any."""
    family = GaugeMetricFamily(f"pawsmith_{name}", text, labels=[label] if label else [])
    if isinstance(value, Mapping):
        for each, number in value.items():
            family.add_metric([each], number)
    elif value is not None:
        family.add_metric([], value)
    return family


def _age(since: datetime | None, now: datetime) -> float | None:
    return None if since is None else (now - since).total_seconds()


def _given(kind: str) -> float:
    """Count answers by the last serial number of each member in each project."""
    own = Slot.objects.filter(
        kind=kind,
        annotator=OuterRef("user"),
        project=OuterRef("project"),
        submitted_at__isnull=False,
    )
    last = own.order_by("-submitted_at").values("serial")[:1]
    members = Membership.objects.annotate(last=Subquery(last))
    return float(members.aggregate(given=Sum("last", default=0))["given"])


def _open_slots() -> int:
    slots = Slot.objects.unanswered().filter(kind="judge").order_by("project_id", "queue_key")
    return slots[:MOST_OPEN].count()


def _held_slots() -> int:
    return Slot.objects.in_progress().filter(kind="judge").count()


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
        oldest[each.kind] = max(oldest[each.kind], each.silence(now).total_seconds())
    return oldest


def _workers(now: datetime) -> dict[str, float]:
    queues = (queue for worker in status.present_workers(now) for queue in worker.queues)
    return dict(Counter[str](queues))
