"""Rewrites in files of `generate_file` as lines of an import: all, likely ones, or a sample."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import Any

from common.draws import draw
from generation import readers
from generation.generated_files import GeneratedFile
from generation.nlp.measures import Verdict
from generation.nlp.text import RefusedText
from generation.readers import Generated, PairLine
from generation.records import Refusal, RefusedLine

BELOW_PROBABILITY = "below_probability"


@dataclass(slots=True)
class Selection:
    """Which rewrites of some files to import.

    `least_probability` is that of being accepted as it is; rewrites without an estimate have 0.
    Of what is likely enough, `sample` are drawn by the seed and their texts, if it is not None.
    `left_out` counts the others, once all lines were read.
    """

    files: Sequence[GeneratedFile]
    least_probability: float = 0.0
    sample: int | None = None
    seed: int = 0
    max_characters: int = readers.MAX_CHARACTERS
    left_out: Counter[str] = field(default_factory=Counter)

    def lines(self) -> Iterator[PairLine | Refusal]:
        """Yield a line for each rewrite, in the order of the files."""
        places = None if self.sample is None else self._sampled_places(self.sample)
        for number, file in enumerate(self.files):
            about = {name: file.about[name] for name in ("settings", "seed", "identities")}
            run = json.dumps(about, sort_keys=True)
            for row in file.rows(places=places[number] if places else None):
                if places or self._is_likely(row):
                    yield self._line(row, run)
                else:
                    self.left_out[BELOW_PROBABILITY] += 1

    def has_estimates(self) -> bool:
        """Whether any rewrite has an estimate of being accepted."""
        rows = (row for file in self.files for row in file.rows(("probability",)))
        return any(row["probability"] is not None for row in rows)

    def _sampled_places(self, sample: int) -> list[list[int]]:
        """Return the places of the sample in each file, in ascending order."""
        places: list[list[int]] = [[] for _ in self.files]
        for _, number, place in nsmallest(sample, self._draws()):
            places[number].append(place)
        rows = sum(file.size for file in self.files)
        sampled = sum(map(len, places))
        self.left_out[str(Verdict.NOT_DRAWN)] = rows - sampled - self.left_out[BELOW_PROBABILITY]
        return [sorted(places_of_file) for places_of_file in places]

    def _draws(self) -> Iterator[tuple[int, int, int]]:
        """Yield a draw for each likely rewrite, with the number of its file and its place there."""
        for number, file in enumerate(self.files):
            for place, row in enumerate(file.rows(("source", "text", "probability"))):
                if self._is_likely(row):
                    key = f"{row['source']}\t{row['text']}"
                    yield draw(self.seed, "import", key), number, place
                else:
                    self.left_out[BELOW_PROBABILITY] += 1

    def _is_likely(self, row: dict[str, Any]) -> bool:
        return (row["probability"] or 0.0) >= self.least_probability

    def _line(self, row: dict[str, Any], run: str) -> PairLine | Refusal:
        measures = ("rank", "kind", "score", "source_score", "probability", "alternatives")
        # Older files have no column of paraphrases.
        paraphrase = row.get("paraphrase")
        generated = Generated(run, **{name: row[name] for name in measures}, paraphrase=paraphrase)
        record = {
            "sentence1": row["source"],
            "sentence2": row["text"],
            "sentence1_id": row["source_id"],
            "method": row["method"],
        }
        try:
            return readers.pair_line(row["line"], record, self.max_characters, generated)
        except (RefusedText, RefusedLine) as refused:
            return Refusal(row["line"], refused.reason)
