"""Collects who answered on which pair, from streamed judgments."""

from collections.abc import Iterable

from releases.dataset.differences import SHOWN, Difference
from releases.dataset.rows import JudgmentRow


class Panels:
    """The answers on each judged pair, counted by label from 0, and the errors in them.

    `found` holds only the first errors.
    """

    def __init__(self, judged: Iterable[str], *, labels: int) -> None:
        self.tallies: dict[str, tuple[int, ...]] = dict.fromkeys(judged, (0,) * labels)
        self.found: list[Difference] = []
        self._people: dict[str, tuple[str, ...]] = {}
        # Equal tallies share one object, because few distinct values occur.
        self._known: dict[tuple[int, ...], tuple[int, ...]] = {}

    def fill(self, judgments: Iterable[JudgmentRow]) -> None:
        """Add the answers, in the order of their lines in the file."""
        for line, row in enumerate(judgments, start=1):
            if (what := self._wrong(row)) is None:
                tally = self.tallies[row.pair]
                counted = (*tally[: row.label], tally[row.label] + 1, *tally[row.label + 1 :])
                self.tallies[row.pair] = self._known.setdefault(counted, counted)
                self._people[row.pair] = (*self._people.get(row.pair, ()), row.annotator)
            elif len(self.found) < SHOWN:
                self.found.append(Difference("judgments.jsonl", what, line))

    def _wrong(self, row: JudgmentRow) -> str | None:
        tally = self.tallies.get(row.pair)
        if tally is None:
            return f"{row.annotator} judged {row.pair}, which is no judged pair"
        if not 0 <= row.label < len(tally):
            return f"{row.annotator} gave {row.pair} the label {row.label}"
        if row.annotator in self._people.get(row.pair, ()):
            return f"{row.annotator} judged {row.pair} twice"
        return None
