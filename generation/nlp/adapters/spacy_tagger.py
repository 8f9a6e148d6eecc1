"""Tagging with spaCy pipelines: the embedded one, or any that is installed or lies in a folder."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from generation.nlp.adapters.digests import folder_digest
from generation.nlp.adapters.spacy_pipelines import files_of
from generation.nlp.tagging import Entity, TaggedSentence, Token

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

EMBEDDED = Path(__file__).resolve().parent.parent / "embedded" / "en_tagger"
BATCH = 128
UNUSED = ("parser", "lemmatizer", "textcat", "senter")

# One vocabulary for the names of all pipelines: that of OntoNotes is the finer one.
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
# Those are no names: dates are found by their form, numbers by their tags.
NO_NAMES = frozenset(["DATE", "TIME", "CARDINAL", "ORDINAL", "PERCENT", "QUANTITY", "MONEY"])


class SpacyTagger:
    """A spaCy pipeline as a `Tagger`; it is loaded at the first use, once per process.

    Names are labelled PERSON, LOCATION, ORGANISATION or MISC; a label without a counterpart among
    these is kept. Dates, amounts and numbers are left out. A name's `probability` is that of its
    span being a name, boundaries included, whatever its type: from the embedded pipeline a
    calibrated one, from a transition-based recogniser its share of a beam parse, from a span
    categoriser its score, else None. Which of them it is stands in the identity as
    "entity_probability".
    """

    def __init__(self, source: str | Path = EMBEDDED) -> None:
        """Take the pipeline in a folder, or in an installed package."""
        self._source = str(source)

    @property
    def identity(self) -> dict[str, str]:
        """Name and version, and the SHA-256 of the files where the pipeline lies in a folder.

        It is read from the files, without loading the pipeline. Raises UnreadablePipeline.
        """
        found, folder = files_of(self._source).identity, Path(self._source)
        return found | {"sha256": folder_digest(folder)} if folder.is_dir() else found

    def load(self) -> None:
        """Load the pipeline now.

        Raises OSError where there is none, ValueError where it sets no tags or cannot be made.
        """
        _load(self._source)

    def tag(self, texts: Iterable[str]) -> Iterator[TaggedSentence]:
        """Tag texts, one sentence each, in order. Raises what `load` does."""
        for doc in _load(self._source).pipe(texts, batch_size=BATCH):
            yield tagged_sentence(doc)


def tagged_sentence(doc: "Doc") -> TaggedSentence:
    """The plain values of a document that a pipeline has annotated.

    White space that spaCy takes for a token of its own goes to the word before it; before the first
    word it is dropped.
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
    """The probabilities of names by the tokens that they span, where the pipeline has them."""
    group = doc.spans.get("names")
    if group is None:
        return {}
    scores = group.attrs.get("scores", ())
    return {(n.start, n.end): score for n, score in zip(group, scores, strict=False)}


@cache
def _load(source: str) -> "Language":
    import spacy

    # Registers the factory that the embedded pipeline is made of, too.
    from generation.nlp.adapters.spacy_scores import score_names

    nlp = spacy.load(source, exclude=UNUSED)
    if not any("token.tag" in nlp.get_pipe_meta(name).assigns for name in nlp.pipe_names):
        raise ValueError(f"the spaCy pipeline {source} sets no tags")
    score_names(nlp)
    return nlp
