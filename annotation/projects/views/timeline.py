"""A study over time, as rows and as charts."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from annotation.projects import charts
from annotation.projects.charts import Panel, Tick
from annotation.projects.selectors.over_time import Course
from annotation.stats.agreement import Estimate, headline_alpha, human_by
from annotation.stats.labels import Scheme
from annotation.stats.periods import DAY, HOUR, MINUTE, Periods

HEIGHT = 70


@dataclass(frozen=True, slots=True)
class Stretch:
    """The figures of one period; `word` labels the charts, `name` the table."""

    begins: datetime
    word: str
    name: str
    answers: int
    decided: int
    agreement: Estimate
    alpha: Estimate


@dataclass(frozen=True, slots=True)
class Timeline:
    """The periods, and their measures on one time axis."""

    stretches: list[Stretch]
    agreement: Panel
    alpha: Panel
    answers: Panel
    ticks: list[Tick]
    each: str


def of_course(course: Course, scheme: Scheme) -> Timeline:
    """Return charts and rows of the same numbers."""
    rows = stretches(course, scheme)
    return Timeline(
        stretches=rows,
        agreement=charts.agreement([row.agreement for row in rows]),
        alpha=charts.agreement([row.alpha for row in rows]),
        answers=charts.bars([row.answers for row in rows], height=HEIGHT),
        ticks=charts.ticks([row.word for row in rows]),
        each=_period_in_words(course.periods.length),
    )


def stretches(course: Course, scheme: Scheme) -> list[Stretch]:
    return [_stretch(course, number, scheme) for number in range(course.periods.number)]


def _stretch(course: Course, number: int, scheme: Scheme) -> Stretch:
    periods, votes = course.periods, course.votes.get(number, {})
    begins = moment(periods.begins(number))
    return Stretch(
        begins=begins,
        word=axis_label(begins, periods),
        name=period_name(begins, periods.length),
        answers=course.answers[number],
        decided=sum(votes.values()),
        agreement=human_by(votes, scheme),
        alpha=headline_alpha(votes, scheme),
    )


def moment(seconds: int) -> datetime:
    """Convert to the reader's time zone."""
    return timezone.localtime(datetime.fromtimestamp(seconds, UTC))


def axis_label(begins: datetime, periods: Periods) -> str:
    """Return an axis label: the date where a day begins; times only for up to two days."""
    of_day = begins.hour * HOUR + begins.minute * MINUTE
    if periods.length >= DAY or of_day < periods.length:
        return date_format(begins, "MONTH_DAY_FORMAT")
    return "" if periods.number * periods.length > 2 * DAY else date_format(begins, "TIME_FORMAT")


def period_name(begins: datetime, length: int) -> str:
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


def _period_in_words(length: int) -> str:
    names = {HOUR: _("per hour"), DAY: _("per day"), 7 * DAY: _("per week")}
    if length in names:
        return names[length]
    if length < HOUR:
        return _("per %(n)s minutes") % {"n": length // MINUTE}
    if length < DAY:
        return _("per %(n)s hours") % {"n": length // HOUR}
    return _("per %(n)s weeks") % {"n": length // (7 * DAY)}
