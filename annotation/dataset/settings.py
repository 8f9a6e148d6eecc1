"""Every choice that a release depends on, as one plain value that its manifest repeats."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from annotation.stats.consensus import Protocol

PAWS_NOISY_LABELS = {"word_swap": 0, "back_translation": 1}


@dataclass(frozen=True, slots=True)
class ReleaseSettings:
    """Defaults are those of PAWS, but for sizes: shares suit projects of every size.

    `dev`, `test` (of labeled_final) and `unlabeled_dev` are numbers of pairs when they are int, and
    shares when they are float. `paraphrase_share` downsamples labeled_final to that share of
    paraphrases. Pairs of `swap_methods` are word swaps; labelled pairs of any other method are what
    the paper calls back translations. `noisy_labels` says which label a method alone gives.
    `recombination_reach` is how many pairs may be walked from each end of a swap pair; the paper
    walks one.
    """

    seed: int = 0
    annotators_per_pair: int = 5
    consensus_min_votes: int = 4
    max_label: int = 1
    paraphrase_from: int = 1
    dev: int | float = 0.1
    test: int | float = 0.1
    unlabeled_dev: int | float = 0.1
    paraphrase_share: float | None = None
    recombine: bool = True
    recombination_reach: int = 1
    swap_methods: tuple[str, ...] = ("word_swap",)
    noisy_labels: Mapping[str, int] = field(default_factory=PAWS_NOISY_LABELS.copy)

    def __post_init__(self) -> None:
        for size in (self.dev, self.test, self.unlabeled_dev):
            if size < 0 or (isinstance(size, float) and size > 1):
                raise ValueError(f"neither a number of pairs nor a share: {size}")
        _ = self.protocol  # which refuses numbers that decide nothing
        if self.paraphrase_share is not None and not 0 < self.paraphrase_share < 1:
            raise ValueError(f"not a share between 0 and 1: {self.paraphrase_share}")

    @property
    def protocol(self) -> Protocol:
        """What decides a pair."""
        return Protocol(
            self.annotators_per_pair,
            self.consensus_min_votes,
            self.max_label,
            self.paraphrase_from,
        )

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON values, every one of them."""
        return asdict(self) | {"swap_methods": list(self.swap_methods)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "ReleaseSettings":
        """Settings from what `to_dict` gave; a missing one takes its default.

        Raises ValueError for a setting that does not exist.
        """
        unknown = set(values) - {setting.name for setting in fields(cls)}
        if unknown:
            raise ValueError(f"no such settings: {', '.join(sorted(unknown))}")
        known = dict(values)
        if "swap_methods" in known:
            known["swap_methods"] = tuple(known["swap_methods"])
        return cls(**known)
