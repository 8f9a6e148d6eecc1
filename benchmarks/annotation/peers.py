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

    def __str__(self) -> str:
        rates = ", ".join(f"{rate} at {size}" for size, rate in self.per_second.items())
        return (
            f"{self.name}: judgments/s {rates}; {self.cpu_ms} CPU-ms and {self.statements} "
            "statements a judgment"
        )


DOCCANO = Peer("doccano 1.8.4", 61, {1: 11.5, 8: 15.3, 32: 14.7}, 32)
LABEL_STUDIO = Peer("Label Studio 1.23.2", 262, {1: 2.1, 8: 3.3, 32: 3.2}, 107)
