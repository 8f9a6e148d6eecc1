"""The rows of a release: what planning reads, and what the files hold.

A record declares the columns of its file: a field with a description is a column, and `files`
derives from it what is read, written and described. A column that a later version of the format
adds is `Since` that version. Other fields are in no file. Records are named tuples, because they
occur by the hundred thousand.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from itertools import islice
from typing import Annotated, Literal, NamedTuple, TypeVar, get_args

from annotation.stats.labels import Scheme
from annotation.stats.spans import Span

Origin = Literal["judged", "recombined", "silver", "published"]
Subset = Literal[
    "labeled_final",
    "labeled_swap",
    "unlabeled_final",
    "low_agreement",
    "translated",  # the tables of a release of translations
    "translate_test",
]
Split = Literal["train", "dev", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)
# Subset and split of a table.
Place = tuple[Subset | None, Split]

RECOMBINED = "recombined"
# A column that only the rows that have a value mention. Catalogues do not list it.
IF_ANY = object()
# The version in which new releases are frozen. Older ones are written again in theirs.
NEWEST = 2
ROWS_IN_BATCH = 1000

T = TypeVar("T")


class Since(NamedTuple):
    """Describes a column that files have from this version of their format on.

    corpus: Annotated[str | None, Since(2, "Name of its corpus")] = None
    """

    version: int
    about: str | object


class LeftOut(StrEnum):
    """Why a pair is in no table of a release."""

    WAITING = "waiting"  # not kept, and answers are missing
    EASY = "easy"  # kept, but the model of `hard_for` gave the same outcome as people
    SURPLUS = "surplus"  # dropped by balancing
    EQUAL = "equal"  # equal sentences, drawn for dev or test
    CONFLICT = "conflict"  # composed: walks label it differently
    UNKNOWN = "unknown"  # composed: no walk labels it
    NOISY_EASY = "noisy_easy"  # the texts of an easy pair, with the label of a method
    NOISY_CONFLICT = "noisy_conflict"  # unjudged: methods label its texts differently
    NOISY_REPEATED = "noisy_repeated"  # unjudged: another row has the same texts
    NOISY_OF_TEST = "noisy_of_test"  # unjudged: connected to a pair of test
    NOISY_BETWEEN = "noisy_between"  # unjudged: connects train and dev
    NOISY_EQUAL = "noisy_equal"  # unjudged: equal sentences, drawn for dev


class SentenceRow(NamedTuple):
    """A sentence of a pair, or the source of one. Sentences of one `group` stay in one split."""

    id: Annotated[str, "Id of the sentence"]
    text: Annotated[str, "The sentence"]
    source: Annotated[
        str, "Id of the sentence that all its rewrites go back to; its own for a source"
    ]
    rewritten_from: Annotated[
        str | None, "Id of the sentence that it was rewritten from; null for a source"
    ] = None
    method: Annotated[str | None, "How it was rewritten; null for a source"] = None
    correction: Annotated[
        str | None, "accept or fix, where a person looked at the rewrite; else null"
    ] = None
    corpus: Annotated[str | None, Since(2, "Name of its corpus")] = None
    kind: Annotated[
        str | None, Since(2, "What the method changed; null for a source, or if unknown")
    ] = None
    run: Annotated[
        int | None,
        Since(2, "Number of the run that rewrote it, as in the manifest; null for a source"),
    ] = None
    group: Annotated[str | None, IF_ANY] = None
    entity: Annotated[str | None, IF_ANY] = None
    composes: bool = True  # False: its pair is excluded, so no pair is composed over it
    paraphrase: float | None = None  # of the rewrite, as in CandidateRow


class CandidateRow(NamedTuple):
    """A rewrite as generated, of a SentenceRow or of another CandidateRow.

    `paraphrase` is the probability that it means the same as its origin, None if not estimated.
    """

    id: str
    rewritten_from: str
    text: str
    method: str
    kind: str | None = None
    run: int | None = None
    own_id: str | None = None
    paraphrase: float | None = None


class PairRow(NamedTuple):
    """A judged pair: ids of its sentences in any order, and its judgments counted from label 0.

    `model_label` is the place of an outcome, if the annotator model is in the release.
    `first` are those of the first people, None if no one else was asked. `own_id` is the id in the
    file that the pair was imported from.
    """

    id: str
    sentence1: str
    sentence2: str
    method: str
    tally: tuple[int, ...]
    model_label: int | None = None
    model_share: float | None = None
    first: tuple[int, ...] | None = None
    own_id: str | None = None


class ReleasedPair(NamedTuple):
    """A pair, from its decision to the files.

    A "silver" pair is labelled by its method or an estimate alone. It is in no line of pairs.jsonl,
    only in the tables of unlabeled_final, and may consist of candidates instead of sentences.

    `votes` are by outcome of the scheme, `tally` by label where an outcome has several; labels and
    grades are the values of them. `mean` is there if it is what answers become.
    `first` counts the answers of the first people by label, where more were asked; `closed` pairs
    were decided with fewer votes than they might have got, because no annotator was left to ask.
    `own_id` is the id of an imported pair in its file.
    """

    id: Annotated[str, "Id of the pair"]
    sentence1: Annotated[str, "Id of one sentence, in the order of the tables"]
    sentence2: Annotated[str, "Id of the other sentence"]
    origin: Annotated[Origin, "judged, or recombined from judged pairs"] = "judged"
    via: Annotated[tuple[str, ...], "Ids of the judged pairs that it was recombined from"] = ()
    method: Annotated[str, "How one sentence became the other"] = ""
    votes: Annotated[tuple[int, ...] | None, "Votes for 0 and for 1; null if not judged"] = None
    label: Annotated[int | None, "1: a paraphrase; 0: none; null: not settled"] = None
    kept: Annotated[bool, "Whether enough people agree"] = False
    subset: Annotated[Subset | None, "The table that contains it, or null"] = None
    split: Annotated[Split | None, "train, dev, test, or null"] = None
    domain: Annotated[
        str | None, Since(2, "Corpus of its sentences; two are joined by a slash")
    ] = None
    kind: Annotated[
        str | None, Since(2, "What the method changed; null if recombined or unknown")
    ] = None
    run: Annotated[
        int | None,
        Since(2, "Number of the run that made it, as in the manifest; null if recombined"),
    ] = None
    grade: Annotated[int | None, IF_ANY] = None
    tally: Annotated[tuple[int, ...] | None, Since(2, IF_ANY)] = None
    mean: Annotated[float | None, Since(2, IF_ANY)] = None
    model_label: Annotated[int | None, Since(2, IF_ANY)] = None
    model_share: Annotated[float | None, Since(2, IF_ANY)] = None
    first: Annotated[tuple[int, ...] | None, Since(2, IF_ANY)] = None
    closed: Annotated[bool | None, Since(2, IF_ANY)] = None
    own_id: Annotated[str | None, Since(2, IF_ANY)] = None
    text1: str = ""
    text2: str = ""
    entity: str | None = None
    generator: str | None = None  # the models of its run

    @property
    def place(self) -> Place:
        """Subset and split of its table: low_agreement is one, whatever the splits of its pairs."""
        return self.subset, "train" if self.subset == "low_agreement" else self.split or "train"

    @property
    def soft_label(self) -> float | None:
        return share_for(self.votes)

    @property
    def label_votes(self) -> tuple[int, ...] | None:
        """The answers counted by label, in the order of the scheme."""
        return self.tally or self.votes

    @property
    def label_shares(self) -> tuple[float, ...] | None:
        return shares(self.label_votes)

    @property
    def votes0(self) -> int | None:
        return self.votes[0] if self.votes else None

    @property
    def votes1(self) -> int | None:
        return self.votes[1] if self.votes else None


class JudgmentRow(NamedTuple):
    """One answer of one person, under a pseudonym.

    `later` is true of answers that were asked for because the first people disagreed.
    """

    pair: Annotated[str, "Id of the pair"]
    annotator: Annotated[str, "Random pseudonym of the person, unique to this release"]
    label: Annotated[int, "The answer, on the scale of the study"]
    seconds: Annotated[float | None, "How long it took, or null"]
    simulated: Annotated[bool, "Whether a program gave the answer"] = False
    later: Annotated[bool | None, Since(2, IF_ANY)] = None
    reason: Annotated[str | None, Since(2, IF_ANY)] = None
    # By sentence1 and sentence2 of the pair, as annotation.stats.spans has them.
    words: Annotated[tuple[Span, ...] | None, Since(2, IF_ANY)] = None


class AnnotatorRow(NamedTuple):
    """What one person replied to the study's questions, under their pseudonym."""

    annotator: Annotated[str, "Pseudonym, as in judgments.jsonl"]
    replies: Annotated[
        Mapping[str, str | None],
        "The choice of the person by title of question; null: they would rather not say, or too "
        "few people share their combination",
    ]


class AdjudicationRow(NamedTuple):
    """An expert decision on a pair that is not kept."""

    pair: Annotated[str, "Id of a judged pair that is not kept"]
    label: Annotated[int | None, "The expert's label: 1, 0, or null for neither"]


class ModelJudgmentRow(NamedTuple):
    """A model's label of a judged pair."""

    pair: Annotated[str, "Id of the pair"]
    model: Annotated[str, "Model name"]
    revision: Annotated[str, "Model revision"]
    label: Annotated[int, "The model's label, on the scale of the study"]
    score: Annotated[
        float | None, "Probability of a paraphrase according to the model, 0 to 1, or null"
    ]


class PromptRow(NamedTuple):
    """A prompt by which a model behind an endpoint was asked."""

    sha256: Annotated[str, "SHA-256 of the text in UTF-8, by which settings of runs name it"]
    role: Annotated[str, "What the model did: generator, or judge and how it was asked"]
    model: Annotated[str, "Model name; of a judge, with the revision of its labels"]
    text: Annotated[str, "The prompt; names in braces were filled in"]


@cache
def share_for(votes: tuple[int, ...] | None) -> float | None:
    """Return the share of votes for a paraphrase; None without votes."""
    return round(votes[1] / sum(votes), 6) if votes and any(votes) else None


@cache
def shares(votes: tuple[int, ...] | None) -> tuple[float, ...] | None:
    """Return the share of each of the votes; None without any."""
    total = sum(votes or ())
    return tuple(round(number / total, 6) for number in votes or ()) if total else None


@cache
def mean_answer(scheme: Scheme, tally: tuple[int, ...] | None) -> float | None:
    """Return the mean value of answers that are counted by label; None without any."""
    mean = scheme.mean(tally) if tally else None
    return None if mean is None else round(mean, 6)


def batches(rows: Iterable[T], size: int = ROWS_IN_BATCH) -> Iterator[list[T]]:
    """Yield the rows in lists of `size`, so that fixed costs occur once for each."""
    source = iter(rows)
    while batch := list(islice(source, size)):
        yield batch
