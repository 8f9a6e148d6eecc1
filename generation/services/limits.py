"""Limits of runs whose models are behind endpoints: tokens, and cost if the models have prices."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from generation import installed_endpoints, methods
from generation.endpoints.chat import Model, UnknownModel
from generation.errors import AtLimit, BadLimit, MissingModel
from generation.methods.contract import Settings
from generation.models import Spender

DEFAULT_TOKENS = 5_000_000
# Where the operator sets no limit.
MOST_TOKENS = 10**15
# In the currency; stored in millionths.
MOST_COST = 10**9
MILLION = 1_000_000


def models_of(method: str, settings: Settings) -> list[Model]:
    """Return the models behind endpoints of a whole configuration. Raises MissingModel."""
    names = methods.named(method).endpoint_models(settings)
    try:
        return [installed_endpoints.endpoints().model(name) for name in names]
    except UnknownModel as error:
        raise MissingModel(str(error)) from error


def currency_of(models: Sequence[Model]) -> str:
    """Return the currency of the prices; "" without any. Raises BadLimit if there are two."""
    currencies = sorted({model.currency for model in models if model.currency})
    if len(currencies) > 1:
        text = _("Choose models with prices in one currency, not in %(currencies)s.")
        raise BadLimit(text % {"currencies": ", ".join(currencies)})
    return "".join(currencies)


def highest_tokens(models: Iterable[Model]) -> int:
    """Return the highest limit that the operator allows for all these models."""
    return min([MOST_TOKENS, *(model.most_tokens for model in models if model.most_tokens)])


def default_tokens(models: Iterable[Model]) -> int:
    return min(DEFAULT_TOKENS, highest_tokens(models))


def changed_columns(
    models: Sequence[Model], most_tokens: int | None, most_cost: float | None
) -> dict[str, Any]:
    """Return the limits that are set, as columns; the others stay as they are. Raises BadLimit."""
    if most_tokens is None and most_cost is None:
        return {}
    values = {"most_tokens": most_tokens, "most_cost": most_cost}
    limits = columns(models, most_tokens, most_cost)
    return {name: limit for name, limit in limits.items() if values[name] is not None}


def columns(
    models: Sequence[Model], most_tokens: int | None = None, most_cost: float | None = None
) -> dict[str, Any]:
    """Return the limits as columns of a Spender, from the cost in the currency of the models.

    Without a limit of tokens there is a default. Raises BadLimit.
    """
    if not models:
        if most_tokens is None and most_cost is None:
            return {}
        raise BadLimit(_("Leave out the limits: this run asks no model on another server."))
    highest = highest_tokens(models)
    if most_tokens is None:
        most_tokens = default_tokens(models)
    if not 1 <= most_tokens <= highest:
        text = _("The limit of tokens must be between 1 and %(highest)s.")
        raise BadLimit(text % {"highest": number_format(highest, force_grouping=True)})
    if most_cost is None:
        return {"most_tokens": most_tokens, "most_cost": None}
    if not currency_of(models):
        raise BadLimit(_("Leave out the limit of cost: the model has no price."))
    if not 0 < most_cost <= MOST_COST:
        text = _("The limit of cost must be above 0, and at most %(highest)s.")
        raise BadLimit(text % {"highest": number_format(MOST_COST, force_grouping=True)})
    return {"most_tokens": most_tokens, "most_cost": round(most_cost * MILLION)}


def check_raised(spender: Spender, changes: Mapping[str, int]) -> None:
    """Refuse to resume work that would be paused again immediately. Raises AtLimit."""
    if not spender.is_at_limit:
        return
    if not any(value > (getattr(spender, name) or 0) for name, value in changes.items()):
        raise AtLimit(_("The limit is still reached. Resume with a higher one."))
