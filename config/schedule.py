"""The scheduler of Celery beat."""

from typing import Any

from celery.beat import PersistentScheduler


class SteadyScheduler(PersistentScheduler):
    """Continues when the clock is set back; Celery's own would wait for the former time."""

    def tick(self, *arguments: Any, **options: Any) -> float:
        """Send what is due, and return the seconds until the next task."""
        now = self.app.now()
        of_the_future = [
            entry
            for entry in self.schedule.values()
            if entry.last_run_at is not None and entry.last_run_at > now
        ]
        for entry in of_the_future:
            entry.last_run_at = now
        if of_the_future:
            self._heap = None  # it is ordered by the old clock
        seconds: float = super().tick(*arguments, **options)
        return seconds
