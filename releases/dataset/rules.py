"""The rules that a reader of a release may check, each from its files alone.

Every function takes what the files say and yields what breaks its rule. None looks at how a release
is planned: whether the settings lead to these very pairs is a check of its own, in `verification`.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain, pairwise, zip_longest
from math import sqrt

from releases.dataset.connected_texts import Components
from releases.dataset.differences import Difference
from releases.dataset.reader import ReadRelease, read_tsv
from releases.dataset.rows import ReleasedPair, SentenceRow
from releases.dataset.tables import TABLES, Row, Table

SIGMAS = 5
# The line of a TSV file that follows its header.
FIRST_ROW = 2
MOST_REWRITES = 100


def sentences_refer(release: ReadRelease) -> Iterator[Difference]:
    """A sentence has an id of its own, and its source and what it was rewritten from exist."""
    known = {row.id: row for row in release.sentences}
    if len(known) < len(release.sentences):
        yield Difference("sentences.jsonl", "an id comes twice")
    for line, row in enumerate(release.sentences, start=1):
        for named in (row.source, row.rewritten_from):
            if named is not None and named not in known:
                what = f"{row.id} names {named}, which is not there"
                yield Difference("sentences.jsonl", what, line)
        if origin(row, known) != row.source:
            yield Difference("sentences.jsonl", f"{row.id} does not come from its source", line)


def origin(row: SentenceRow, known: Mapping[str, SentenceRow]) -> str | None:
    """The source to which rewrites lead back; None where they lead nowhere, or in a circle."""
    current = row
    for _ in range(MOST_REWRITES):
        if current.rewritten_from is None:
            return current.id
        if current.rewritten_from not in known:
            return None
        current = known[current.rewritten_from]
    return None


def pairs_refer(release: ReadRelease) -> Iterator[Difference]:
    """A pair has an id of its own, its sentences exist, and judged pairs alone make others."""
    sentences = {row.id for row in release.sentences}
    judged = {pair.id for pair in release.pairs if pair.origin == "judged"}
    if len({pair.id for pair in release.pairs}) < len(release.pairs):
        yield Difference("pairs.jsonl", "an id comes twice")
    for line, pair in enumerate(release.pairs, start=1):
        for named in (pair.sentence1, pair.sentence2):
            if named not in sentences:
                what = f"{pair.id} names {named}, which is not there"
                yield Difference("pairs.jsonl", what, line)
        if not judged.issuperset(pair.via) or (pair.origin == "judged") != (not pair.via):
            yield Difference("pairs.jsonl", f"{pair.id} is not made of judged pairs", line)


def judgments_are_answers(release: ReadRelease) -> Iterator[Difference]:
    """A judgment is of a judged pair, on the scale, and one of each annotator."""
    yield from release.found


def votes_are_judgments(release: ReadRelease) -> Iterator[Difference]:
    """The votes of a judged pair are its judgments; no other pair has any."""
    threshold = release.settings.paraphrase_from
    for line, pair in enumerate(release.pairs, start=1):
        tally = release.tallies.get(pair.id)
        votes = None if tally is None else (sum(tally[:threshold]), sum(tally[threshold:]))
        if pair.votes != votes:
            what = f"{pair.id} has votes {pair.votes}, and its judgments are {votes}"
            yield Difference("pairs.jsonl", what, line)


def labels_follow(release: ReadRelease) -> Iterator[Difference]:
    """A judged pair has the label on which enough agree, a recombined one that of its via."""
    by_id = {pair.id: pair for pair in release.pairs}
    for line, pair in enumerate(release.pairs, start=1):
        if pair.origin == "judged":
            label = consensus(pair, release.settings.consensus_min_votes)
        else:
            label = composition([by_id[judged].label for judged in pair.via])
        if (pair.label, pair.kept) != (label, label is not None):
            what = f"{pair.id} has the label {pair.label}, kept {pair.kept}, not {label}"
            yield Difference("pairs.jsonl", what, line)


def consensus(pair: ReleasedPair, enough: int) -> int | None:
    """The side with the majority, if it has enough votes."""
    against, for_ = pair.votes or (0, 0)
    if max(against, for_) < enough or against == for_:
        return None
    return int(for_ > against)


def composition(labels: Iterable[int | None]) -> int | None:
    """All 1 gives 1, exactly one 0 gives 0, anything else nothing."""
    counts = Counter(labels)
    return None if counts[None] or counts[0] > 1 else 1 - counts[0]


def via_connects(release: ReadRelease) -> Iterator[Difference]:
    """The pairs of a via lead from one sentence of a recombined pair to the other, text by text."""
    texts = {row.id: row.text for row in release.sentences}
    by_id = {pair.id: pair for pair in release.pairs}
    for line, pair in enumerate(release.pairs, start=1):
        if pair.origin == "judged":
            continue
        ends = [texts_of(by_id[judged], texts) for judged in pair.via]
        degree = Counter(chain.from_iterable(ends))
        loose = {text for text, times in degree.items() if times == 1}
        gaps = any(one.isdisjoint(other) for one, other in pairwise(ends))
        if loose != texts_of(pair, texts) or len(degree) != len(pair.via) + 1 or gaps:
            what = f"via of {pair.id} does not connect its sentences"
            yield Difference("pairs.jsonl", what, line)


def texts_of(pair: ReleasedPair, texts: Mapping[str, str]) -> set[str]:
    """The texts at both ends of a pair: one where they are equal."""
    return {texts[pair.sentence1], texts[pair.sentence2]}


def families_stay_together(release: ReadRelease) -> Iterator[Difference]:
    """Sentences that share a text, a source, a group or a pair are all in one split."""
    families = Components(links(release))
    home: dict[str, str] = {}
    for table, line, row in table_rows(release):
        family = families.find(str(row[1]))
        if table.subset != "low_agreement" and home.setdefault(family, table.split) != table.split:
            what = f"{row[0]} is connected to a pair in {home[family]}"
            yield Difference(table.tsv, what, line)


def links(release: ReadRelease) -> Iterator[tuple[str, str]]:
    """Any two texts that something connects directly."""
    texts = {row.id: row.text for row in release.sentences}
    first_of_group: dict[str, str] = {}
    for sentence in release.sentences:
        yield sentence.text, texts[sentence.source]
        if sentence.group is not None:
            yield sentence.text, first_of_group.setdefault(sentence.group, sentence.text)
    for pair in release.pairs:
        yield texts[pair.sentence1], texts[pair.sentence2]
    for _, _, row in table_rows(release):
        yield str(row[1]), str(row[2])


def no_equal_sentences_to_test_on(release: ReadRelease) -> Iterator[Difference]:
    """dev and test hold no pair of equal sentences."""
    for table, line, row in table_rows(release):
        if table.split != "train" and row[1] == row[2]:
            yield Difference(table.tsv, f"{row[0]} has two equal sentences", line)


def table_rows(release: ReadRelease) -> Iterator[tuple[Table, int, Row]]:
    """Every row of every table, with the number of its line."""
    for table in TABLES:
        for line, row in enumerate(read_tsv(release.folder, table), start=FIRST_ROW):
            yield table, line, row


def sides_are_even(release: ReadRelease) -> Iterator[Difference]:
    """About as many pairs have their original first as second: chance would hardly give less."""
    parents = {row.id: row.rewritten_from for row in release.sentences}
    first = sum(pair.sentence1 in forebears(pair.sentence2, parents) for pair in release.pairs)
    second = sum(pair.sentence2 in forebears(pair.sentence1, parents) for pair in release.pairs)
    if abs(first - second) > SIGMAS * sqrt(first + second):
        yield Difference("pairs.jsonl", f"the original stands first in {first}, second in {second}")


def forebears(sentence: str, parents: Mapping[str, str | None]) -> Iterator[str]:
    """What a sentence was rewritten from, and what that was rewritten from."""
    parent = parents[sentence]
    while parent is not None:
        yield parent
        parent = parents[parent]


def tables_hold_the_pairs(release: ReadRelease) -> Iterator[Difference]:
    """Each table of labelled pairs holds those that pairs.jsonl puts there, in its order."""
    texts = {row.id: row.text for row in release.sentences}
    members: defaultdict[tuple[str, str], list[ReleasedPair]] = defaultdict(list)
    for pair in release.pairs:
        if pair.subset is not None:
            members[pair.subset, pair.split or "train"].append(pair)
    for table in TABLES:
        if table.subset != "unlabeled_final":
            due = [*members.pop((table.subset, table.split), ())]
            yield from row_differences(release, table, partial(wanted_rows, due, texts))
    for subset, split in members:
        yield Difference("pairs.jsonl", f"there is no {split} of {subset}")


def wanted_rows(pairs: Iterable[ReleasedPair], texts: Mapping[str, str]) -> Iterator[Row]:
    """The rows that these pairs make."""
    for pair in pairs:
        values = pair.votes if pair.subset == "low_agreement" else (pair.label,)
        yield (pair.id, texts[pair.sentence1], texts[pair.sentence2], *(values or ()))


def row_differences(
    release: ReadRelease, table: Table, wanted: Callable[[], Iterator[Row]]
) -> Iterator[Difference]:
    """Rows that are too many, missing, different, or in another order."""
    if all(row == due for row, due in zip_longest(read_tsv(release.folder, table), wanted())):
        return
    rows = enumerate(read_tsv(release.folder, table), start=FIRST_ROW)
    there = {row[0]: (line, row) for line, row in rows}
    due = {row[0]: row for row in wanted()}
    for key, (line, row) in there.items():
        if key not in due:
            yield Difference(table.tsv, f"{key} does not belong here", line)
        elif row != due[key]:
            yield Difference(table.tsv, f"{key} is not as in pairs.jsonl", line)
    yield from (Difference(table.tsv, f"{key} is missing") for key in due if key not in there)
    if {key: row for key, (_, row) in there.items()} == due:
        yield Difference(table.tsv, "the rows are in another order, or one comes twice")


def noisy_labels_are_binary(release: ReadRelease) -> Iterator[Difference]:
    """unlabeled_final holds each pair once, with a label 0 or 1."""
    seen: set[str | int] = set()
    for table, line, row in table_rows(release):
        if table.subset != "unlabeled_final":
            continue
        if row[0] in seen:
            yield Difference(table.tsv, f"{row[0]} comes twice", line)
        if row[3] not in {0, 1}:
            yield Difference(table.tsv, f"{row[0]} has the label {row[3]}", line)
        seen.add(row[0])


Rule = Callable[[ReadRelease], Iterator[Difference]]

# The rules need what they refer to, so these come first.
REFERENCES: tuple[Rule, ...] = (sentences_refer, pairs_refer)
RULES: tuple[Rule, ...] = (
    judgments_are_answers,
    votes_are_judgments,
    labels_follow,
    via_connects,
    families_stay_together,
    no_equal_sentences_to_test_on,
    sides_are_even,
    tables_hold_the_pairs,
    noisy_labels_are_binary,
)
