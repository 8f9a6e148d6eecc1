"""The production form: Postgres, Redis, Celery worker and schedule, gunicorn, and Caddy in front.

Three hundred strangers hold slow connections while people judge.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from support.services import sites
from support.services.celery_workers import CeleryWorkers
from support.services.installation import Installation, kill
from support.services.proxy import Proxy, SlowBody, slow_senders
from support.services.servers import free_port, redis_server
from support.services.sites import Servers, Web

STRANGERS = [SlowBody(5_000)] * 250 + [SlowBody(24_000_000, at_once=150_000)] * 50
SECRET = "of-this-benchmark-alone-and-of-more-than-fifty-characters"  # noqa: S105


@dataclass(frozen=True, slots=True)
class Worker:
    """A Celery worker that may be killed; what it has begun comes back to the next one."""

    workers: CeleryWorkers

    def start(self) -> None:
        self.workers.start()

    def kill(self) -> None:
        kill(self.workers.workers.popleft())


@contextmanager
def start_installation() -> Iterator[Servers]:
    """Start everything, with Django of this process set up on the same database."""
    if not Proxy.is_installed():
        raise SystemExit(
            "There is no Caddy, which is part of the production form: apt install caddy"
        )
    with tempfile.TemporaryDirectory(prefix="pawsmith-load-") as name, redis_server() as redis:
        folder = Path(name)
        postgres = sites.start_postgres(folder)
        proxy = Proxy(folder, free_port())
        environment = {
            "PAWSMITH_ADDRESS": proxy.origin,
            "PAWSMITH_SECRET_KEY": SECRET,
            "PAWSMITH_PROXIES": "1",
            "CELERY_BROKER_URL": redis.url,
        }
        sites.set_up(name, postgres.url, **environment)
        home = Installation(postgres.url, folder, environment)
        workers = CeleryWorkers(home)
        web = Web(dict(os.environ), port=proxy.web_port)
        try:
            for start in (web.start, proxy.start, workers.start, workers.start_beat):
                start()
            workers.wait_until_ready()
            yield Servers(web, postgres, proxy, (redis, Worker(workers)))
        finally:
            home.stop()
            proxy.kill()
            web.kill()
            sites.stop_postgres(postgres)


@contextmanager
def slow_strangers(on: Servers) -> Iterator[int]:
    """Slow connections to the proxy until the end; yields how many there are."""
    if on.proxy is None:
        raise ValueError("There is no proxy.")
    with slow_senders(on.proxy, STRANGERS):
        yield len(STRANGERS)
