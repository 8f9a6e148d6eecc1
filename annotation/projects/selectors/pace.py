"""The pace of judgments, how many are left, and when the last is expected."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count
from django.utils import timezone

from annotation.models import Project
from annotation.projects.selectors import study_rows
from annotation.projects.selectors.over_time import Span
from annotation.projects.selectors.periods import Period
from annotation.stats import periods
from annotation.stats.periods import Forecast, Periods, Window


@dataclass(frozen=True, slots=True)
class Pace:
    """The forecast is None if nothing is left, work has stopped, or the study is too young.

    `window` is the time that was measured, None in a study's first hour.
    """

    left: int
    last: datetime
    window: Window | None
    forecast: Forecast | None
    now: datetime

    @property
    def ends(self) -> tuple[datetime, datetime | None] | None:
        """The dates of the range, once the window is at least a full day."""
        if self.forecast is None or self.window is None or self.window.total < periods.DAY:
            return None
        latest = self.forecast.latest
        return self._after(self.forecast.soonest), None if latest is None else self._after(latest)

    @property
    def is_on_one_day(self) -> bool:
        """Whether both ends of the range fall on the same date."""
        ends = self.ends
        return ends is not None and ends[1] is not None and ends[0].date() == ends[1].date()

    def _after(self, hours: float) -> datetime:
        return self.now + timedelta(hours=hours)


def of_project(project: Project, span: Span) -> Pace:
    """Count open slots and the judgments of the window, in two queries."""
    now = timezone.now()
    left = study_rows.to_judge(project).count()
    window = periods.window((now - span.first).total_seconds())
    forecast = None
    if window is not None:
        answers = _answers(project, window, now)
        forecast = periods.forecast(answers, window, left=left)
    return Pace(left=left, last=span.last, window=window, forecast=forecast, now=now)


def _answers(project: Project, window: Window, now: datetime) -> list[int]:
    """Return the number of judgments in each stretch, latest first."""
    since = now - timedelta(seconds=window.total)
    stretches = Periods(int(since.timestamp()), window.seconds, window.stretches)
    recent = study_rows.counted(project).filter(submitted_at__gte=since)
    counts = dict(recent.values_list(Period("submitted_at", stretches)).annotate(Count("pk")))
    newest = window.stretches - 1
    at_once = sum(number for stretch, number in counts.items() if stretch >= newest)
    return [at_once, *(counts.get(stretch, 0) for stretch in reversed(range(newest)))]
