"""Tries a model with four short requests: what it costs in time and tokens, and understands."""

from collections.abc import Iterator
from dataclasses import replace

from generation.endpoints.chat import Model, NoLedger, Reply, Request
from generation.endpoints.client import Chat

QUESTION = "Write a sentence of six to ten words about the sea. Answer with the sentence alone."
REQUEST = Request((("user", QUESTION),), temperature=1.0, top_p=1.0, max_tokens=64, seed=1)


def report(model: Model) -> Iterator[str]:
    """Ask four times, one after the other, and return lines about the replies.

    Raises EndpointError.
    """
    first = _reply(model, REQUEST)
    if first.refused:
        yield f"refused: {first.refused}"
        yield "Correct served, tokens_field, extra, or write seed = false: one of them is unknown."
        return
    same = _reply(model, replace(REQUEST, sample=1))
    other = _reply(model, replace(REQUEST, sample=2, seed=2))
    with_logprobs = _reply(replace(model, logprobs=True), replace(REQUEST, sample=3, logprobs=2))
    replies = [first, same, other]
    yield f"{first.text!r}"
    yield _figures(replies)
    yield from _about_texts(model, *replies)
    yield from _about_logprobs(model, with_logprobs)


def _reply(model: Model, request: Request) -> Reply:
    return next(Chat(model, NoLedger(), tries=1).ask([request]))


def _figures(replies: list[Reply]) -> str:
    def span(values: list[float], places: int) -> str:
        least, most = (f"{value:.{places}f}" for value in (min(values), max(values)))
        return least if least == most else f"{least} to {most}"

    seconds = span([reply.seconds for reply in replies], 2)
    sent = span([reply.tokens_in for reply in replies], 0)
    received = span([reply.tokens_out for reply in replies], 0)
    estimated = " (estimated: the server does not count them)" if replies[0].estimated else ""
    return f"{seconds} seconds a reply; tokens: {sent} sent, {received} received{estimated}"


def _about_texts(model: Model, first: Reply, same: Reply, other: Reply) -> Iterator[str]:
    if not first.text:
        yield (
            "No text within 64 tokens: the model thinks first, and each reply pays for that. "
            "Turn that off, for example: "
            "extra = { chat_template_kwargs = { enable_thinking = false } }"
        )
    elif first.text == same.text == other.text:
        yield (
            "All texts are equal: the server does not sample. "
            "`transformers serve` needs do_sample = true in generation_config.json."
        )
    elif model.seed:
        repeats = "the same text" if first.text == same.text else "another text"
        yield f"The same seed gives {repeats}, another seed another text."
    else:
        yield "Texts differ. If the server understands seeds, write seed = true."


def _about_logprobs(model: Model, reply: Reply) -> Iterator[str]:
    if reply.logprobs:
        advice = "" if model.logprobs else " Write logprobs = true."
        yield f"Log probabilities come.{advice}"
    else:
        advice = " Write logprobs = false." if model.logprobs else ""
        yield f"No log probabilities come.{advice}"
