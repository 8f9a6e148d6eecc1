"""Corpora of the embedded tagger: which, how they are reconciled, what is held out."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from generation.nlp.adapters.spacy_component import Labels
from generation.nlp.training import treebanks
from generation.nlp.training.treebanks import AnnotatedSentence

NAMES = {"PER": "PERSON", "LOC": "LOCATION", "ORG": "ORGANISATION", "MISC": "MISC"}
RARE = 5

Split = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Sentences of one corpus.

    `misc` says whether its guideline knows names beyond persons, places and organisations.
    """

    name: str
    sentences: tuple[AnnotatedSentence, ...]
    misc: bool = True

    def __len__(self) -> int:
        return len(self.sentences)


def training(folder: Path) -> list[Corpus]:
    """The corpora to train on. Every ninth sentence of WikiGold is left for calibration."""
    wikigold = treebanks.read(folder, "ner", "wikigold_train")
    return [
        Corpus("ewt", tuple(treebanks.read(folder, "pos", "ewt_train"))),
        Corpus("gum", tuple(gum(folder, "train"))),
        Corpus("wikigold", tuple(s for i, s in enumerate(wikigold) if i % 9)),
        Corpus("uner_ewt", tuple(treebanks.read(folder, "ner", "uner_ewt_dev")), misc=False),
        Corpus("btc", tuple(treebanks.read(folder, "ner", "btc")), misc=False),
    ]


def held_out(folder: Path) -> list[Corpus]:
    """Sentences to choose settings and to calibrate probabilities on: no training, no test."""
    wikigold = treebanks.read(folder, "ner", "wikigold_train")
    return [
        Corpus("wikigold", tuple(wikigold[::9])),
        Corpus("gum", tuple(gum(folder, "dev"))),
        Corpus("ewt", tuple(treebanks.read(folder, "pos", "ewt_dev"))),
    ]


def test(folder: Path) -> list[Corpus]:
    """The test parts as published, and once more GUM's with the edges of its names restored."""
    return [
        Corpus("EWT test", tuple(treebanks.read(folder, "pos", "ewt_test"))),
        Corpus("GUM test", tuple(treebanks.read(folder, "pos", "gum_test"))),
        Corpus("PUD", tuple(treebanks.read(folder, "pos", "pud_test"))),
        Corpus("WikiGold held out", tuple(treebanks.read(folder, "ner", "wikigold_test"))),
        Corpus("GUM test", tuple(treebanks.read(folder, "ner", "gum_test"))),
        Corpus("GUM test, restored", tuple(gum(folder, "test"))),
        Corpus("PUD", tuple(treebanks.read(folder, "ner", "uner_pud")), misc=False),
        Corpus("UNER EWT test", tuple(treebanks.read(folder, "ner", "uner_ewt_test")), misc=False),
    ]


def gum(folder: Path, part: str) -> list[AnnotatedSentence]:
    """GUM with both layers on each sentence and the edges of its names restored."""
    tags = {s.words: s.tags for s in treebanks.read(folder, "pos", f"gum_{part}")}
    named = treebanks.read(folder, "ner", f"gum_{part}")
    both = [replace(s, tags=tags[s.words]) for s in named if s.words in tags]
    return [restore_edges(sentence) for sentence in both]


def restore_edges(sentence: AnnotatedSentence) -> AnnotatedSentence:
    """Widen names over the proper adjectives and participles beside them.

    The names of GUM were cut to the words whose universal tag is PROPN, so that "the United
    [States]" was left where "the [United States]" was meant.
    """
    if sentence.tags is None or sentence.iob is None:
        raise ValueError("both tags and names are needed")
    iob = list(sentence.iob)
    proper = [tag.startswith("NNP") and pos in ("ADJ", "VERB") for pos, tag in sentence.tags]
    for start, end, label in treebanks.spans(sentence.iob):
        if start and proper[start - 1] and iob[start - 1] == "O":
            iob[start - 1 : start + 1] = [f"B-{label}", f"I-{label}"]
        if end < len(iob) and proper[end] and iob[end] == "O":
            iob[end] = f"I-{label}"
    return replace(sentence, iob=tuple(iob))


def as_tokenised(corpus: Corpus, split: Split) -> Corpus:
    """The same corpus in the words that the tokenizer of the running pipeline would make."""
    resplit = (treebanks.resplit(s, [split(word) for word in s.words]) for s in corpus.sentences)
    return replace(corpus, sentences=tuple(resplit))


def labels(corpora: Iterable[Corpus]) -> Labels:
    """The tag pairs seen often enough to be learnt, and the types of names."""
    counts = Counter(tag for corpus in corpora for s in corpus.sentences for tag in s.tags or ())
    return Labels(
        tags=tuple(sorted(pair for pair, count in counts.items() if count >= RARE)),
        names=tuple(NAMES.values()),
    )
