"""What the peers were measured at: constants, not taken in this run.

5,000 pairs, two labels, gunicorn with 2 workers and Postgres 15 on 2 shared cores, November 2026.
That machine was busy, so compare rates as ratios; CPU time for a judgment is disturbed least.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Peer:
    """CPU-milliseconds (web and database) and rate, by the number of annotators at once."""

    name: str
    cpu_ms: float
    per_second: dict[int, float]
    statements: int


DOCCANO = Peer("doccano 1.8.4", 61, {1: 11.5, 8: 15.3, 32: 14.7}, 32)
LABEL_STUDIO = Peer("Label Studio 1.23.2", 262, {1: 2.1, 8: 3.3, 32: 3.2}, 107)
