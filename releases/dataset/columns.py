"""The further columns of a release: the entity that both sentences of a pair define, its grade.

Studies of definitions (PARADE 3) have entities, and entities that are nearly the same share a
group, which stays in one split.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import get_args

from releases.dataset.rows import CandidateRow, ReleasedPair, SentenceRow, Split

# Columns that only some releases have, in their order. ReleaseSettings.columns says which.
GRADE, ENTITY = "grade", "entity"
FURTHER = (GRADE, ENTITY)
MANY = " / "


def columns_of(sentences: Iterable[SentenceRow], *, max_label: int) -> tuple[str, ...]:
    has_entities = any(row.entity for row in sentences)
    has = {GRADE: max_label > 1, ENTITY: has_entities}
    return tuple(name for name in FURTHER if has[name])


def add_entities(
    pairs: list[ReleasedPair], rows: Iterable[SentenceRow | CandidateRow], columns: Collection[str]
) -> list[ReleasedPair]:
    """Return the pairs with the entity of their sentences, if a column; a slash divides two."""
    if ENTITY not in columns:
        return pairs
    rows = list(rows)
    entities = {row.id: row.entity for row in rows if isinstance(row, SentenceRow) and row.entity}
    origins = {row.id: row.rewritten_from for row in rows}

    def entity(pair: ReleasedPair) -> str | None:
        entities_of_sides = (
            value_of_sentence(end, entities, origins) for end in (pair.sentence1, pair.sentence2)
        )
        return MANY.join(sorted({end for end in entities_of_sides if end})) or None

    return [pair._replace(entity=entity(pair)) for pair in pairs]


def count_groups(
    pairs: Iterable[ReleasedPair], sentences: Iterable[SentenceRow]
) -> dict[Split, int]:
    """Count the groups of each split of labeled_final; empty if no sentence has a group."""
    sentences = list(sentences)
    groups = {row.id: row.group for row in sentences if row.group}
    if not groups:
        return {}
    origins = {row.id: row.rewritten_from for row in sentences}
    groups_by_split = defaultdict[Split, set[str]](set)
    for pair in pairs:
        if pair.subset == "labeled_final" and pair.split:
            for sentence in (pair.sentence1, pair.sentence2):
                if group := value_of_sentence(sentence, groups, origins):
                    groups_by_split[pair.split].add(group)
    return {split: len(groups_by_split[split]) for split in get_args(Split)}


def value_of_sentence(
    key: str, values: Mapping[str, str], origins: Mapping[str, str | None]
) -> str | None:
    """Return the value of a sentence, or of the nearest sentence that it was rewritten from."""
    ancestor: str | None = key
    while ancestor is not None and ancestor not in values:
        ancestor = origins.get(ancestor)
    return values[ancestor] if ancestor is not None else None
