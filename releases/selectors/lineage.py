"""Where the sentences of a released pair come from: candidates, runs and the imported source."""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from generation.models import Candidate, Sentence
from releases.models import Example


@dataclass(frozen=True, slots=True)
class Lineage:
    """A sentence of a pair, by its id and text there; the rewrites that led to it, and its source.

    `steps` are candidates, the last one first. None if the sentence is the source itself.
    """

    id: UUID
    text: str
    steps: list[Candidate]
    source: Sentence


def of(example: Example) -> list[Lineage]:
    """Return the lineage of both sentences, with a query for each rewrite."""
    ends = (
        (example.sentence1_ref, example.sentence1),
        (example.sentence2_ref, example.sentence2),
    )
    return [_lineage(*end) for end in ends]


def _lineage(ref: UUID, text: str) -> Lineage:
    """Follow a sentence, or the candidate of an unjudged pair, to its source."""
    found = Sentence.objects.filter(public_id=ref).select_related("corpus").first()
    if found is None:
        steps = list(_steps(Candidate.objects.only("pk").get(public_id=ref).pk))
    else:
        steps = list(_steps(found.candidate_id))
    source = steps[-1].sentence if steps else found
    assert source is not None  # noqa: S101 a reference leads to a sentence or a candidate
    return Lineage(ref, text, steps, source)


def _steps(key: int | None) -> Iterator[Candidate]:
    while key is not None:
        rows = Candidate.objects.select_related("run", "sentence__corpus")
        candidate = rows.get(pk=key)
        yield candidate
        key = candidate.sentence.candidate_id
