"""Annotated corpora to train and test the embedded tagger: reading, harmonisation, splits."""

import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from pathlib import Path
from typing import IO, Literal, cast

from generation.nlp.adapters.spacy_component import Labels

ARCHIVE = "treebanks.tar.xz"
Layer = Literal["pos", "ner"]
SUFFIXES: dict[Layer, str] = {"pos": "tsv", "ner": "iob"}

NAMES = {"PER": "PERSON", "LOC": "LOCATION", "ORG": "ORGANISATION", "MISC": "MISC"}
RARE = 5


@dataclass(frozen=True, slots=True)
class AnnotatedSentence:
    """Words with their (universal, Penn) tag pairs, IOB tags of names, or both."""

    words: tuple[str, ...]
    tags: tuple[tuple[str, str], ...] = ()
    iob: tuple[str, ...] = ()


def read_treebank(folder: Path, layer: Layer, name: str) -> list[AnnotatedSentence]:
    """Read one corpus, such as ("pos", "ewt_train"), from the archive in a folder.

    Raises KeyError if the archive lacks the corpus, ValueError for a malformed line.
    """
    with tarfile.open(folder / ARCHIVE) as archive:
        member = cast(IO[bytes], archive.extractfile(f"{layer}/{name}.{SUFFIXES[layer]}"))
        return list(parse(member.read().decode("utf-8"), layer))


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
    spans: list[tuple[int, int, str]] = []
    for index, tag in enumerate(iob):
        prefix, _, label = tag.partition("-")
        if prefix == "I" and spans and spans[-1][1:] == (index, label):
            spans[-1] = (spans[-1][0], index + 1, label)
        elif prefix != "O":
            spans.append((index, index + 1, label))
    return spans


def resplit(sentence: AnnotatedSentence, pieces: Sequence[Sequence[str]]) -> AnnotatedSentence:
    """Split words as the running pipeline's tokenizer does, and propagate their annotation.

    `pieces` holds the parts of each word. A hyphen becomes HYPH and a lower-case part before it AFX
    ("re", "-", "elected"); every other part inherits the tag of its word.
    """
    return AnnotatedSentence(
        words=tuple(chain.from_iterable(pieces)),
        tags=tuple(chain.from_iterable(map(_spread, sentence.tags, pieces))),
        iob=tuple(chain.from_iterable(map(_continue, sentence.iob, pieces))),
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
    """Return the training corpora; the small WikiGold counts three times.

    Every ninth sentence of WikiGold is reserved for calibration.
    """
    wikigold = read_treebank(folder, "ner", "wikigold_train")
    return [
        Corpus("EWT", read_treebank(folder, "pos", "ewt_train")),
        Corpus("GUM", gum(folder, "train")),
        Corpus("WikiGold", [s for i, s in enumerate(wikigold) if i % 9 for _ in range(3)]),
        Corpus("UNER EWT", read_treebank(folder, "ner", "uner_ewt_dev"), misc=False),
        Corpus("BTC", read_treebank(folder, "ner", "btc"), misc=False),
    ]


def held_out(folder: Path) -> list[Corpus]:
    """Return sentences with names for calibration; no training or test data."""
    wikigold = read_treebank(folder, "ner", "wikigold_train")
    return [Corpus("WikiGold", wikigold[::9]), Corpus("GUM", gum(folder, "dev"))]


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
    return [restore_edges(replace(s, tags=tags[s.words])) for s in named if s.words in tags]


def restore_edges(sentence: AnnotatedSentence) -> AnnotatedSentence:
    """Extend names to adjacent proper adjectives and participles.

    In GUM, names were reduced to words whose universal tag is PROPN: "the United [States]" instead
    of "the [United States]".
    """
    iob = list(sentence.iob)
    proper = [tag.startswith("NNP") and pos in ("ADJ", "VERB") for pos, tag in sentence.tags]
    for start, end, label in spans_of(sentence.iob):
        if start and proper[start - 1] and iob[start - 1] == "O":
            iob[start - 1 : start + 1] = [f"B-{label}", f"I-{label}"]
        if end < len(iob) and proper[end] and iob[end] == "O":
            iob[end] = f"I-{label}"
    return replace(sentence, iob=tuple(iob))


def labels(corpora: Iterable[Corpus]) -> Labels:
    """Return the tag pairs that are frequent enough to learn, and the types of names."""
    counts = Counter(tag for corpus in corpora for s in corpus.sentences for tag in s.tags)
    return Labels(
        tags=tuple(sorted(pair for pair, count in counts.items() if count >= RARE)),
        names=tuple(NAMES.values()),
    )
