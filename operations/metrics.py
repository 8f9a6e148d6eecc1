"""Metrics for Prometheus, read from the database when they are scraped."""

from prometheus_client import CollectorRegistry, Gauge, generate_latest

from generation.models import Queue
from operations import backups, status, work


def exposition() -> bytes:
    """Return all gauges, using a dozen statements, however much there is."""
    registry, condition = CollectorRegistry(), status.now()

    def gauge(name: str, text: str, *labels: str) -> Gauge:
        return Gauge(f"pawsmith_{name}", text, labels, registry=registry)

    waits = gauge("waiting", "Runs, drafts and releases that wait", "kind")
    silence = gauge("waiting_seconds", "Longest without progress", "kind")
    for kind in work.KINDS:
        silences = [each.silence(condition.at) for each in condition.waits if each.kind == kind]
        waits.labels(kind).set(len(silences))
        silence.labels(kind).set(max(each.total_seconds() for each in silences) if silences else 0)
    workers = gauge("workers", "With a heartbeat in the last minute", "queue")
    for queue in Queue.values:
        workers.labels(queue).set(sum(queue in worker.queues for worker in condition.present))
    gauge("parked_batches", "Batches that failed three times").set(status.parked_batches())
    disk = status.disk()
    gauge("disk_bytes", "Of the data folder").set(disk.total)
    gauge("disk_free_bytes", "Of the data folder").set(disk.free)
    if backup := backups.newest():
        age = condition.at - backup.made_at
        gauge("backup_age_seconds", "Of the newest").set(age.total_seconds())
    text: bytes = generate_latest(registry)
    return text
