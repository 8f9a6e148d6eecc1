"""Opens a translation study: its plan, one item for each distinct sentence, and its pairs.

Or one in which people only compare texts with their sources, which needs no plan.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction

from annotation.models import (
    Item,
    Project,
    TranslatedPair,
    Translation,
    TranslationPlan,
    Validation,
)
from annotation.work import queue
from common import bulk
from common.draws import draw
from generation.models import Sentence
from generation.nlp.text import pair_key
from generation.services.sentences import digest_of

KINDS = [Translation.KIND, Validation.KIND]
# Of a study without translators.
ONLY_VALIDATES = [Validation.KIND]


@dataclass(frozen=True, slots=True)
class PairToTranslate:
    """A pair of a release; the id is its public id, the sentences are in released order."""

    public_id: UUID
    sentence1: Sentence
    sentence2: Sentence


@transaction.atomic
def open_sentences(
    project: Project, pairs: Sequence[PairToTranslate], **settings: Any
) -> TranslationPlan:
    """Create the plan of a new project, and put the distinct sentences of the pairs in its queue.

    `settings` are those of the plan. The order is drawn from the seed of the project, so the two
    sentences of a pair do not follow each other (PAWS-X 2).
    """
    plan = TranslationPlan(project=project, **settings)
    plan.full_clean(exclude=["project"])
    plan.save()
    distinct = {
        sentence.text: sentence for pair in pairs for sentence in (pair.sentence1, pair.sentence2)
    }
    items = _items(project, sorted(distinct.values(), key=lambda each: _drawn(project, each)))
    rows: list[tuple[Any, ...]] = [
        (pair.public_id, items[pair.sentence1.text], items[pair.sentence2.text]) for pair in pairs
    ]
    bulk.insert(
        TranslatedPair, rows, fields=("public_id", "item1_id", "item2_id"), project_id=project.pk
    )
    return plan


@transaction.atomic
def open_texts(project: Project, texts: Sequence[tuple[Sentence, Sentence]]) -> None:
    """Put texts in the queue of a new project: one person compares each with its source.

    Each is (source, text), in the language of the source. The same two texts are one item.
    """
    distinct = {pair_key(source.text, text.text): (source, text) for source, text in texts}
    keys = bulk.keys(Item, len(distinct))
    rows = [
        (key, source.pk, text.pk, both)
        for key, (both, (source, text)) in zip(keys, distinct.items(), strict=True)
    ]
    fields = ("id", "sentence1_id", "sentence2_id", "texts_key")
    bulk.insert(Item, rows, fields=fields, project_id=project.pk, kind=Validation.KIND)
    queue.open_slots(project, Validation.KIND, keys)


def _items(project: Project, sentences: Sequence[Sentence]) -> dict[str, int]:
    """Create the items of sentences, and return their keys by text."""
    keys = bulk.keys(Item, len(sentences))
    rows = [
        (key, sentence.pk, digest_of(sentence.text))
        for key, sentence in zip(keys, sentences, strict=True)
    ]
    fields = ("id", "sentence1_id", "texts_key")
    bulk.insert(Item, rows, fields=fields, project_id=project.pk, kind=Translation.KIND)
    queue.open_slots(project, Translation.KIND, keys)
    return {sentence.text: key for key, sentence in zip(keys, sentences, strict=True)}


def _drawn(project: Project, sentence: Sentence) -> tuple[int, str]:
    return draw(project.seed, "order", sentence.text), sentence.text
