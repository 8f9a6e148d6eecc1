"""What the peers were measured at: constants, not taken in this run.

50,000 pairs with five judgments each, Postgres 15 on 2 shared cores, November 2026.
"""

from dataclasses import dataclass

PAIRS = 50_000


@dataclass(frozen=True, slots=True)
class Peer:
    """Seconds for all pairs; of the export the best that was seen."""

    name: str
    export_seconds: float
    import_seconds: float
    peak_mb: float

    @property
    def exported(self) -> float:
        """Pairs per second."""
        return PAIRS / self.export_seconds

    @property
    def imported(self) -> float:
        """Pairs per second."""
        return PAIRS / self.import_seconds

    def __str__(self) -> str:
        return (
            f"{self.name}: export {self.exported:.0f} pairs/s, peak {self.peak_mb:,.0f} MB; "
            f"import {self.imported:,.0f} pairs/s"
        )


DOCCANO = Peer("doccano 1.8.4", 106, 35, 717)
LABEL_STUDIO = Peer("Label Studio 1.23.2", 486, 37, 1618)
