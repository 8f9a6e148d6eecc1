"""Annotated corpora to train and evaluate the embedded tagger: reading, harmonisation, splits."""

import tarfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from pathlib import Path
from typing import Literal

from generation.nlp.adapters.spacy_component import Labels

ARCHIVE = "treebanks.tar.xz"
Layer = Literal["pos", "ner"]
SUFFIXES: dict[Layer, str] = {"pos": "tsv", "ner": "iob"}

NAMES = {"PER": "PERSON", "LOC": "LOCATION", "ORG": "ORGANISATION", "MISC": "MISC"}
RARE = 5
Split = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class AnnotatedSentence:
    """Words with their (universal, Penn) tag pairs, IOB tags of names, or both."""

    words: tuple[str, ...]
    tags: tuple[tuple[str, str], ...] | None = None
    iob: tuple[str, ...] | None = None


def read_treebank(folder: Path, layer: Layer, name: str) -> list[AnnotatedSentence]:
    """Read one corpus, such as ("pos", "ewt_train"), from the archive in a folder.

    Raises KeyError if the archive lacks the corpus, ValueError for a malformed line.
    """
    with tarfile.open(folder / ARCHIVE) as archive:
        member = archive.extractfile(f"{layer}/{name}.{SUFFIXES[layer]}")
        if member is None:
            raise KeyError(f"{layer}/{name} is not a file")
        text = member.read().decode("utf-8")
    return list(parse(text, layer))


def parse(text: str, layer: Layer) -> Iterator[AnnotatedSentence]:
    """Parse lines of tab-separated columns, with a blank line after each sentence.

    A line of layer "pos" is word, universal tag, Penn tag; one of layer "ner" is word, IOB tag.
    """
    for filled, lines in groupby(text.split("\n"), key=bool):
        if not filled:
            continue
        words, *columns = zip(*(line.split("\t") for line in lines), strict=True)
        if layer == "ner":
            (iob,) = columns
            yield AnnotatedSentence(words, iob=iob)
        else:
            universal, penn = columns
            yield AnnotatedSentence(words, tags=tuple(zip(universal, penn, strict=True)))


def spans_of(iob: Sequence[str]) -> list[tuple[int, int, str]]:
    """Return the names (start, end, type) of IOB tags; an I without a preceding B begins a name."""
    found: list[tuple[int, int, str]] = []
    for index, tag in enumerate(iob):
        prefix, _, label = tag.partition("-")
        if prefix == "I" and found and found[-1][1:] == (index, label):
            found[-1] = (found[-1][0], index + 1, label)
        elif prefix != "O":
            found.append((index, index + 1, label))
    return found


def resplit(sentence: AnnotatedSentence, pieces: Sequence[Sequence[str]]) -> AnnotatedSentence:
    """Split words as the running pipeline's tokenizer does, and propagate their annotation.

    `pieces` holds the parts of each word. A hyphen becomes HYPH and a lower-case part before it AFX
    ("re", "-", "elected"); every other part inherits the tag of its word.
    """
    tags, iob = sentence.tags, sentence.iob
    return AnnotatedSentence(
        words=tuple(chain.from_iterable(pieces)),
        tags=tags and tuple(chain.from_iterable(map(_spread, tags, pieces))),
        iob=iob and tuple(chain.from_iterable(map(_continue, iob, pieces))),
    )


def _spread(pair: tuple[str, str], parts: Sequence[str]) -> Iterator[tuple[str, str]]:
    for part, following in zip(parts, [*parts[1:], ""], strict=True):
        if len(parts) > 1 and part == "-":
            yield "PUNCT", "HYPH"
        elif following == "-" and part.islower():
            yield "X", "AFX"
        else:
            yield pair


def _continue(iob: str, parts: Sequence[str]) -> list[str]:
    return [iob, *[iob.replace("B-", "I-")] * (len(parts) - 1)]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Sentences of one corpus.

    `misc` is True if its guideline includes names beyond persons, places and organisations.
    """

    name: str
    sentences: Sequence[AnnotatedSentence]
    misc: bool = True


def training(folder: Path) -> list[Corpus]:
    """Return the training corpora. Every ninth sentence of WikiGold is reserved for calibration."""
    wikigold = read_treebank(folder, "ner", "wikigold_train")
    return [
        Corpus("ewt", read_treebank(folder, "pos", "ewt_train")),
        Corpus("gum", gum(folder, "train")),
        Corpus("wikigold", [s for i, s in enumerate(wikigold) if i % 9]),
        Corpus("uner_ewt", read_treebank(folder, "ner", "uner_ewt_dev"), misc=False),
        Corpus("btc", read_treebank(folder, "ner", "btc"), misc=False),
    ]


def held_out(folder: Path) -> list[Corpus]:
    """Return sentences for choosing settings and for calibration; no training or test data."""
    wikigold = read_treebank(folder, "ner", "wikigold_train")
    return [
        Corpus("wikigold", wikigold[::9]),
        Corpus("gum", gum(folder, "dev")),
        Corpus("ewt", read_treebank(folder, "pos", "ewt_dev")),
    ]


def test(folder: Path) -> list[Corpus]:
    """Return the published test sets, plus GUM's test set with restored name boundaries."""
    return [
        Corpus("EWT test", read_treebank(folder, "pos", "ewt_test")),
        Corpus("GUM test", read_treebank(folder, "pos", "gum_test")),
        Corpus("PUD", read_treebank(folder, "pos", "pud_test")),
        Corpus("WikiGold test", read_treebank(folder, "ner", "wikigold_test")),
        Corpus("GUM test", read_treebank(folder, "ner", "gum_test")),
        Corpus("GUM test, restored", gum(folder, "test")),
        Corpus("PUD", read_treebank(folder, "ner", "uner_pud"), misc=False),
        Corpus("UNER EWT test", read_treebank(folder, "ner", "uner_ewt_test"), misc=False),
    ]


def gum(folder: Path, part: str) -> list[AnnotatedSentence]:
    """Return GUM sentences with tags and names, and with restored name boundaries."""
    tags = {s.words: s.tags for s in read_treebank(folder, "pos", f"gum_{part}")}
    named = read_treebank(folder, "ner", f"gum_{part}")
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
    for start, end, label in spans_of(sentence.iob):
        if start and proper[start - 1] and iob[start - 1] == "O":
            iob[start - 1 : start + 1] = [f"B-{label}", f"I-{label}"]
        if end < len(iob) and proper[end] and iob[end] == "O":
            iob[end] = f"I-{label}"
    return replace(sentence, iob=tuple(iob))


def as_tokenised(corpus: Corpus, split: Split) -> Corpus:
    """Return the corpus split into the words of the running pipeline's tokenizer."""
    sentences = [resplit(s, [split(word) for word in s.words]) for s in corpus.sentences]
    return replace(corpus, sentences=sentences)


def labels(corpora: Iterable[Corpus]) -> Labels:
    """Return the tag pairs that are frequent enough to learn, and the types of names."""
    counts = Counter(tag for corpus in corpora for s in corpus.sentences for tag in s.tags or ())
    return Labels(
        tags=tuple(sorted(pair for pair, count in counts.items() if count >= RARE)),
        names=tuple(NAMES.values()),
    )
