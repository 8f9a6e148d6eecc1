"""The further columns of a release: what answers become, entities, and where a pair comes from.

Studies of definitions (PARADE 3) have entities, and entities that are nearly the same share a
group, which stays in one split.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from annotation.stats.labels import Rule, Scheme
from releases.dataset.rows import (
    RECOMBINED,
    SPLITS,
    CandidateRow,
    PairRow,
    ReleasedPair,
    SentenceRow,
    Split,
)

# Columns that only some releases have, in their order. ReleaseSettings.columns says which.
GRADE, LABEL, MEAN, VOTES, SOFT_LABEL = "grade", "label", "mean", "votes", "soft_label"
MODEL_LABEL, MODEL_SHARE = "model_label", "model_share"
ENTITY, OWN_ID = "entity", "own_id"
FURTHER = (GRADE, LABEL, MEAN, VOTES, SOFT_LABEL, MODEL_LABEL, MODEL_SHARE, ENTITY, OWN_ID)
# What the answers become, where that is not one of two sides.
OF_RULE: Mapping[Rule, tuple[str, ...]] = {
    Rule.MOST: (LABEL, VOTES, SOFT_LABEL),
    Rule.MEAN: (MEAN, VOTES, SOFT_LABEL),
    Rule.NONE: (VOTES, SOFT_LABEL),
}
MANY = " / "


def columns_of(
    sentences: Iterable[SentenceRow],
    pairs: Iterable[PairRow | CandidateRow] = (),
    *,
    scheme: Scheme,
    skill: bool = False,
) -> tuple[str, ...]:
    """Return the further columns of a release, with those of the annotator model if `skill`."""
    grade = (GRADE,) if scheme.folds else ()
    model = (MODEL_LABEL, MODEL_SHARE) if skill else ()
    entity = (ENTITY,) if any(row.entity for row in sentences) else ()
    own_id = (OWN_ID,) if any(pair.own_id for pair in pairs) else ()
    return (*OF_RULE.get(scheme.rule, grade), *model, *entity, *own_id)


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


def add_origins(
    pairs: Iterable[ReleasedPair],
    rows: Iterable[SentenceRow | CandidateRow],
    generators: Mapping[int, str | None],
) -> list[ReleasedPair]:
    """Return the pairs with their domain and, if one sentence was rewritten, kind, run and models.

    `generators` has the models of each run.
    """
    rows_by_id = {row.id: row for row in rows}
    return [
        pair._replace(
            domain=_domain(pair, rows_by_id),
            kind=rewrite.kind or None if rewrite else None,
            run=rewrite.run if rewrite else None,
            generator=generators.get(rewrite.run) if rewrite and rewrite.run else None,
        )
        for pair in pairs
        for rewrite in (_rewrite(pair, rows_by_id),)
    ]


def _rewrite(
    pair: ReleasedPair, rows: Mapping[str, SentenceRow | CandidateRow]
) -> SentenceRow | CandidateRow | None:
    """Return the sentence of a pair that was rewritten from the other; None if it is recombined."""
    if pair.method == RECOMBINED:
        return None
    row1, row2 = rows[pair.sentence1], rows[pair.sentence2]
    if row2.rewritten_from == row1.id:
        return row2
    return row1 if row1.rewritten_from == row2.id else None


def _domain(pair: ReleasedPair, rows: Mapping[str, SentenceRow | CandidateRow]) -> str | None:
    """Return the corpus of the sentences; a candidate has that of the sentence it rewrites."""
    corpus1, corpus2 = (_corpus(key, rows) for key in (pair.sentence1, pair.sentence2))
    if corpus1 == corpus2 or not (corpus1 and corpus2):
        return corpus1 or corpus2
    return MANY.join(sorted((corpus1, corpus2)))


def _corpus(key: str, rows: Mapping[str, SentenceRow | CandidateRow]) -> str | None:
    row = rows[key]
    while isinstance(row, CandidateRow):
        row = rows[row.rewritten_from]
    return row.corpus


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
    return {split: len(groups_by_split[split]) for split in SPLITS}


def value_of_sentence(
    key: str, values: Mapping[str, str], origins: Mapping[str, str | None]
) -> str | None:
    """Return the value of a sentence, or of the nearest sentence that it was rewritten from."""
    ancestor: str | None = key
    while ancestor is not None and ancestor not in values:
        ancestor = origins.get(ancestor)
    return values[ancestor] if ancestor is not None else None
