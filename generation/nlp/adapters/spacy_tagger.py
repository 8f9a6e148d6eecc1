"""Tags sentences with spaCy pipelines. spaCy takes seconds to import: it is imported when used."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from generation.nlp.adapters.model_files import folder_digest
from generation.nlp.adapters.spacy_pipelines import files_of
from generation.nlp.tagging import TaggedSentence

EMBEDDED = Path(__file__).resolve().parent.parent / "embedded" / "en_tagger"
BATCH = 32  # documents in memory together
TEXTS_IN_ZONE = 200  # after which spaCy forgets their words


class SpacyTagger:
    """A `Tagger` with a spaCy pipeline, loaded on first use, once per process.

    Names are labelled PERSON, LOCATION, ORGANISATION or MISC; a label without a counterpart is
    kept. Dates, amounts and numbers are excluded. A name's `probability` is that of its span being
    a name with exact boundaries, whatever its type: calibrated for the embedded pipeline, the share
    of a beam parse for a transition-based recogniser, else None. The identity states which as
    "entity_probability".
    """

    def __init__(self, source: str | Path = EMBEDDED) -> None:
        self._source = str(source)

    @property
    def identity(self) -> dict[str, str]:
        """Read from the files, without loading the pipeline. Raises UnreadablePipeline."""
        identity, folder = files_of(self._source).identity, Path(self._source)
        return identity | {"sha256": folder_digest(folder)} if folder.is_dir() else identity

    def load(self) -> None:
        """Raises OSError if it does not exist, ValueError if it sets no tags or cannot be built."""
        from generation.nlp.adapters import spacy_documents

        spacy_documents.load(self._source)

    def tag(self, texts: Iterable[str]) -> Iterator[TaggedSentence]:
        """Tag texts, one sentence each, in order. Raises the same errors as `load`.

        The pipeline reads "Tom’s" as "Tom's", for which it has more examples.
        """
        from generation.nlp.adapters import spacy_documents

        pipeline, remaining = spacy_documents.load(self._source), iter(texts)
        while originals := list(islice(remaining, TEXTS_IN_ZONE)):
            with pipeline.memory_zone():
                docs = pipeline.pipe(
                    (text.replace("’", "'") for text in originals), batch_size=BATCH
                )
                sentences = list(map(spacy_documents.tagged_sentence, docs, originals))
            yield from sentences
