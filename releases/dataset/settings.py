"""All settings of a release, as one plain value that its manifest repeats."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from annotation.stats.consensus import Protocol
from annotation.stats.labels import SAME_OR_DIFFERENT, Scheme, scale
from releases.dataset.columns import FURTHER

# Nearly all adverbials that move are paraphrases (docs/decisions/0028-adverbials-move.md).
# Of rewrites by chat models, what the prompt asked for.
PAWS_NOISY_LABELS = {
    "word_swap": 0,
    "word_swap/adverbial": 1,
    "back_translation": 1,
    "prompted/paraphrase": 1,
    "prompted/near miss": 0,
}
# Older manifests lack these. They are written only if they differ from the default, so that older
# releases keep the same bytes.
ADDED_LATER: dict[str, Any] = {
    "decides_early": False,
    "judgments_at_most": None,
    "columns": [],
    "skill": False,
    "least_in_group": None,
    "reasons": False,
    "hard_for": "",
    "layout": 1,
}
TUPLES = ("swap_methods", "columns")
# PARADE 3.2 and 5.1: 7,550 pairs for train, 1,275 for dev, 1,357 for test. Nothing is recombined,
# because paraphrase is not transitive when people grade it.
PARADE: Mapping[str, Any] = {"swap_methods": (), "recombine": False, "dev": 0.125, "test": 0.133}
# Where labels are not two sides, or the order of sentences matters, nothing follows from a label,
# and no method suggests one.
NOT_BINARY: Mapping[str, Any] = {"swap_methods": (), "recombine": False, "noisy_labels": {}}
# Of new releases; see ReleaseSettings.
NEWEST_LAYOUT = 5
# Settings that only two sides have.
OF_SIDES = (*NOT_BINARY, "unlabeled_dev", "paraphrase_share", "recombination_reach")


@dataclass(frozen=True, slots=True)
class ReleaseSettings:
    """Settings of a release. Defaults follow PAWS, except for sizes: shares suit any project.

    Randomness:
        `seed` determines everything random: sides, splits, and the pairs that balancing drops.

    The consensus protocol of the project:
        `judgments_per_pair`: the number of answers requested for each pair.
        `consensus_min_votes`: the number of votes for one outcome that keeps a pair.
        `scheme`: the labels that people choose from, and what their answers become.
        `judgments_at_most`: up to this many are requested, one at a time, where too few agree.
        `decides_early`: a pair is complete, with fewer answers, once one outcome has enough votes.

    Sizes are numbers of pairs if they are int, and shares from 0 to 1 if they are float:
        `dev`, `test`: of labeled_final; pairs of two equal sentences do not count.
        `unlabeled_dev`: of unlabeled_final.

    Processing of the pairs:
        `paraphrase_share`: the share of paraphrases wanted in labeled_final; None keeps all pairs.
        `recombine`: whether new pairs are composed from judged ones.
        `recombination_reach`: the maximum number of back translations at each end of a swap pair;
        1 in the paper, None for no limit.
        `swap_methods`: pairs of these methods are word swaps; labelled pairs of any other are what
        the paper calls back translations.
        `noisy_labels`: the label that each method gives, or a kind of its rewrites as METHOD/KIND;
        candidates of any other method are not in unlabeled_final. Of candidates whose probability
        of being a paraphrase was estimated, the label is the likelier one instead.
        `skill`: whether the tables have the labels of the annotator model (annotation.stats.skill).
        `reasons`: whether judgments.jsonl has the reasons that people gave.
        `hard_for`: name and revision of a model: of the kept pairs, only those go on to which it
        gave another outcome than people; empty for all.
        `columns`: further columns of the tables, set when the release is planned.
        `layout`: in the second, no split of low_agreement is called train, and settings of sides
        are left out where labels are none; in the third, no model is tested in place of people
        if pairs were judged again because it disagreed; in the fourth, the kappa of models with
        the majority is given, and the texts of pairs left out for `hard_for` are not in
        unlabeled_final; in the fifth, rules that see only the shape of pairs see lists; set when
        the release is planned.

    `least_in_group`: no fewer annotators share a combination of replies that annotators.jsonl
    tells; None where the release tells no replies.

    `has_old_names`: whether they came from a release without a scheme, and are written as there.

    Raises ValueError with a message if settings are invalid.
    """

    seed: int = 0
    judgments_per_pair: int = 5
    consensus_min_votes: int = 4
    scheme: Scheme = SAME_OR_DIFFERENT
    dev: int | float = 0.1
    test: int | float = 0.1
    unlabeled_dev: int | float = 0.1
    paraphrase_share: float | None = None
    recombine: bool = True
    recombination_reach: int | None = 1
    swap_methods: tuple[str, ...] = ("word_swap",)
    noisy_labels: Mapping[str, int] = field(default_factory=PAWS_NOISY_LABELS.copy)
    decides_early: bool = False
    judgments_at_most: int | None = None
    columns: tuple[str, ...] = ()
    skill: bool = False
    least_in_group: int | None = None
    reasons: bool = False
    hard_for: str = ""
    layout: int = 1
    has_old_names: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        for name in ("dev", "test", "unlabeled_dev"):
            size = getattr(self, name)
            if size < 0 or (isinstance(size, float) and not size <= 1):
                raise ValueError(
                    f"{name} is {size}, neither a whole number of pairs nor a share from 0 to 1"
                )
        _ = self.protocol  # raises ValueError for an invalid protocol
        if self.paraphrase_share is not None and not 0 < self.paraphrase_share < 1:
            raise ValueError(
                f"paraphrase_share is {self.paraphrase_share}, not a share between 0 and 1"
            )
        if self.recombination_reach is not None and self.recombination_reach < 1:
            raise ValueError(
                f"recombination_reach is {self.recombination_reach}; it is at least 1, "
                "or None for as far as pairs lead"
            )
        self._check_labels()
        if self.least_in_group is not None and self.least_in_group < 1:
            raise ValueError(f"least_in_group is {self.least_in_group}; it is at least 1, or None")
        if not {*self.columns} <= {*FURTHER}:
            raise ValueError(f"no release has all of the columns {', '.join(self.columns)}")

    def _check_labels(self) -> None:
        """Raise ValueError if labels are used in a way that they do not allow."""
        for method, label in self.noisy_labels.items():
            if label not in {0, 1}:
                raise ValueError(f"the label of {method} is {label!r}, neither 0 nor 1")
        if self.skill and not self.scheme.decides:
            raise ValueError("The annotator model needs labels that votes decide.")
        if self.hard_for and not self.scheme.decides:
            raise ValueError("Pairs are hard for a model only where votes decide their labels.")
        uses_sides = self.recombine or self.noisy_labels or self.paraphrase_share is not None
        if uses_sides and not self.scheme.composes:
            raise ValueError(
                "Pairs are composed, labelled by their method and balanced only where labels mean "
                "paraphrase or not."
            )

    @property
    def votes_scheme(self) -> Scheme:
        """What votes are counted by: two sides, on any scale, or the labels."""
        return SAME_OR_DIFFERENT if self.scheme.is_binary else self.scheme

    @property
    def tells_majority(self) -> bool:
        """Whether the documents compare answers with the majority of their pair.

        The first layout does so even where votes decide nothing.
        """
        return self.scheme.decides or self.layout == 1

    @property
    def protocol(self) -> Protocol:
        return Protocol(
            self.judgments_per_pair,
            self.consensus_min_votes,
            self.scheme,
            self.decides_early,
            self.judgments_at_most,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as JSON values; those in ADDED_LATER only if not the default."""
        lists = {name: list(getattr(self, name)) for name in TUPLES}
        values = asdict(self) | lists | {"scheme": self.scheme.to_dict()}
        if values.pop("has_old_names"):
            values = _with_old_names(values)
        if self.layout > 1 and not self.scheme.is_binary:
            values = {name: value for name, value in values.items() if name not in OF_SIDES}
        defaults = [name for name, default in ADDED_LATER.items() if values[name] == default]
        return {name: value for name, value in values.items() if name not in defaults}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "ReleaseSettings":
        """Missing settings take their defaults. Raises TypeError for an unknown one.

        Takes the names of older releases too. Raises ValueError for a scheme that cannot be.
        """
        values = _without_old_names(values)
        values |= {name: tuple(values[name]) for name in TUPLES if name in values}
        if "scheme" in values:
            values["scheme"] = Scheme.from_dict(values["scheme"])
            if not values["scheme"].is_binary:
                values = {**NOT_BINARY, **values}
        return cls(**values)


# The names of releases without a scheme, whose studies have grades from 0 on and two sides.
PEOPLE, HIGHEST, BORDER = "annotators_per_pair", "max_label", "paraphrase_from"


def _with_old_names(values: dict[str, Any]) -> dict[str, Any]:
    scheme = Scheme.from_dict(values.pop("scheme"))
    people = values.pop("judgments_per_pair")
    return values | {PEOPLE: people, HIGHEST: scheme.size - 1, BORDER: scheme.border_place}


def _without_old_names(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings under today's names."""
    values = dict(values)
    if not {PEOPLE, HIGHEST, BORDER} & values.keys():
        return values
    people = {"judgments_per_pair": values.pop(PEOPLE)} if PEOPLE in values else {}
    highest, border = values.pop(HIGHEST, 1), values.pop(BORDER, 1)
    scheme = SAME_OR_DIFFERENT if highest == 1 == border else scale(highest, border=border)
    return values | people | {"scheme": scheme.to_dict(), "has_old_names": True}
