"""A study over time, as rows and as charts."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from annotation.projects.charts import panels
from annotation.projects.charts.axis import axis
from annotation.projects.charts.panels import Estimate, Panel, Tick
from annotation.projects.selectors.over_time import Course
from annotation.stats import agreement as agreement_of
from annotation.stats.agreement import VoteTable, human, krippendorff_alpha
from annotation.stats.periods import DAY, HOUR, MINUTE, Periods

HEIGHT, LOW_HEIGHT = 110, 70
# Shortest axis with whole steps; below it, rounded labels would repeat.
LEAST = 4


@dataclass(frozen=True, slots=True)
class Stretch:
    """The figures of one period; `word` labels the charts, `name` the table."""

    begins: datetime
    word: str
    name: str
    answers: int
    decided: int
    agreement: Estimate | None
    alpha: Estimate | None


@dataclass(frozen=True, slots=True)
class Timeline:
    """The periods, and their measures on one time axis."""

    stretches: list[Stretch]
    agreement: Panel
    alpha: Panel
    answers: Panel
    ticks: list[Tick]
    each: str


def of_course(course: Course) -> Timeline:
    """Return charts and rows of the same numbers."""
    rows = stretches(course)
    numbers = [each.answers for each in rows]
    return Timeline(
        stretches=rows,
        agreement=_dots([each.agreement for each in rows]),
        alpha=_dots([each.alpha for each in rows]),
        answers=panels.bars(numbers, axis(0, max(LEAST, *numbers)), height=LOW_HEIGHT),
        ticks=panels.ticks([each.word for each in rows]),
        each=_each(course.periods.length),
    )


def stretches(course: Course) -> list[Stretch]:
    """Return the periods, oldest first."""
    periods = course.periods
    begins = [moment(periods.begins(number)) for number in range(periods.number)]
    return [
        Stretch(
            begins=time,
            word=word(time, periods),
            name=name(time, periods.length),
            answers=course.answers[number],
            decided=sum(course.votes.get(number, {}).values()),
            agreement=agreement(course.votes.get(number, {})),
            alpha=alpha(course.votes.get(number, {})),
        )
        for number, time in enumerate(begins)
    ]


def agreement(votes: VoteTable) -> Estimate | None:
    """Return human agreement (PAWS) with its interval; None without judgments."""
    return drawn(human(votes))


def alpha(votes: VoteTable) -> Estimate | None:
    """Return Krippendorff's alpha with its interval; None if undefined."""
    return drawn(krippendorff_alpha(votes))


def drawn(estimate: agreement_of.Estimate | None) -> Estimate | None:
    """Convert an estimate for charts; None if there is nothing to draw."""
    if estimate is None or estimate.value is None:
        return None
    return Estimate(estimate.value, estimate.interval)


def moment(seconds: int) -> datetime:
    """Convert to the reader's time zone."""
    return timezone.localtime(datetime.fromtimestamp(seconds, UTC))


def word(begins: datetime, periods: Periods) -> str:
    """Return an axis label: the date where a day begins; times only for up to two days."""
    of_day = begins.hour * HOUR + begins.minute * MINUTE
    if periods.length >= DAY or of_day < periods.length:
        return date_format(begins, "MONTH_DAY_FORMAT")
    return "" if periods.number * periods.length > 2 * DAY else date_format(begins, "TIME_FORMAT")


def name(begins: datetime, length: int) -> str:
    """Return the full name of a period of `length` seconds."""
    if length == DAY:
        return f"{date_format(begins, 'D')} {date_format(begins, 'DATE_FORMAT')}"
    if length > DAY:
        return days(begins, begins + timedelta(seconds=length - DAY))
    end = begins + timedelta(seconds=length)
    return f"{date_format(begins, 'DATETIME_FORMAT')}–{date_format(end, 'TIME_FORMAT')}"


def days(first: date, last: date) -> str:
    """Format a range of days, with the year of the last."""
    return f"{date_format(first, 'MONTH_DAY_FORMAT')} – {date_format(last, 'DATE_FORMAT')}"


def _dots(estimates: list[Estimate | None]) -> Panel:
    """Draw a measure whose maximum is 1, perfect agreement."""
    ends = [end for each in estimates if each for end in (each.value, *(each.interval or ()))]
    return panels.dots(estimates, axis(min([*ends, 0.9]), 1.0), height=HEIGHT)


def _each(length: int) -> str:
    names = {HOUR: _("in each hour"), DAY: _("on each day"), 7 * DAY: _("in each week")}
    if length in names:
        return names[length]
    if length < HOUR:
        return _("in each %(n)s minutes") % {"n": length // MINUTE}
    if length < DAY:
        return _("in each %(n)s hours") % {"n": length // HOUR}
    return _("in each %(n)s weeks") % {"n": length // (7 * DAY)}
