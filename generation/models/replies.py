"""Replies of models behind endpoints, and the limits and usage of the work that asks for them."""

from typing import Any, Self
from uuid import UUID, uuid4

from django.db import models

from generation.endpoints import chat


class Spender(models.Model):
    """The columns of work that asks models behind endpoints: what it may use, and has used.

    Replies name it by its `public_id`. Workers go on while its `state` is "running", and may set
    "paused"; concrete models define the others, and `finished_at`. Costs are in millionths of a
    currency.
    """

    public_id = models.UUIDField(default=uuid4, unique=True, editable=False)
    state = models.CharField(max_length=10)
    most_tokens = models.BigIntegerField(
        null=True, blank=True, help_text="Limit of tokens, sent and received; null: asks no model"
    )
    most_cost = models.BigIntegerField(
        null=True, blank=True, help_text="Limit in millionths of the currency; null: none"
    )
    usage = models.JSONField(
        default=dict, blank=True, help_text="Replies, tokens and cost so far, and the currency"
    )
    paused_because = models.CharField(
        max_length=300, blank=True, help_text="Why a worker paused it; empty if a person did"
    )
    waits_until = models.DateTimeField(
        null=True, blank=True, help_text="When workers ask a silent server again"
    )
    silent_since = models.DateTimeField(
        null=True, blank=True, help_text="Since when its server has not answered"
    )

    # In `paused_because`: pages show this reason with figures, in the language of the reader.
    AT_LIMIT = "limit"

    class Meta:
        abstract = True

    @property
    def is_at_limit(self) -> bool:
        return self.paused_because == self.AT_LIMIT

    @property
    def waits_for_server(self) -> bool:
        return self.silent_since is not None

    @property
    def tokens_used(self) -> int:
        return int(self.usage.get("tokens_in", 0) + self.usage.get("tokens_out", 0))

    @property
    def cost_used(self) -> int:
        return int(self.usage.get("cost", 0))


class Reply(models.Model):
    """One answer of a model behind an endpoint, stored as it arrives: it is paid once."""

    digest = models.UUIDField(unique=True, help_text="Of endpoint, model, request and sample")
    spent_by = models.UUIDField(db_index=True, help_text="Public id of the work that paid for it")
    model = models.CharField(max_length=100, help_text="As settings name it")
    text = models.TextField(blank=True)
    finish = models.CharField(max_length=40, blank=True, help_text="Why it ended, by the server")
    tokens_in = models.PositiveIntegerField()
    tokens_out = models.PositiveIntegerField()
    estimated = models.BooleanField(help_text="Whether the server did not count the tokens")
    cost = models.BigIntegerField(help_text="In millionths of the currency of the model")
    logprobs = models.JSONField(default=dict, blank=True, help_text="Of the first tokens, if asked")
    reported = models.CharField(
        max_length=200, blank=True, help_text="Model and fingerprint, as the server says"
    )
    seconds = models.FloatField(help_text="From sending to the end of the reply")
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        verbose_name_plural = "replies"

    def __str__(self) -> str:
        return self.text

    @classmethod
    def from_answer(cls, answer: chat.Reply, spent_by: UUID) -> Self:
        """Return a new row for an answer."""
        values: dict[str, Any] = {name: getattr(answer, name) for name in COLUMNS}
        return cls(**values, spent_by=spent_by)

    @property
    def answer(self) -> chat.Reply:
        return chat.Reply(**{name: getattr(self, name) for name in COLUMNS})


# The columns that a row shares with what the client returns.
COLUMNS = (
    *("digest", "model", "text", "finish", "tokens_in", "tokens_out", "estimated", "cost"),
    *("logprobs", "reported", "seconds"),
)
