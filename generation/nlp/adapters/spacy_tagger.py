"""Tags sentences with spaCy pipelines."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from generation.nlp.adapters.model_files import folder_digest
from generation.nlp.adapters.spacy_pipelines import files_of
from generation.nlp.tagging import Entity, TaggedSentence, Token

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

EMBEDDED = Path(__file__).resolve().parent.parent / "embedded" / "en_tagger"
BATCH = 128
UNUSED = ("parser", "lemmatizer", "textcat", "senter")

# Maps the labels of all pipelines to one vocabulary; OntoNotes labels are more detailed.
LABELS = {
    "PER": "PERSON",
    "LOC": "LOCATION",
    "GPE": "LOCATION",
    "FAC": "LOCATION",
    "ORG": "ORGANISATION",
    "NORP": "MISC",
    "EVENT": "MISC",
    "WORK_OF_ART": "MISC",
    "PRODUCT": "MISC",
    "LANGUAGE": "MISC",
    "LAW": "MISC",
}
# Not names: dates are found by their pattern, numbers by their tags.
NO_NAMES = frozenset(["DATE", "TIME", "CARDINAL", "ORDINAL", "PERCENT", "QUANTITY", "MONEY"])


class SpacyTagger:
    """A `Tagger` with a spaCy pipeline, loaded on first use, once per process.

    Names are labelled PERSON, LOCATION, ORGANISATION or MISC; a label without a counterpart is
    kept. Dates, amounts and numbers are excluded. A name's `probability` is that of its span being
    a name with exact boundaries, whatever its type: calibrated for the embedded pipeline, the share
    of a beam parse for a transition-based recogniser, else None. The identity states which as
    "entity_probability".
    """

    def __init__(self, source: str | Path = EMBEDDED) -> None:
        """Use the pipeline in a folder or an installed package."""
        self._source = str(source)

    @property
    def identity(self) -> dict[str, str]:
        """Name, version and, for a pipeline in a folder, SHA-256 of its files.

        Read from the files, without loading the pipeline. Raises UnreadablePipeline.
        """
        found, folder = files_of(self._source).identity, Path(self._source)
        return found | {"sha256": folder_digest(folder)} if folder.is_dir() else found

    def load(self) -> None:
        """Load the pipeline now.

        Raises OSError if it does not exist, ValueError if it sets no tags or cannot be built.
        """
        _load(self._source)

    def tag(self, texts: Iterable[str]) -> Iterator[TaggedSentence]:
        """Tag texts, one sentence each, in order. Raises the same errors as `load`."""
        for doc in _load(self._source).pipe(texts, batch_size=BATCH):
            yield tagged_sentence(doc)


def tagged_sentence(doc: "Doc") -> TaggedSentence:
    """Convert an annotated document to plain values.

    Whitespace tokens are appended to the previous word; before the first word they are dropped.
    """
    text, words = doc.text, [token for token in doc if not token.is_space]
    stops = [*(word.idx for word in words[1:]), len(text)]
    tokens = tuple(
        Token(word.text, word.tag_, word.pos_, text[word.idx + len(word) : stop])
        for word, stop in zip(words, stops, strict=False)
    )
    return TaggedSentence(tokens, tuple(_entities(doc, [word.i for word in words])))


def _entities(doc: "Doc", words: list[int]) -> Iterator[Entity]:
    scores = _scores(doc)
    for span in doc.ents:
        start, end = bisect_left(words, span.start), bisect_left(words, span.end)
        if start < end and span.label_ not in NO_NAMES:
            label = LABELS.get(span.label_, span.label_)
            yield Entity(start, end, label, scores.get((span.start, span.end)))


def _scores(doc: "Doc") -> dict[tuple[int, int], float]:
    """Return the probabilities of names by token span, if the pipeline provides them."""
    group = doc.spans.get("names")
    if group is None:
        return {}
    scores = group.attrs.get("scores", ())
    return {(n.start, n.end): score for n, score in zip(group, scores, strict=False)}


@cache
def _load(source: str) -> "Language":
    import spacy

    # Also registers the factory of the embedded pipeline.
    from generation.nlp.adapters.spacy_scores import score_names

    nlp = spacy.load(source, exclude=UNUSED)
    if not any("token.tag" in nlp.get_pipe_meta(name).assigns for name in nlp.pipe_names):
        raise ValueError(f"the spaCy pipeline {source} sets no tags")
    score_names(nlp)
    return nlp
