"""Which sentences of an import nearly repeat an earlier source of their corpus."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from typing import TypeAlias

from generation import selectors
from generation.models import Corpus, Sentence
from generation.nlp.near_duplicates import NearDuplicates, Scan

Repeats: TypeAlias = Sequence[tuple[Sentence, int]]

SENTENCES_AT_ONCE = 2_000


class Handling(StrEnum):
    """What becomes of a sentence that nearly repeats an earlier one.

    count: it is added, linked to the earlier one. skip: it is refused. off: nobody looks.
    """

    COUNT = "count"
    SKIP = "skip"
    OFF = "off"


@dataclass(slots=True)
class EarlierSources:
    """The sources of a corpus, known by primary key, and what finds repeats of them.

    Nothing of it is stored: it is read from the corpus again for each import.
    """

    corpus: Corpus
    handling: Handling = Handling.COUNT
    _index: NearDuplicates = field(init=False)
    _ids: "array[int]" = field(default_factory=lambda: array("q"))

    def __post_init__(self) -> None:
        self._index = NearDuplicates(self._texts_at)

    def catch_up(self) -> None:
        """Read the sources that this has not seen."""
        if self.handling == Handling.OFF:
            return
        last = self._ids[-1] if self._ids else 0
        sources = selectors.sources(self.corpus.pk).filter(id__gt=last)
        rows = sources.values_list("id", "text").iterator(chunk_size=SENTENCES_AT_ONCE)
        while some := list(islice(rows, SENTENCES_AT_ONCE)):
            self._index.enter([text for _, text in some])
            self._ids.extend(id_ for id_, _ in some)

    def scan(self, texts: Sequence[str]) -> Scan:
        """Look texts up among all sources, before it is decided which of them are added.

        To be called while the corpus is locked.
        """
        self.catch_up()
        looked_up = [""] * len(texts) if self.handling == Handling.OFF else texts
        return self._index.scan(looked_up)  # where nobody looks, texts without words

    def link(self, added: Sequence[Sentence], scan: Scan, repeats: Repeats) -> None:
        """Take in the rows that a scan kept, now stored, and link those that repeat a place."""
        scan.close()
        self._ids.extend(sentence.pk for sentence in added)
        for sentence, place in repeats:
            sentence.near_duplicate_of_id = self._ids[place]
        Sentence.objects.bulk_update([one for one, _ in repeats], ["near_duplicate_of"])

    def _texts_at(self, places: Sequence[int]) -> list[str]:
        """Their texts; an empty one, which nothing repeats, where somebody has deleted a source."""
        ids = [self._ids[place] for place in places]
        texts = dict(Sentence.objects.filter(pk__in=ids).values_list("pk", "text"))
        return [texts.get(id_, "") for id_ in ids]
