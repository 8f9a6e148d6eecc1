"""Rewrites sentences with a loaded method, and returns what is stored about each rewrite."""

import logging
from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from uuid import UUID

from generation.errors import GenerationError
from generation.methods.contract import Rewriter, Sampler
from generation.nlp.measures import is_rotation, likeness
from generation.nlp.rewrites import FAILED, Outcome, Rewrite, is_of_machine

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Failure:
    """The place of a sentence on which the method failed, and its error."""

    place: int
    error: Exception


def outcomes_of(
    rewriter: Rewriter,
    texts: Sequence[str],
    earlier: Set[UUID] = frozenset(),
    *,
    entities: Sequence[str] | None = None,
) -> tuple[list[Outcome], Failure | None]:
    """Return an outcome for each text, and the last failure.

    Texts with the same of the `entities` are rewritten together; without entities, all are.
    If the method raises an error, each text, or each entity, is rewritten alone, and only those
    that fail again have no rewrite. Raises the error if all fail, or if it may pass.
    """
    parts = _split(texts, entities)
    try:
        return [outcome for part in parts for outcome in _rewrite(rewriter, part, earlier)], None
    except Exception as error:
        single_parts = [[text] for text in texts] if entities is None else parts
        if len(single_parts) == 1 or isinstance(error, GenerationError) or is_of_machine(error):
            raise
        logger.warning("A batch failed; its sentences are rewritten alone", exc_info=True)
        outcomes: list[Outcome] = []
        failures = []
        for part in single_parts:
            try:
                outcomes += _rewrite(rewriter, part, earlier)
            except Exception as error_of_part:
                if isinstance(error_of_part, GenerationError) or is_of_machine(error_of_part):
                    raise
                failures.append(Failure(len(outcomes), error_of_part))
                outcomes += [Outcome(FAILED)] * len(part)
        if len(failures) == len(single_parts):
            raise
    return outcomes, failures[-1] if failures else None


def columns_of(source: str, rewrite: Rewrite) -> dict[str, Any]:
    """Return the columns of a candidate that a method and its text decide."""
    similarity, inversion_rate = likeness(source, rewrite.text)
    return {
        "text": rewrite.text,
        "kind": rewrite.kind,
        "score": rewrite.score,
        "source_score": rewrite.source_score,
        "probability": rewrite.probability,
        "paraphrase": rewrite.paraphrase,
        "is_rotation": None if rewrite.paraphrase is None else is_rotation(source, rewrite.text),
        "similarity": similarity,
        "inversion_rate": inversion_rate,
        "alternatives": [other.as_alternative() for other in rewrite.alternatives],
    }


def _split(texts: Sequence[str], entities: Sequence[str] | None) -> Sequence[Sequence[str]]:
    if entities is None:
        return [texts]
    texts_of_entities = zip(entities, texts, strict=True)
    return [
        [text for _, text in rows] for _, rows in groupby(texts_of_entities, key=lambda row: row[0])
    ]


def _rewrite(rewriter: Rewriter, texts: Sequence[str], earlier: Set[UUID]) -> list[Outcome]:
    if isinstance(rewriter, Sampler):
        return list(rewriter.outcomes_after(texts, earlier))
    return list(rewriter.outcomes(texts))
