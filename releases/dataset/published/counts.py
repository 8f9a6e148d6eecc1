"""What happened to the rows of a published set."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from releases.dataset.published.settings import Choices, UnusableSet
from releases.dataset.rows import Split

# The share of refused lines from which on people must accept them.
MOST_REFUSED = 0.01
# Of the lines with one fault, those that are named.
MOST_LINES = 5


@dataclass(slots=True)
class Counts:
    """Numbers of rows by reason, and of changed texts by kind.

    `lines` has file and number of the first refused lines by reason.
    """

    rows: int = 0
    changed: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    splits_without_labels: list[Split] = field(default_factory=list)
    lines: dict[str, list[tuple[str, int]]] = field(default_factory=dict)

    def refuse(self, reason: str, file: str, line: int) -> None:
        self.refused[reason] += 1
        lines = self.lines.setdefault(reason, [])
        if len(lines) < MOST_LINES:
            lines.append((file, line))

    def refuse_many(self, choices: Choices) -> None:
        """Raise UnusableSet if more lines were refused than people accept unasked."""
        number = self.refused.total()
        if choices.accepts_refused or number <= MOST_REFUSED * self.rows:
            return
        reason, [(file, line), *_] = next(iter(self.lines.items()))
        reasons = ", ".join(f"{in_words(name)} {n:,}" for name, n in self.refused.most_common())
        raise UnusableSet(
            f"{file}, line {line}: {in_words(reason)}. In all, {number:,} of {self.rows:,} lines "
            f"are refused ({reasons}).",
            "accepts_refused",
            "Correct them, or leave them out: --accept-refused.",
        )

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Counts":
        """Return the counts of `to_dict`."""
        return cls(
            changed=Counter(values["changed"]),
            refused=Counter(values["refused"]),
            left_out=Counter(values["left_out"]),
            splits_without_labels=list(values["splits_without_labels"]),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as the manifest has them."""
        return {
            "changed": {kind: number for kind, number in sorted(self.changed.items()) if number},
            "refused": dict(sorted(self.refused.items())),
            "left_out": dict(sorted(self.left_out.items())),
            "splits_without_labels": list(self.splits_without_labels),
        }


def in_words(reason: str) -> str:
    return reason.replace("_", " ")
