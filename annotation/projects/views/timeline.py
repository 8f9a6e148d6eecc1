"""How a study went: its periods as rows, and the same as charts above one another."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from annotation.projects.charts import panels
from annotation.projects.charts.axis import axis
from annotation.projects.charts.panels import Estimate, Panel, Tick
from annotation.projects.selectors.over_time import Course
from annotation.stats.agreement import VoteTable, human_agreement, krippendorff_alpha
from annotation.stats.periods import DAY, HOUR, MINUTE, Periods
from annotation.stats.uncertainty import agreement_interval, alpha_interval

# Samples of pairs are drawn with it: the same rows always give the same interval.
SEED = 2019
HEIGHT, LOW_HEIGHT = 110, 70
# Up to here an axis has whole steps, so that none is written twice.
LEAST = 4


@dataclass(frozen=True, slots=True)
class Stretch:
    """What happened in one period; `word` stands below the charts, `name` in the table."""

    begins: datetime
    word: str
    name: str
    answers: int
    decided: int
    agreement: Estimate | None
    alpha: Estimate | None


@dataclass(frozen=True, slots=True)
class Timeline:
    """The periods, and their measures on one axis of time."""

    stretches: list[Stretch]
    agreement: Panel
    alpha: Panel
    answers: Panel
    ticks: list[Tick]
    each: str


def of_course(course: Course) -> Timeline:
    """Charts and rows of the same numbers."""
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
    """Each period, the oldest first."""
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
    """The measure of PAWS with its interval; None without a judgment."""
    value = human_agreement(votes)
    return None if value is None else Estimate(value, agreement_interval(votes))


def alpha(votes: VoteTable) -> Estimate | None:
    """Krippendorff's with its interval; None where it is not defined."""
    value = krippendorff_alpha(votes)
    return None if value is None else Estimate(value, alpha_interval(votes, seed=SEED))


def moment(seconds: int) -> datetime:
    """In the time zone of the reader."""
    return timezone.localtime(datetime.fromtimestamp(seconds, UTC))


def word(begins: datetime, periods: Periods) -> str:
    """For an axis: the date where a day begins; times of day on two days at most."""
    of_day = begins.hour * HOUR + begins.minute * MINUTE
    if periods.length >= DAY or of_day < periods.length:
        return date_format(begins, "MONTH_DAY_FORMAT")
    return "" if periods.number * periods.length > 2 * DAY else date_format(begins, "TIME_FORMAT")


def name(begins: datetime, length: int) -> str:
    """A period of so many seconds, in full."""
    if length == DAY:
        return f"{date_format(begins, 'D')} {date_format(begins, 'DATE_FORMAT')}"
    if length > DAY:
        return days(begins, begins + timedelta(seconds=length - DAY))
    end = begins + timedelta(seconds=length)
    return f"{date_format(begins, 'DATETIME_FORMAT')}–{date_format(end, 'TIME_FORMAT')}"


def days(first: date, last: date) -> str:
    """From one day to another of the same year, or nearly."""
    return f"{date_format(first, 'MONTH_DAY_FORMAT')} – {date_format(last, 'DATE_FORMAT')}"


def _dots(estimates: list[Estimate | None]) -> Panel:
    """Perfect agreement is the upper end of both measures."""
    ends = [end for each in estimates if each for end in (each.value, *(each.interval or ()))]
    return panels.dots(estimates, axis(min([*ends, 0.9]), 1.0), height=HEIGHT)


def _each(length: int) -> str:
    """What a mark in the charts is of."""
    names = {HOUR: _("in each hour"), DAY: _("on each day"), 7 * DAY: _("in each week")}
    if length in names:
        return names[length]
    if length < HOUR:
        return _("in each %(n)s minutes") % {"n": length // MINUTE}
    if length < DAY:
        return _("in each %(n)s hours") % {"n": length // HOUR}
    return _("in each %(n)s weeks") % {"n": length // (7 * DAY)}
