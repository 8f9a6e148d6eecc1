"""The tables of a release of judged pairs: their columns, by version and labels of the study.

To add a column that only some releases have, name it in `columns.FURTHER` and declare it here.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial

from annotation.stats.labels import Scheme
from releases.dataset.cells import (
    FRACTIONS,
    NUMBER,
    OPTIONAL_TEXT,
    OPTIONAL_WHOLE,
    WHOLE,
    WHOLES,
)
from releases.dataset.columns import (
    ENTITY,
    GRADE,
    LABEL,
    MEAN,
    MODEL_LABEL,
    MODEL_SHARE,
    OF_RULE,
    OWN_ID,
    SOFT_LABEL,
    VOTES,
)
from releases.dataset.files import Column, Table
from releases.dataset.rows import NEWEST, Subset, mean_answer
from releases.dataset.settings import ReleaseSettings

TEXTS = (
    Column("sentence1", "One sentence", attribute="text1"),
    Column("sentence2", "The other sentence", attribute="text2"),
)
# What readers call the split of low_agreement, so that they do not train on its pairs of test;
# `all` is a word of `datasets`.
MIXED = "mixed"
FURTHER_OF_PAIRS = (ENTITY, OWN_ID)
FURTHER_OF_SIDES = (GRADE, MEAN, MODEL_LABEL, MODEL_SHARE, *FURTHER_OF_PAIRS)
_ID = Column("id", "Id of the pair, also in pairs.jsonl if it was judged or recombined")
# Columns of releases whose settings name them; only people give grades.
_GRADE = Column(
    GRADE,
    "The grade that most people gave, else the median; empty if the pair was not judged",
    OPTIONAL_WHOLE,
)
_MEAN = Column(MEAN, "The mean of the answers; empty if the pair was not judged", NUMBER, "tally")
_MODEL = (
    Column(
        MODEL_LABEL, "The likeliest label by the annotator model; empty if not judged",
        OPTIONAL_WHOLE,
    ),
    Column(MODEL_SHARE, "Its probability by that model; empty if not judged", NUMBER),
)  # fmt: skip
_ENTITY = Column(ENTITY, "What both sentences define; empty if unknown", OPTIONAL_TEXT)
PARAPHRASE = Column(LABEL, "1: a paraphrase; 0: none", WHOLE)
_NOISY_LABEL = Column("noisy_label", "What the method suggests, whatever people say", WHOLE, LABEL)
_NO_LABEL = Column(LABEL, "Empty: too few people agree", OPTIONAL_WHOLE)
# Where a pair comes from, in all tables of the second version.
_ORIGIN = (
    Column("domain", "Corpus of both sentences; two are joined by a slash", OPTIONAL_TEXT),
    Column("method", "How one sentence became the other, or recombined"),
    Column("kind", "What the method changed; empty if recombined or unknown", OPTIONAL_TEXT),
    Column("generator", "Models of the run that made the pair; empty if recombined", OPTIONAL_TEXT),
    Column("run", "Number of that run, as in manifest.json", OPTIONAL_WHOLE),
    _ENTITY,
    Column(
        OWN_ID, "Id of the pair in the file that it was imported from; empty if none", OPTIONAL_TEXT
    ),
    Column("split", "train, dev or test, also of pairs of low agreement"),
)
# After the label, in all tables of the second version: their columns have equal types.
_FURTHER = (
    _GRADE,
    _MEAN,
    Column("votes0", "Number of votes against a paraphrase; empty if not judged", OPTIONAL_WHOLE),
    Column("votes1", "Number of votes for a paraphrase; empty if not judged", OPTIONAL_WHOLE),
    Column("soft_label", "Share of the votes for a paraphrase; empty if not judged", NUMBER),
    *_MODEL,
    *_ORIGIN,
)
_FIRST_VOTES = (
    Column("votes0", "Number of votes against a paraphrase", WHOLE),
    Column("votes1", "Number of votes for a paraphrase", WHOLE),
)
# By version, the columns of the tables with labels, of unlabeled_final, and of low_agreement.
_OF_SIDES: Mapping[int, tuple[tuple[Column, ...], ...]] = {
    1: (
        (_ID, *TEXTS, PARAPHRASE, _GRADE, _ENTITY),
        (_ID, *TEXTS, _NOISY_LABEL, _ENTITY),
        (_ID, *TEXTS, *_FIRST_VOTES, _GRADE, _ENTITY),
    ),
    2: (
        (_ID, *TEXTS, PARAPHRASE, *_FURTHER),
        (_ID, *TEXTS, _NOISY_LABEL, *_FURTHER),
        (_ID, *TEXTS, _NO_LABEL, *_FURTHER),
    ),
}


def tables(
    settings: ReleaseSettings = ReleaseSettings(),  # noqa: B008 it cannot change
    version: int = NEWEST,
) -> tuple[Table, ...]:
    """Return the tables as a version of the format has them, with the columns of these settings.

    Graded releases have the mean with the grade. low_agreement is one table, whatever the splits of
    its pairs; in the first layout its split is called train. Releases whose labels
    are not two sides have no table of word swaps and none of unjudged pairs, and one of low
    agreement only if votes decide.
    """
    return _tables(settings.columns, settings.scheme, version, settings.layout)


@cache
def _tables(
    columns: tuple[str, ...], scheme: Scheme, version: int, layout: int
) -> tuple[Table, ...]:
    mixed = MIXED if layout > 1 else ""
    if not scheme.is_binary:
        low_columns = _by_label(columns, scheme, _NO_LABEL)
        low = (_low_agreement(low_columns, mixed),) if scheme.decides else ()
        return (*_final(_by_label(columns, scheme, _label(scheme))), *low)
    labelled, noisy, low_agreement = (
        _chosen(columns_of_table, columns, scheme) for columns_of_table in _OF_SIDES[version]
    )
    return (
        *_final(labelled),
        Table("labeled_swap", "train", "labeled_swap/train.tsv", labelled),
        Table("unlabeled_final", "train", "unlabeled_final/train.tsv", noisy),
        Table("unlabeled_final", "dev", "unlabeled_final/dev.tsv", noisy),
        _low_agreement(low_agreement, mixed),
    )


def _final(columns: tuple[Column, ...]) -> tuple[Table, ...]:
    subset: Subset = "labeled_final"
    return (
        Table(subset, "train", "labeled_final/train.tsv", columns),
        Table(subset, "dev", "labeled_final/dev.tsv", columns),
        Table(subset, "test", "labeled_final/test.tsv", columns),
    )


def _low_agreement(columns: tuple[Column, ...], title: str) -> Table:
    return Table("low_agreement", "train", "low_agreement.tsv", columns, title)


def _chosen(
    columns: tuple[Column, ...], names: tuple[str, ...], scheme: Scheme
) -> tuple[Column, ...]:
    """Return the columns of a table, of those that only some releases have the ones with a name."""
    names = (*names, MEAN) if GRADE in names else names
    mean = replace(_MEAN, convert=partial(mean_answer, scheme))
    return tuple(
        mean if column.name == MEAN else column
        for column in columns
        if column.name not in FURTHER_OF_SIDES or column.name in names
    )


def _label(scheme: Scheme) -> Column:
    return Column(LABEL, f"The label that most people gave: {scheme.in_words}", WHOLE)


def _by_label(names: tuple[str, ...], scheme: Scheme, label: Column) -> tuple[Column, ...]:
    """Return the columns of a table of pairs whose labels are not two sides."""
    return (
        replace(_ID, about="Id of the pair, also in pairs.jsonl"),
        *sentence_columns(scheme),
        *_of_answers(names, scheme, label),
        *(
            column
            for column in _ORIGIN
            if column.name not in FURTHER_OF_PAIRS or column.name in names
        ),
    )


def answer_columns(scheme: Scheme) -> tuple[Column, ...]:
    """Return the columns of what the answers to a kept pair became, in a translation as well."""
    names = OF_RULE.get(scheme.rule, ())
    return _of_answers(names, scheme, _label(scheme)) if names else (PARAPHRASE,)


def _of_answers(names: tuple[str, ...], scheme: Scheme, label: Column) -> tuple[Column, ...]:
    of_answers = {
        LABEL: label,
        MEAN: Column(MEAN, "The mean of the answers", NUMBER),
        VOTES: Column(
            VOTES, f"Number of answers with each label: {scheme.in_words}", WHOLES, "label_votes"
        ),
        SOFT_LABEL: Column(
            SOFT_LABEL, "Share of the answers with each label, in the same order", FRACTIONS,
            "label_shares",
        ),
        **{column.name: column for column in _MODEL},
    }  # fmt: skip
    return tuple(of_answers[name] for name in names if name in of_answers)


def sentence_columns(scheme: Scheme) -> tuple[Column, ...]:
    """Return the columns of both sentences, which have roles in a directed study."""
    if not scheme.directed:
        return TEXTS
    roles = scheme.captions or ("The first sentence", "The second sentence")
    return tuple(replace(column, about=role) for column, role in zip(TEXTS, roles, strict=True))


TABLES = tables()
