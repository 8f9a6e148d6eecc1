"""What people state about a published set, and what the manifest of its release repeats."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from releases.dataset.rows import Split


class UnusableSet(ValueError):
    """Published files that are no release yet: the problem, with its place, and what to do.

    `choice` is the field of Choices that would solve it, if one would; `remedy` says how commands
    state it.
    """

    def __init__(self, problem: str, choice: str = "", remedy: str = "") -> None:
        super().__init__(f"{problem} {remedy}".strip())
        self.problem, self.choice = problem, choice


@dataclass(frozen=True, slots=True)
class Choices:
    """What people state where the files alone do not say it; all of it is optional.

    `config` names one of the card. `files` has the splits of files, null for one that is left out;
    `columns` the name or number of a column by its role, "-" for none; `labels` 1 or 0 by the name
    of a label. Grades and scores from `paraphrase_from` on are paraphrases. `votes`: as many yes
    make a paraphrase, as many no make none. Rows of another `language` are left out. `draw` has
    the sizes of splits that are drawn out of train, numbers of pairs or shares, with `seed`.
    `is_synthetic`: whether machines wrote sentences.
    """

    config: str = ""
    files: Mapping[str, Split | None] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, int] = field(default_factory=dict)
    paraphrase_from: float | None = None
    votes: tuple[int, int] | None = None
    language: str = ""
    draw: Mapping[Split, int | float] = field(default_factory=dict)
    seed: int = 0
    accepts_refused: bool = False
    is_synthetic: bool | None = None

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Choices":
        """Return choices that were stored as JSON."""
        votes = values["votes"]
        return cls(**dict(values) | {"votes": votes and (votes[0], votes[1])})


@dataclass(frozen=True, slots=True)
class Source:
    """Who published a set: its address, how to cite it, and its licence as they state it."""

    address: str = ""
    citation: str = ""
    licence: str = ""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of a published set, with the number of all its rows.

    `split` is null if a column has it, or the set has no splits.
    """

    name: str
    sha256: str
    bytes: int
    layout: Mapping[str, Any]
    split: Split | None
    rows: int


@dataclass(frozen=True, slots=True)
class PublishedSettings:
    """How the files became a release: what people stated, and what was inferred.

    `columns` has the names of the columns of the files by role, and `further` the columns of the
    tables. The column of the role `decides` has labels of this `form`, and `number_form` is that of
    grades or scores (`values`). Grades run from 0 to `max_label`. `votes_of` people voted on each
    pair; null if the votes themselves say how many.
    """

    files: tuple[SourceFile, ...]
    columns: Mapping[str, str]
    further: tuple[str, ...]
    decides: str
    form: str
    number_form: str
    labels: Mapping[str, int]
    paraphrase_from: float | None
    max_label: int
    votes: tuple[int, int] | None
    votes_of: int | None
    language: str
    config: str
    draw: Mapping[Split, int | float]
    seed: int
    is_synthetic: bool | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as JSON values; `is_synthetic` only if it is stated."""
        lists = {"further": list(self.further), "votes": self.votes and list(self.votes)}
        values = asdict(self) | lists | {"files": [asdict(file) for file in self.files]}
        if self.is_synthetic is None:
            del values["is_synthetic"]
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "PublishedSettings":
        """Return settings from the values of `to_dict`. Raises TypeError and KeyError."""
        votes = values["votes"]
        tuples = {
            "files": tuple(SourceFile(**file) for file in values["files"]),
            "further": tuple(values["further"]),
            "votes": votes and (votes[0], votes[1]),
        }
        return cls(**dict(values) | tuples)
