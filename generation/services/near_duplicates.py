"""Finds sentences of an import that nearly repeat an earlier source of their corpus."""

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
    """What to do with a sentence that nearly repeats an earlier one.

    count: add it, linked to the earlier one. skip: refuse it. off: do not check.
    """

    COUNT = "count"
    SKIP = "skip"
    OFF = "off"


@dataclass(slots=True)
class EarlierSources:
    """The sources of a corpus by primary key, with an index of near-duplicates.

    The index is not stored: each import builds it from the corpus again.
    """

    corpus: Corpus
    handling: Handling = Handling.COUNT
    _index: NearDuplicates = field(init=False)
    _ids: "array[int]" = field(default_factory=lambda: array("q"))

    def __post_init__(self) -> None:
        self._index = NearDuplicates(self._texts_at)

    def catch_up(self) -> None:
        """Read sources that are not in the index yet."""
        if self.handling == Handling.OFF:
            return
        last = self._ids[-1] if self._ids else 0
        sources = selectors.sources(self.corpus.pk).filter(id__gt=last)
        rows = sources.values_list("id", "text").iterator(chunk_size=SENTENCES_AT_ONCE)
        while some := list(islice(rows, SENTENCES_AT_ONCE)):
            self._index.enter([text for _, text in some])
            self._ids.extend(id_ for id_, _ in some)

    def scan(self, texts: Sequence[str]) -> Scan:
        """Look up texts among all sources, before deciding which of them to add.

        Call this while the corpus is locked.
        """
        self.catch_up()
        looked_up = [""] * len(texts) if self.handling == Handling.OFF else texts
        return self._index.scan(looked_up)  # if off, empty texts match nothing

    def link(self, added: Sequence[Sentence], scan: Scan, repeats: Repeats) -> None:
        """Add the rows that a scan kept, now stored, and link those that repeat a place."""
        scan.close()
        self._ids.extend(sentence.pk for sentence in added)
        for sentence, place in repeats:
            sentence.near_duplicate_of_id = self._ids[place]
        Sentence.objects.bulk_update([one for one, _ in repeats], ["near_duplicate_of"])

    def _texts_at(self, places: Sequence[int]) -> list[str]:
        """Return the texts at these places; "" for deleted sources, which matches nothing."""
        ids = [self._ids[place] for place in places]
        texts = dict(Sentence.objects.filter(pk__in=ids).values_list("pk", "text"))
        return [texts.get(id_, "") for id_ in ids]
