"""The rules of the release format, each checked from the files alone.

Every function takes the content of the files and yields violations of its rule. Votes, labels,
composition, places and sides are checked in `verification`, by planning the release again.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any
from uuid import UUID

from generation.nlp.text import pair_key
from releases.dataset.answer_rules import (
    adjudications_are_of_open_pairs,
    annotators_are_not_told_apart,
    models_label_judged_pairs,
    more_people_were_needed,
    prompts_are_those_of_runs,
)
from releases.dataset.columns import MODEL_LABEL, MODEL_SHARE
from releases.dataset.families import Components
from releases.dataset.files import (
    PAIRS,
    SENTENCES,
    Row,
    Table,
)
from releases.dataset.reader import FIRST_ROW, Difference, ReadRelease, read_tsv
from releases.dataset.rows import Place, ReleasedPair, SentenceRow

# One after the other; a longer chain is taken for a cycle.
MOST_REWRITES = 100
OF_JUDGED_PAIRS = frozenset(
    {"grade", "mean", "votes0", "votes1", "soft_label", MODEL_LABEL, MODEL_SHARE}
)


def sentences_refer(release: ReadRelease) -> Iterator[Difference]:
    """Check that sentence ids are unique, and that sources and origins exist and agree."""
    sentences = {row.id: row for row in release.sentences}
    if len(sentences) < len(release.sentences):
        yield Difference(SENTENCES.path, "an id comes twice")
    for line, row in enumerate(release.sentences, start=1):
        for reference in (row.source, row.rewritten_from):
            if reference is not None and reference not in sentences:
                what = f"{row.id} names {reference}, which is not there"
                yield Difference(SENTENCES.path, what, line)
        if find_origin(row, sentences) != row.source:
            yield Difference(SENTENCES.path, f"{row.id} does not come from its source", line)


def find_origin(row: SentenceRow, sentences: Mapping[str, SentenceRow]) -> str | None:
    """Return the source of a sentence; None if rewrites form a cycle or one is missing."""
    current = row
    for _ in range(MOST_REWRITES):
        if current.rewritten_from is None:
            return current.id
        if current.rewritten_from not in sentences:
            return None
        current = sentences[current.rewritten_from]
    return None


def pairs_refer(release: ReadRelease) -> Iterator[Difference]:
    """Check that pair ids are unique, sentences exist, and only judged pairs compose others."""
    sentences = {row.id for row in release.sentences}
    judged = {pair.id for pair in release.pairs if pair.origin == "judged"}
    if len({pair.id for pair in release.pairs}) < len(release.pairs):
        yield Difference(PAIRS.path, "an id comes twice")
    for line, pair in enumerate(release.pairs, start=1):
        for reference in (pair.sentence1, pair.sentence2):
            if reference not in sentences:
                what = f"{pair.id} names {reference}, which is not there"
                yield Difference(PAIRS.path, what, line)
        if not judged.issuperset(pair.via) or (pair.origin == "judged") != (not pair.via):
            yield Difference(PAIRS.path, f"{pair.id} is not made of judged pairs", line)


def families_stay_together(release: ReadRelease) -> Iterator[Difference]:
    """Check that sentences that share a text, a source, a group or a pair are in one split."""
    families = Components(linked_texts(release))
    home: dict[str, str] = {}
    for table, line, row in table_rows(release):
        family, split = families.find(str(row[1])), split_of_row(table, row)
        if split and home.setdefault(family, split) != split:
            what = f"{row[0]} is connected to a pair in {home[family]}"
            yield Difference(table.tsv, what, line)


def split_of_row(table: Table, row: Row) -> str | None:
    """Return the split of a pair; None of pairs of low agreement in the first version."""
    if "split" in table.names:
        return str(row[table.names.index("split")])
    return None if table.subset == "low_agreement" else table.split


def linked_texts(release: ReadRelease) -> Iterator[tuple[str, str]]:
    texts = {row.id: row.text for row in release.sentences}
    first_of_group: dict[str, str] = {}
    for sentence in release.sentences:
        yield sentence.text, texts[sentence.source]
        if sentence.group is not None:
            yield sentence.text, first_of_group.setdefault(sentence.group, sentence.text)
    for pair in release.pairs:
        yield pair.text1, pair.text2
    for _, _, row in table_rows(release):
        yield str(row[1]), str(row[2])


def no_equal_sentences_to_test_on(release: ReadRelease) -> Iterator[Difference]:
    for table, line, row in table_rows(release):
        if table.split != "train" and row[1] == row[2]:
            yield Difference(table.tsv, f"{row[0]} has two equal sentences", line)


def table_rows(release: ReadRelease, subset: str = "") -> Iterator[tuple[Table, int, Row]]:
    """Yield the rows of all tables, or of those of a subset."""
    for table in release.tables:
        if not subset or table.subset == subset:
            for line, row in enumerate(read_tsv(release.folder, table), start=FIRST_ROW):
                yield table, line, row


def tables_hold_the_pairs(release: ReadRelease) -> Iterator[Difference]:
    """Check that each table of labelled pairs has those that pairs.jsonl assigns, in its order."""
    members: defaultdict[Place, list[ReleasedPair]] = defaultdict(list)
    for pair in release.pairs:
        if pair.subset is not None:
            members[pair.place].append(pair)
    for table in release.tables:
        if table.subset != "unlabeled_final":
            yield from row_differences(release, table, members.pop(table.place, []))
    for subset, split in members:
        yield Difference(PAIRS.path, f"there is no {split} of {subset}")


def row_differences(
    release: ReadRelease, table: Table, pairs: Iterable[ReleasedPair]
) -> Iterator[Difference]:
    """Yield the first line that is not the row of its pair; later ones may only have moved."""
    rows = zip_longest(read_tsv(release.folder, table), map(table.row, pairs))
    for line, (row, expected) in enumerate(rows, start=FIRST_ROW):
        if row != expected:
            key, *_ = row or expected or ("",)
            yield Difference(table.tsv, f"{key} is not as in pairs.jsonl", line)
            return


def texts_come_once(release: ReadRelease) -> Iterator[Difference]:
    """Check that no two labelled pairs, nor two rows of unlabeled_final, have the same texts.

    In a directed study, the same texts in the other order are another pair.
    """
    directed = release.settings.scheme.directed
    pairs = enumerate(release.pairs, start=1)
    labelled_rows = ((line, pair.id, pair.text1, pair.text2, pair.label) for line, pair in pairs)
    repeated_pairs = repeated_texts(labelled_rows, directed=directed)
    yield from (Difference(PAIRS.path, what, line) for line, what in repeated_pairs)
    for table in release.tables:
        if table.subset == "unlabeled_final":
            rows = enumerate(read_tsv(release.folder, table), start=FIRST_ROW)
            noisy_rows = ((line, *map(str, row[:3]), row[3]) for line, row in rows)
            yield from (
                Difference(table.tsv, what, line)
                for line, what in repeated_texts(noisy_rows, directed=directed)
            )


def repeated_texts(rows: Iterable[tuple[Any, ...]], *, directed: bool) -> Iterator[tuple[int, str]]:
    """Yield rows (line, id, two texts, label) that have the texts of an earlier row."""
    earlier: dict[bytes, tuple[str, Any]] = {}
    for line, key, text1, text2, label in rows:
        key1, label1 = earlier.setdefault(
            pair_key(text1, text2, directed=directed).bytes, (key, label)
        )
        if key1 != key:
            what = "has the texts of" if label1 == label else "contradicts, with the same texts,"
            yield line, f"{key} {what} {key1}"


def noisy_labels_are_binary(release: ReadRelease) -> Iterator[Difference]:
    """Check that unlabeled_final has each pair once, with a label 0 or 1."""
    ids = set[object]()
    for table, line, row in table_rows(release, "unlabeled_final"):
        if row[0] in ids:
            yield Difference(table.tsv, f"{row[0]} comes twice", line)
        if row[3] not in {0, 1}:
            yield Difference(table.tsv, f"{row[0]} has the label {row[3]}", line)
        ids.add(row[0])


def noisy_pairs_were_not_judged(release: ReadRelease) -> Iterator[Difference]:
    """Check that unlabeled_final has its split, the models of each run, and no votes."""
    if release.version == 1:
        return
    for table, line, row in table_rows(release, "unlabeled_final"):
        cells = dict(zip(table.names, row, strict=True))
        run = cells["run"]
        expected = dict.fromkeys(OF_JUDGED_PAIRS & cells.keys()) | {
            "split": table.split,
            "generator": release.generators.get(run) if isinstance(run, int) else None,
        }
        for name in sorted(expected):
            if cells[name] != expected[name]:
                what = f"{name} of {row[0]} is {cells[name]}, not {expected[name]}"
                yield Difference(table.tsv, what, line)


def sentences_are_of_runs(release: ReadRelease) -> Iterator[Difference]:
    """Check that the manifest has the run of each rewrite."""
    if release.version == 1:
        return
    for line, row in enumerate(release.sentences, start=1):
        if row.run is not None and row.run not in release.generators:
            what = f"{row.id} is of run {row.run}, which manifest.json does not have"
            yield Difference(SENTENCES.path, what, line)


def pairs_are_hard(release: ReadRelease) -> Iterator[Difference]:
    """Check that tables have no kept pair to which the model of `hard_for` gave its label.

    From the fourth layout on, its texts are not in unlabeled_final either.
    """
    model, scheme = release.settings.hard_for, release.settings.scheme
    easy_by_texts: dict[UUID, str] = {}
    for line, pair in enumerate(release.pairs, start=1):
        place = release.model_labels.get(pair.id)
        if place is None or not pair.kept:
            continue
        if scheme.outcome_values[scheme.outcome(place)] == pair.label:
            easy_by_texts[pair_key(pair.text1, pair.text2)] = pair.id
            if pair.subset:
                what = f"{pair.id} is in {pair.subset}, although {model} gave it the same label"
                yield Difference(PAIRS.path, what, line)
    if easy_by_texts and release.settings.layout > 3:
        for table, line, row in table_rows(release, "unlabeled_final"):
            if pair_id := easy_by_texts.get(pair_key(str(row[1]), str(row[2]))):
                what = f"{row[0]} has the texts of {pair_id}, to which {model} gave people's label"
                yield Difference(table.tsv, what, line)


Rule = Callable[[ReadRelease], Iterator[Difference]]

# The other rules rely on these, so they come first.
REFERENCES: tuple[Rule, ...] = (sentences_refer, pairs_refer)
RULES: tuple[Rule, ...] = (
    families_stay_together,
    no_equal_sentences_to_test_on,
    tables_hold_the_pairs,
    texts_come_once,
    noisy_labels_are_binary,
    noisy_pairs_were_not_judged,
    sentences_are_of_runs,
    adjudications_are_of_open_pairs,
    models_label_judged_pairs,
    pairs_are_hard,
    prompts_are_those_of_runs,
    annotators_are_not_told_apart,
    more_people_were_needed,
)
