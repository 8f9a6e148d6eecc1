"""What work will ask models behind endpoints: a run before it starts or is approved, or a judge."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from generation import methods, selectors
from generation.endpoints.chat import Model, estimated_tokens
from generation.models import Corpus, GenerationRun

# A sample of a corpus: its first sentences.
SENTENCES = 200


@dataclass(frozen=True, slots=True)
class Estimate:
    """Requests for a number of sentences or pairs, their tokens, and their cost in millionths."""

    items: int
    requests: int
    tokens: int
    cost: int
    currency: str


def of_corpus(
    corpus: Corpus, method: str, settings: Mapping[str, Any], models: list[Model]
) -> Estimate:
    """Return what a run over the sentences of a corpus will ask, with a whole configuration.

    Settings that depend on the language of the corpus are set here, as a run does when it starts.
    Answers are counted as long as their sentences, and prices are those of the first model.
    """
    sources = selectors.sources(corpus.pk)
    texts = list(sources.values_list("text", flat=True)[:SENTENCES])
    run_method = methods.named(method)
    configuration = run_method.for_corpus({**settings}, corpus.language)
    number, requests, tokens_in, tokens_out = sources.count(), 0, 0, 0
    for text in texts:
        asked = run_method.requests_about(text, configuration)
        requests += len(asked)
        tokens_in += sum(estimated_tokens(part) for row in asked for _, part in row.messages)
        tokens_out += len(asked) * estimated_tokens(text)
    times = number / len(texts) if texts else 0
    return Estimate(
        items=number,
        requests=round(times * requests),
        tokens=round(times * (tokens_in + tokens_out)),
        cost=round(times * models[0].cost(tokens_in, tokens_out)),
        currency=models[0].currency,
    )


def of_others(run: GenerationRun, done: int, others: int) -> Estimate | None:
    """Return what other sentences of a run will ask, from those done; None if unknown.

    Nothing is known if its replies were all those of earlier runs.
    """
    usage = run.usage
    if not (paid := usage.get("replies", 0)) or not done:
        return None
    requests = (paid + usage.get("reused", 0)) * others / done
    tokens, cost = (round(requests * value / paid) for value in (run.tokens_used, run.cost_used))
    return Estimate(others, round(requests), tokens, cost, usage.get("currency", ""))
