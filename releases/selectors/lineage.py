"""Selects where the sentences of a pair come from: the rewrites that led to them, and sources."""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from annotation.models import Item, Translation
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


def lineages(example: Example) -> list[Lineage]:
    ends = (
        (example.sentence1_ref, example.sentence1),
        (example.sentence2_ref, example.sentence2),
    )
    return [_lineage(*end) for end in ends]


def _lineage(ref: UUID, text: str) -> Lineage:
    """Follow a sentence, its translation, or the candidate of an unjudged pair, to its source."""
    sentence = Sentence.objects.filter(public_id=ref).select_related("corpus").first()
    item = Item.objects.filter(public_id=ref, kind=Translation.KIND).first()
    if item is not None:
        sentence = item.sentence1
    if sentence is None:
        steps = list(_rewriting_steps(Candidate.objects.only("pk").get(public_id=ref).pk))
    else:
        steps = list(_rewriting_steps(sentence.candidate_id))
    source = steps[-1].sentence if steps else sentence
    assert source is not None  # noqa: S101 a reference leads to a sentence or a candidate
    return Lineage(ref, text, steps, source)


def _rewriting_steps(key: int | None) -> Iterator[Candidate]:
    while key is not None:
        rows = Candidate.objects.select_related("run", "sentence__corpus")
        candidate = rows.get(pk=key)
        yield candidate
        key = candidate.sentence.candidate_id
