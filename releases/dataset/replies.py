"""annotators.jsonl: the replies of annotators, their counts, and what the card tells of them."""

from collections.abc import Iterable
from typing import Any

from annotation.stats.by_group import AnswersByGroup, Group
from annotation.stats.labels import Scheme
from releases.dataset.rows import AnnotatorRow, JudgmentRow
from releases.dataset.settings import ReleaseSettings


class RepliesCounts:
    """Counts the people of annotators.jsonl, and their answers in judgments.jsonl by group.

    The answers to a pair are on lines that follow one another.
    """

    def __init__(self, rows: Iterable[AnnotatorRow] = ()) -> None:
        self._rows = list(rows)
        self._answers = AnswersByGroup({row.annotator: row.replies for row in self._rows})
        self._pair, self._of_pair = "", list[tuple[str, int]]()

    def add_judgment(self, row: JudgmentRow, scheme: Scheme) -> None:
        if not self._rows or row.label not in scheme.values:
            return
        if row.pair != self._pair:
            self._end_pair()
            self._pair = row.pair
        self._of_pair.append((row.annotator, scheme.values.index(row.label)))

    def to_dict(self, settings: ReleaseSettings) -> dict[str, Any]:
        """Return what a manifest counts; empty without replies."""
        if not self._rows:
            return {}
        self._end_pair()
        groups = self._answers.groups(settings.protocol, settings.least_in_group or 1)
        return {
            "people": len(self._rows),
            "withheld": sum(not any(row.replies.values()) for row in self._rows),
            "groups": [_group_counts(group) for group in groups],
        }

    def _end_pair(self) -> None:
        if self._of_pair:
            self._answers.add_pair(self._of_pair)
        self._of_pair = []


def _group_counts(group: Group) -> dict[str, Any]:
    """Return the figures of a group, rounded to be the same on every machine."""
    alpha, share = group.alpha.value, group.with_others.value
    return {
        "question": group.question,
        "choice": group.choice,
        "people": group.people,
        "answers": group.answers,
        "alpha": None if alpha is None else round(alpha, 6),
        "agreement_with_others": None if share is None else round(share, 6),
        "outcomes": list(group.outcomes),
    }
