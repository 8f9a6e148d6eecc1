"""Metrics for Prometheus: counted requests, and figures read from the database when scraped.

Each process of the web server keeps its counts in a file; a scrape returns the sum of all. Counts
outlive their process: the files of ended processes are merged into one.
"""

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.core.cache import cache
from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from operations import installation_figures

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 1.0, 3.0, 10.0)
# Seconds for which the figures of the database are cached.
SECONDS_KEPT = 5
RETIRED = "histogram_retired.db"

if settings.METRICS_TOKEN:
    settings.METRICS_DIR.mkdir(parents=True, exist_ok=True)

REQUESTS = Histogram(
    "pawsmith_request_seconds",
    "Requests by route, until their reply began",
    ["route", "method", "status"],
    buckets=BUCKETS,
    registry=None,
)


class Gauges(Collector):
    """The figures of the installation, read when scraped."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield one family for each gauge."""
        now = cache.get_or_set(
            "operations.installation_figures", installation_figures.gauges, SECONDS_KEPT
        )
        for gauge in now or ():
            label = [gauge.label] if gauge.label else []
            family = GaugeMetricFamily(f"pawsmith_{gauge.name}", gauge.help, labels=label)
            for value, number in gauge.values.items():
                family.add_metric([value] if label else [], number)
            yield family


def are_collected() -> bool:
    """Return whether metrics are enabled."""
    return bool(settings.METRICS_TOKEN)


def count(route: str, method: str, status: int, seconds: float) -> None:
    """Count a request. Methods and statuses are grouped, to limit the number of series."""
    known = method if method in METHODS else "other"
    REQUESTS.labels(route, known, f"{status // 100}xx").observe(seconds)


def exposition() -> bytes:
    """Return all metrics in the text format of Prometheus."""
    folder = settings.METRICS_DIR
    folder.mkdir(parents=True, exist_ok=True)
    registry = CollectorRegistry()
    registry.register(Gauges())
    with folder.joinpath("lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _merge_retired(folder)
        MultiProcessCollector(registry, path=str(folder))
        told: bytes = generate_latest(registry)
    return told


def _merge_retired(folder: Path) -> None:
    """Merge the files of ended processes into one, and delete them."""
    gone = [file for file in folder.glob("histogram_*.db") if not _is_written(file)]
    if not gone:
        return
    kept = MmapedDict(str(folder / RETIRED))
    for file in gone:
        for key, value, timestamp, _ in MmapedDict.read_all_values_from_file(str(file)):
            kept.write_value(key, kept.read_value(key)[0] + value, timestamp)
        file.unlink()
    kept.close()


def _is_written(file: Path) -> bool:
    """Return whether the process of a file still runs, or the file is the merged one."""
    if file.name == RETIRED:
        return True
    try:
        os.kill(int(file.stem.rpartition("_")[2]), 0)
    except ProcessLookupError:
        return False
    return True
