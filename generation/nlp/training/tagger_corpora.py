"""Corpora of the embedded tagger: selection, harmonisation, and splits."""

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

    `misc` is True if its guideline includes names beyond persons, places and organisations.
    """

    name: str
    sentences: tuple[AnnotatedSentence, ...]
    misc: bool = True

    def __len__(self) -> int:
        return len(self.sentences)


def training(folder: Path) -> list[Corpus]:
    """Return the training corpora. Every ninth sentence of WikiGold is reserved for calibration."""
    wikigold = treebanks.read(folder, "ner", "wikigold_train")
    return [
        Corpus("ewt", tuple(treebanks.read(folder, "pos", "ewt_train"))),
        Corpus("gum", tuple(gum(folder, "train"))),
        Corpus("wikigold", tuple(s for i, s in enumerate(wikigold) if i % 9)),
        Corpus("uner_ewt", tuple(treebanks.read(folder, "ner", "uner_ewt_dev")), misc=False),
        Corpus("btc", tuple(treebanks.read(folder, "ner", "btc")), misc=False),
    ]


def held_out(folder: Path) -> list[Corpus]:
    """Return sentences for choosing settings and for calibration; no training or test data."""
    wikigold = treebanks.read(folder, "ner", "wikigold_train")
    return [
        Corpus("wikigold", tuple(wikigold[::9])),
        Corpus("gum", tuple(gum(folder, "dev"))),
        Corpus("ewt", tuple(treebanks.read(folder, "pos", "ewt_dev"))),
    ]


def test(folder: Path) -> list[Corpus]:
    """Return the published test sets, plus GUM's test set with restored name boundaries."""
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
    """Return GUM sentences with tags and names, and with restored name boundaries."""
    tags = {s.words: s.tags for s in treebanks.read(folder, "pos", f"gum_{part}")}
    named = treebanks.read(folder, "ner", f"gum_{part}")
    both = [replace(s, tags=tags[s.words]) for s in named if s.words in tags]
    return [restore_edges(sentence) for sentence in both]


def restore_edges(sentence: AnnotatedSentence) -> AnnotatedSentence:
    """Extend names to adjacent proper adjectives and participles.

    In GUM, names were reduced to words whose universal tag is PROPN: "the United [States]" instead
    of "the [United States]".
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
    """Return the corpus split into the words of the running pipeline's tokenizer."""
    resplit = (treebanks.resplit(s, [split(word) for word in s.words]) for s in corpus.sentences)
    return replace(corpus, sentences=tuple(resplit))


def labels(corpora: Iterable[Corpus]) -> Labels:
    """Return the tag pairs that are frequent enough to learn, and the types of names."""
    counts = Counter(tag for corpus in corpora for s in corpus.sentences for tag in s.tags or ())
    return Labels(
        tags=tuple(sorted(pair for pair, count in counts.items() if count >= RARE)),
        names=tuple(NAMES.values()),
    )
