"""More people than one machine can play: how soon replies come, by arithmetic and by lot.

People take their time, ask, and wait for the reply; each request takes a core for a while, and
waits its turn for one. That is a closed queue with one station (Lazowska et al., Quantitative
System Performance, 1984, chapter 6). Cores of web server and database are counted together.
"""

import heapq
import random
from dataclasses import dataclass
from statistics import quantiles

# CPU-ms of a judgment, web and database together, as measured before commit bb0634be, and how far
# single ones are from that.
SERVICE_MS = 12.0
SPREAD = 0.5
REQUESTS = 60_000


@dataclass(frozen=True, slots=True)
class Site:
    """So many people with so many seconds between reply and answer, on so many cores."""

    people: int
    think: float
    cores: int

    @property
    def load(self) -> float:
        """The share of all cores that is used, as long as nobody waits."""
        return self.people * SERVICE_MS / 1000 / (self.think + SERVICE_MS / 1000) / self.cores


def replies_ms(site: Site, *, seed: int = 1, requests: int = REQUESTS) -> list[float]:
    """How long each request took, its waiting included.

    Pauses are exponential, requests are lognormal, and whoever came first is served first.
    """
    draw = random.Random(seed)
    next_requests = [draw.expovariate(1 / site.think) for _ in range(site.people)]
    heapq.heapify(next_requests)
    cores_free = [0.0] * site.cores
    replies = []
    for _ in range(requests):
        asked_at = heapq.heappop(next_requests)
        begins_at = max(asked_at, cores_free[0])
        done_at = begins_at + SERVICE_MS / 1000 * draw.lognormvariate(-(SPREAD**2) / 2, SPREAD)
        heapq.heapreplace(cores_free, done_at)
        replies.append(1000 * (done_at - asked_at))
        heapq.heappush(next_requests, done_at + draw.expovariate(1 / site.think))
    return replies[requests // 10 :]


def percentile_ms(site: Site, percent: int) -> float:
    """Of the replies, when everybody has been at work for a while."""
    return quantiles(replies_ms(site), n=100)[percent - 1]
