"""The component of the embedded spaCy pipeline: predicts tags and names in one pass.

spaCy's transition-based entity recogniser gives no probability without a costly beam parse. Here
tags and names are softmax layers over the same token vectors: one pass, and every name has a
probability, calibrated on unseen text. Weights are stored as float16 and word vectors as 8-bit
integers, without measurable loss.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice, pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from spacy.language import Language
from spacy.tokens import Doc, SpanGroup
from spacy.util import registry
from spacy.vectors import Vectors  # type: ignore[import-not-found]
from spacy.vocab import Vocab
from thinc.api import Linear, Model, chain, with_array
from thinc.types import Floats2d, Ints2d

from generation.nlp.adapters import name_spans
from generation.nlp.adapters.name_spans import Calibration, NameSpans
from generation.nlp.adapters.spacy_pipelines import TAGS_AND_NAMES

STEP = 32.0  # a stored 32 is 1.0 for the network

NAMES = "names"
ATTRIBUTES: list[int | str] = ["TAG", "POS", "ENT_IOB", "ENT_TYPE"]
INSIDE, OUTSIDE, BEGIN = 1, 2, 3  # spaCy's codes of ENT_IOB


@dataclass(frozen=True, slots=True)
class WordVectors:
    """Words and their vectors, one row per word."""

    words: tuple[str, ...]
    rows: NDArray[np.int8]

    def install(self, vocab: Vocab) -> None:
        """A capitalised form without a vector gets that of the lower-case word."""
        data = self.rows.astype(np.float32) / STEP
        vectors = Vectors(strings=vocab.strings, data=data, keys=self.words)
        words = set(self.words)
        for row, word in enumerate(self.words):
            capitalised = word[:1].upper() + word[1:]
            if capitalised not in words:
                vectors.add(capitalised, row=row)
        vocab.vectors = vectors

    @classmethod
    def from_disk(cls, folder: Path) -> "WordVectors":
        words = folder.joinpath("words.txt").read_text(encoding="utf-8").split("\n")
        return cls(tuple(words), np.load(folder / "vectors.npy"))


def load_weights(model: Model[Any, Any], path: Path) -> None:
    """Load parameters into a network of the same shape. Raises KeyError if the file lacks one."""
    with np.load(path) as stored:
        for key, node, name in parameters(model):
            node.set_param(name, stored[key].astype(np.float32))


def parameters(model: Model[Any, Any]) -> Iterator[tuple[str, Model[Any, Any], str]]:
    for number, node in enumerate(model.walk()):
        for name in node.param_names:
            if node.has_param(name):
                yield f"{number}.{name}", node, name


@dataclass(frozen=True, slots=True)
class Labels:
    """The meaning of the columns of the output layer.

    The (universal, Penn) tag pairs come first, then outside, then begin and inside of each type.
    """

    tags: tuple[tuple[str, str], ...] = ()
    names: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        return len(self.tags) + 1 + 2 * len(self.names)


@registry.architectures("pawsmith.TagsAndNames.v1")  # type: ignore[untyped-decorator]
def tags_and_names_model(
    tok2vec: Model[list[Doc], list[Floats2d]], width: int
) -> Model[list[Doc], list[Floats2d]]:
    """Build token vectors of `width` columns and a linear layer, which is sized with the labels."""
    return chain(tok2vec, with_array(Linear(nI=width)))


class Component:
    """A component of a spaCy pipeline that annotates documents in batches."""

    def annotate(self, docs: Sequence[Doc]) -> None:
        raise NotImplementedError

    def __call__(self, doc: Doc) -> Doc:
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        documents = iter(stream)
        while docs := list(islice(documents, batch_size)):
            if nonempty := [doc for doc in docs if len(doc)]:
                self.annotate(nonempty)
            yield from docs


@Language.factory(TAGS_AND_NAMES, assigns=["token.tag", "token.pos", "doc.ents", "doc.spans"])
class TagsAndNames(Component):
    """Sets Penn tags, universal tags and named entities.

    Names are written to `doc.ents` and, with their probabilities as attrs["scores"], to
    `doc.spans["names"]`. The probability is that of the span being a name of any type; spans below
    `threshold` are dropped.
    """

    def __init__(self, nlp: Language, name: str, model: Model[list[Doc], list[Floats2d]]) -> None:
        self.vocab, self.name, self.model = nlp.vocab, name, model
        self.scheme, self.calibration, self.threshold = Labels(), Calibration(), 0.0

    def set_labels(self, labels: Labels) -> None:
        self.scheme = labels
        self.model.layers[-1].layers[0].set_dim("nO", labels.width)

    def annotate(self, docs: Sequence[Doc]) -> None:
        bounds = np.array([0, *accumulate(len(doc) for doc in docs)])
        tags, names = self.predict(docs, bounds)
        attributes = self._attributes(tags, names)
        for doc, (start, end) in zip(docs, pairwise(bounds), strict=True):
            doc.from_array(ATTRIBUTES, cast("Ints2d", attributes[start:end]))
        self._add_scores(docs, bounds, names)

    def predict(
        self, docs: Sequence[Doc], bounds: NDArray[np.intp]
    ) -> tuple[NDArray[np.intp], NameSpans]:
        """Return the tag pair of each token and the likely names, over concatenated documents."""
        logits = stack(self.model.predict(list(docs)))
        count = len(self.scheme.tags)
        begins_document = np.zeros(len(logits) + 1, np.bool_)
        begins_document[bounds] = True
        names = name_spans.decode(softmax(logits[:, count:]), begins_document[:-1])
        likely = self.calibration(names.raw) >= self.threshold
        return logits[:, :count].argmax(axis=1), name_spans.select(names, likely)

    def _attributes(self, tags: NDArray[np.intp], names: NameSpans) -> NDArray[np.uint64]:
        strings = self.vocab.strings
        pairs = [(strings.add(tag), strings.add(pos)) for pos, tag in self.scheme.tags]
        types = np.array([strings.add(label) for label in self.scheme.names], np.uint64)
        attributes = np.zeros((len(tags), 4), np.uint64)
        attributes[:, :2] = np.array(pairs, np.uint64)[tags]
        attributes[:, 2] = OUTSIDE
        for start, end, label in zip(names.starts, names.ends, names.types, strict=True):
            attributes[start:end, 2:] = INSIDE, types[label]
        attributes[names.starts, 2] = BEGIN
        return attributes

    def _add_scores(self, docs: Sequence[Doc], bounds: NDArray[np.intp], names: NameSpans) -> None:
        scores = self.calibration(names.raw).tolist()
        edges = np.searchsorted(names.starts, bounds)
        for doc, (start, end) in zip(docs, pairwise(edges), strict=True):
            group = SpanGroup(doc, name=NAMES, spans=doc.ents, attrs={"scores": scores[start:end]})
            doc.spans[NAMES] = group

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "TagsAndNames":
        folder = Path(path)
        settings: dict[str, Any] = json.loads((folder / "settings.json").read_bytes())
        labels = settings["labels"]
        tags = tuple((pos, tag) for pos, tag in labels["tags"])
        self.set_labels(Labels(tags=tags, names=tuple(labels["names"])))
        self.calibration = Calibration(**settings["calibration"])
        self.threshold = settings["threshold"]
        WordVectors.from_disk(folder).install(self.vocab)
        self.model.initialize(X=[Doc(self.vocab, words=["any"])])
        load_weights(self.model, folder / "weights.npz")
        return self


def stack(outputs: Sequence[Floats2d]) -> NDArray[np.float32]:
    return np.concatenate(cast("Sequence[NDArray[np.float32]]", outputs))


def softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    exponents: NDArray[np.float32] = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: NDArray[np.float32] = exponents / exponents.sum(axis=1, keepdims=True)
    return shares
