"""The one component of the embedded spaCy pipeline: tags and names from one reading of the sentence.

A stock tagger and a stock entity recogniser would each read the sentence, and the recogniser, a
transition system, gives no probability without a costly beam parse. Here both are softmax layers over
the same token vectors, so a name comes with a probability that is calibrated on held-out text.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, Self

import numpy as np
import srsly
from numpy.typing import NDArray
from spacy import registry
from spacy.attrs import ENT_IOB, ENT_TYPE, POS, TAG
from spacy.language import Language
from spacy.symbols import IDS
from spacy.tokens import Doc, Span, SpanGroup
from spacy.util import minibatch
from thinc.api import Linear, Model, chain, with_array
from thinc.types import Floats2d

FACTORY = "pawsmith_tags_and_names"
NAMES = "names"
OUTSIDE, BEGIN, INSIDE = 2, 3, 1  # spaCy's codes of ENT_IOB

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Labels:
    """What the columns of the output layer mean: (universal, Penn) tag pairs, then O, B-x and I-x of each name type."""

    tags: tuple[tuple[str, str], ...] = ()
    names: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.tags) + 1 + 2 * len(self.names)


@dataclass(frozen=True, slots=True)
class Calibration:
    """Platt scaling of a span's raw probability: sigmoid(slope * logit(raw) + intercept)."""

    slope: float = 1.0
    intercept: float = 0.0

    def __call__(self, raw: NDArray[np.float64]) -> NDArray[np.float64]:
        """Probabilities that spans with these raw probabilities are names, boundaries included."""
        clipped = np.clip(raw, 1e-9, 1 - 1e-9)
        logit = np.log(clipped) - np.log1p(-clipped)
        return 1 / (1 + np.exp(-(self.slope * logit + self.intercept)))


@dataclass(frozen=True, slots=True)
class Names:
    """Spans over the tokens of a batch laid end to end, with type index and raw probability of each."""

    starts: NDArray[np.intp]
    ends: NDArray[np.intp]
    types: NDArray[np.intp]
    raw: NDArray[np.float64]


@registry.architectures("pawsmith.TagsAndNames.v1")
def tags_and_names_model(
    tok2vec: Model[list[Doc], list[Floats2d]], width: int, outputs: int | None = None
) -> Model[list[Doc], list[Floats2d]]:
    """Token vectors of `width` and one linear layer over them; `outputs` is set once labels are known."""
    return chain(tok2vec, with_array(Linear(nO=outputs, nI=width)))


@Language.factory(FACTORY, assigns=["token.tag", "token.pos", "doc.ents", "doc.spans"])
class TagsAndNames:
    """Sets Penn tags, universal tags and named entities.

    The names stand in `doc.ents` and, with their probabilities as attrs["scores"], in
    `doc.spans["names"]`. A probability is that of the span being a name, whatever its type.
    """

    def __init__(self, nlp: Language, name: str, model: Model[list[Doc], list[Floats2d]]) -> None:
        self.vocab, self.name, self.model = nlp.vocab, name, model
        self.labels, self.calibration = Labels(), Calibration()

    def __call__(self, doc: Doc) -> Doc:
        """Annotate one document."""
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Annotate documents batch by batch, in order."""
        for docs in minibatch(stream, batch_size):
            self.annotate(docs)
            yield from docs

    def adopt(self, labels: Labels, calibration: Calibration) -> None:
        """Take over labels and calibration and size the output layer for them."""
        self.labels, self.calibration = labels, calibration
        self.model.layers[-1].layers[0].set_dim("nO", labels.width)

    def annotate(self, docs: Sequence[Doc]) -> None:
        """Annotate documents in place."""
        rows = np.concatenate(self.model.predict(list(docs)))
        bounds = [0, *accumulate(len(doc) for doc in docs)]
        tags, types = self.decode_tags(rows), self.name_probabilities(rows)
        names = decode_names(types, np.asarray(bounds))
        attributes = self._attributes(tags, names)
        for doc, (start, end) in zip(docs, pairwise(bounds), strict=True):
            doc.from_array([TAG, POS, ENT_IOB, ENT_TYPE], attributes[start:end])
        self._add_spans(docs, bounds, names)
