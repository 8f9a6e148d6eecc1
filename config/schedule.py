"""The schedule of Celery, where clocks are set."""

from typing import Any

from celery.beat import PersistentScheduler


class SteadyScheduler(PersistentScheduler):
    """Goes on when the clock goes back, where Celery's own waits until it is as late again."""

    def tick(self, *arguments: Any, **options: Any) -> float:
        """Send what is due, and say for how many seconds nothing will be."""
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
