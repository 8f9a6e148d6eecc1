"""Limits and usage of work that asks models on other servers, as runs and model tasks show them.

Costs are in the currency of the model, in requests and in answers alike.
"""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from common.api.endpoints import Sent
from common.bounded_json import MAX_INTEGER
from generation.models import Spender
from generation.services import limits

NO_USAGE: dict[str, Any] = {
    **dict.fromkeys(("replies", "reused", "tokens_in", "tokens_out", "cost", "estimated"), 0),
    "currency": "",
    "reported": [],
}


class Usage(serializers.Serializer[dict[str, Any]]):
    """What was used of models on other servers."""

    replies = serializers.IntegerField(help_text="Replies paid for here")
    reused = serializers.IntegerField(help_text="Replies that earlier work had paid for")
    tokens_in = serializers.IntegerField()
    tokens_out = serializers.IntegerField()
    cost = serializers.FloatField(help_text="In the currency; 0 without prices")
    currency = serializers.CharField(help_text="Empty without prices")
    estimated = serializers.IntegerField(help_text="Replies whose tokens the server did not count")
    reported = serializers.ListField(
        child=serializers.CharField(), help_text="Model and version, as the server says"
    )


class Spending(serializers.Serializer[Any]):
    """The fields of a Spender that have costs."""

    most_cost = serializers.SerializerMethodField(help_text="In the currency; null: no limit")
    usage = serializers.SerializerMethodField(
        help_text="Of models on other servers; null if none is asked"
    )

    def get_most_cost(self, spender: Spender) -> float | None:
        return None if spender.most_cost is None else spender.most_cost / limits.MILLION

    @extend_schema_field(Usage(allow_null=True))
    def get_usage(self, spender: Spender) -> dict[str, Any] | None:
        if spender.most_tokens is None:
            return None
        return {**NO_USAGE, **spender.usage, "cost": spender.cost_used / limits.MILLION}


class Limits(Sent):
    """The limits that a request may set."""

    most_tokens = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_INTEGER,
        help_text="Limit of tokens for a model on another server; "
        f"default: {limits.DEFAULT_TOKENS:,}",
    )
    most_cost = serializers.FloatField(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=limits.MOST_COST,
        help_text="Limit of cost, in the currency of its prices; null: none",
    )
