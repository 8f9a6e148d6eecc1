"""Numbers as people read them, in the language of the page."""

from datetime import timedelta
from typing import Any, Literal

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

register = template.Library()
NOTHING = "–"
UNBROKEN = "\N{NO-BREAK SPACE}"
# Django hands "" to a filter where the attribute of a None was asked for.
Number = float | Literal[""] | None
Interval = tuple[float, float] | Literal[""] | None


@register.filter
def number(value: Number, digits: int = 0) -> str:
    """With its thousands marked; a dash for nothing."""
    if value is None or value == "":
        return NOTHING
    rounded = round(value, digits)  # number_format cuts digits off
    return str(number_format(rounded, decimal_pos=digits, force_grouping=True))


@register.filter
def share(value: Number, digits: int = 1) -> str:
    """A part of one, in percent: 0.947 as “94.7 %”."""
    if value is None or value == "":
        return NOTHING
    return f"{number(100 * value, digits)}{UNBROKEN}%"


@register.filter
def shares(interval: Interval, digits: int = 1) -> str:
    """An interval of such parts: “93.9–95.2 %”."""
    if not interval:
        return ""
    low, high = (number(100 * end, digits) for end in interval)
    return f"{low}–{high}{UNBROKEN}%"


@register.filter
def between(interval: Interval, digits: int = 2) -> str:
    """An interval of other numbers; one that begins below zero has words between its ends."""
    if not interval:
        return ""
    low, high = (number(end, digits) for end in interval)
    return _("%(low)s to %(high)s") % {"low": low, "high": high}


@register.filter
def hours(value: float) -> str:
    """So many hours, in the unit that suits."""
    if value < 1:
        minutes = max(1, round(60 * value))
        return ngettext("%(n)s minute", "%(n)s minutes", minutes) % {"n": number(minutes)}
    if value < 48:
        return ngettext("%(n)s hour", "%(n)s hours", round(value)) % {"n": number(round(value))}
    days = round(timedelta(hours=value) / timedelta(days=1))
    return ngettext("%(n)s day", "%(n)s days", days) % {"n": number(days)}


@register.filter
def item(mapping: Any, key: Any) -> Any:
    """What a dictionary holds under a key that is known only here; None where it has none."""
    return mapping.get(key)
