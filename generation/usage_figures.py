"""What is shown of models on other servers that runs ask: use, limits, estimates, in words."""

from math import floor, log10

from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from generation import methods
from generation.estimates import Estimate
from generation.models import GenerationRun, Spender
from generation.selectors import Progress

MILLION = 1_000_000
NOT_REPEATABLE = gettext_lazy(
    "Answers of this model cannot be reproduced; candidates are kept as they came."
)


def asks_models(run: GenerationRun) -> bool:
    return run.most_tokens is not None


def is_repeatable(run: GenerationRun) -> bool:
    """Whether the same settings and seed give the same candidates; of imported ones, unknown."""
    method = methods.METHODS.get(run.method)
    return method is None or method.repeatable(run.settings)


def use(run: Spender) -> list[tuple[str, str]]:
    """Return names and figures: replies, those of earlier work, tokens and cost with the limits."""
    usage = run.usage
    rows = [(_("Replies"), number(usage.get("replies", 0)))]
    if reused := usage.get("reused"):
        rows.append((_("Reused replies"), number(reused)))
    rows.append((_("Tokens"), _up_to(number(run.tokens_used), number(run.most_tokens or 0))))
    if currency := usage.get("currency", ""):
        cost = amount(run.cost_used, currency)
        most = "" if run.most_cost is None else amount(run.most_cost, currency)
        rows.append((_("Cost"), _up_to(cost, most)))
    return rows


def warnings(run: GenerationRun) -> list[str]:
    """Return what makes the figures or the candidates of a run less certain."""
    texts = []
    if len(reported := run.usage.get("reported", [])) > 1:
        text = _("The server reported more than one model or version: %(names)s.")
        texts.append(text % {"names": ", ".join(reported)})
    if estimated := run.usage.get("estimated", 0):
        text = _("Replies whose tokens the server did not count: %(n)s. They are estimated.")
        texts.append(text % {"n": number(estimated)})
    return texts


def limit_reached(run: GenerationRun, progress: Progress) -> str:
    """Return why a run at its limit is paused; "" of any other run."""
    if not run.is_at_limit:
        return ""
    text = _("%(done)s of %(whole)s sentences done.")
    values = {"done": number(progress.done), "whole": number(progress.total)}
    return f"{nearest_limit(run)} {text % values}"


def nearest_limit(work: Spender) -> str:
    """Return as a sentence that the limit of which less is left is reached, or nearly."""
    if is_cost_nearer(work):
        currency = work.usage.get("currency", "")
        left = (work.most_cost or 0) - work.cost_used
        values = {"limit": amount(work.most_cost or 0, currency), "left": amount(left, currency)}
    else:
        left = (work.most_tokens or 0) - work.tokens_used
        values = {
            "limit": _("%(n)s tokens") % {"n": number(work.most_tokens or 0)},
            "left": _("%(n)s tokens") % {"n": number(left)},
        }
    if left <= 0:
        return _("The limit of %(limit)s is reached.") % values
    text = _(
        "The limit of %(limit)s is nearly reached: the next request may need more than %(left)s."
    )
    return text % values


def is_cost_nearer(work: Spender) -> bool:
    """Whether less is left of the limit of cost than of that of tokens."""
    if not work.most_cost:
        return False
    return work.cost_used / work.most_cost >= work.tokens_used / (work.most_tokens or 1)


def next_try(run: GenerationRun) -> str:
    """Return when workers ask a silent server again; "" unless they wait for it."""
    if run.waits_until is None or run.waits_until <= timezone.now():
        return ""
    time = date_format(timezone.localtime(run.waits_until), "TIME_FORMAT")
    return _("Workers ask again at %(time)s.") % {"time": time}


def estimated(estimate: Estimate) -> str:
    """Return text such as “About 2,000 replies with 1.2 million tokens, 0.84 EUR.”"""
    values = {"replies": number(estimate.requests), "tokens": rounded(estimate.tokens)}
    if not estimate.currency:
        return _("About %(replies)s replies with %(tokens)s tokens.") % values
    values["cost"] = amount(estimate.cost, estimate.currency)
    return _("About %(replies)s replies with %(tokens)s tokens, %(cost)s.") % values


def exceeds_limit(run: GenerationRun, estimate: Estimate) -> bool:
    is_above = run.tokens_used + estimate.tokens > (run.most_tokens or 0)
    return is_above or (run.most_cost or float("inf")) < run.cost_used + estimate.cost


def number(value: int) -> str:
    return str(number_format(value, force_grouping=True))


def rounded(tokens: int) -> str:
    """Return a number with two digits: 340, 12,000, 1.2 million."""
    if tokens >= MILLION:
        digits = 0 if tokens >= 10 * MILLION else 1
        millions = round(tokens / MILLION, digits)  # number_format truncates
        text = number_format(millions, decimal_pos=digits, force_grouping=True)
        return _("%(n)s million") % {"n": text}
    step = 10 ** max(0, len(str(tokens)) - 2)
    return number(round(tokens / step) * step)


def amount(millionths: int, currency: str) -> str:
    """Return a sum of money, such as “0.84 EUR”; below 1 with two significant digits."""
    value = millionths / MILLION
    digits = min(6, 1 - floor(log10(value))) if 0 < value < 1 else 2
    text = number_format(round(value, digits), decimal_pos=digits, force_grouping=True)
    return f"{text} {currency}"


def _up_to(used: str, most: str) -> str:
    return _("%(used)s of %(most)s") % {"used": used, "most": most} if most else used
