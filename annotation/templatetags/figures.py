"""Filters that format numbers in the language of the page."""

from datetime import datetime, timedelta
from typing import Any, Literal

from django import template
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common import languages

register = template.Library()
NOTHING = "–"
UNBROKEN = "\N{NO-BREAK SPACE}"
MINUS = "\N{MINUS SIGN}"
# Django passes "" to a filter if the value is an attribute of None.
Number = float | Literal[""] | None
Interval = tuple[float, float] | Literal[""] | None


@register.filter
def number(value: Number, digits: int = 0) -> str:
    """Format a number with thousands separators and a minus sign; a dash for None."""
    if value is None or value == "":
        return NOTHING
    rounded = round(value, digits) + 0  # number_format truncates; -0.0 + 0 is 0.0
    text = str(number_format(rounded, decimal_pos=digits, force_grouping=True))
    return text.replace("-", MINUS)


@register.filter
def share(value: Number, digits: int = 1) -> str:
    """Format a share as a percentage: 0.947 as “94.7 %”."""
    if value is None or value == "":
        return NOTHING
    return f"{number(100 * value, digits)}{UNBROKEN}%"


@register.filter
def shares(interval: Interval, digits: int = 1) -> str:
    """Format an interval of shares: “93.9–95.2 %”."""
    if not interval:
        return ""
    low, high = (number(100 * end, digits) for end in interval)
    return f"{low}–{high}{UNBROKEN}%"


@register.filter
def between(interval: Interval, digits: int = 2) -> str:
    """Format an interval of other numbers: “0.53–0.90”; with "to" if one is negative."""
    if not interval:
        return ""
    low, high = (number(end, digits) for end in interval)
    if MINUS not in low:
        return f"{low}–{high}"
    return _("%(low)s to %(high)s") % {"low": low, "high": high}


@register.filter
def points(difference: float, digits: int = 1) -> str:
    """Format a difference of shares as percentage points with its sign: 0.021 as “+2.1”."""
    rounded = round(100 * difference, digits)
    sign = "+" if rounded > 0 else MINUS if rounded else ""
    return f"{sign}{number(abs(rounded), digits)}"


@register.filter
def hours(value: float) -> str:
    """Format a number of hours as minutes, hours or days."""
    if value < 1:
        minutes = max(1, round(60 * value))
        return ngettext("%(n)s minute", "%(n)s minutes", minutes) % {"n": number(minutes)}
    if value < 48:
        return ngettext("%(n)s hour", "%(n)s hours", round(value)) % {"n": number(round(value))}
    days = round(timedelta(hours=value) / timedelta(days=1))
    return ngettext("%(n)s day", "%(n)s days", days) % {"n": number(days)}


@register.filter
def day(moment: datetime) -> str:
    """Format the day of a moment of this year, or else its month."""
    local = timezone.localtime(moment)
    is_this_year = local.year == timezone.localdate().year
    return date_format(local, "MONTH_DAY_FORMAT" if is_this_year else "YEAR_MONTH_FORMAT")


@register.filter
def language(tag: str) -> str:
    """Format the tag of a language with its name: “German (de)”."""
    return f"{languages.name_of(tag)} ({tag})"


@register.filter
def item(mapping: Any, key: Any) -> Any:
    return mapping.get(key)
