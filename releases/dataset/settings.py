"""Every choice that a release depends on, as one plain value that its manifest repeats."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from annotation.stats.consensus import Protocol

PAWS_NOISY_LABELS = {"word_swap": 0, "back_translation": 1}
# Older manifests lack these. They are written only where they say something, so that a release
# that was made before is written as it was.
ADDED_LATER = {"decides_early": False}


@dataclass(frozen=True, slots=True)
class ReleaseSettings:
    """Defaults are those of PAWS, but for sizes: shares suit projects of every size.

    Chance:
        `seed` decides everything random: sides, splits, and what balancing drops.

    What decides a pair, as its project says:
        `annotators_per_pair`: the answers that each pair asks for.
        `consensus_min_votes`: so many on one side keep the pair.
        `max_label`: answers run from 0 to this one.
        `paraphrase_from`: answers from this one on mean paraphrase.
        `decides_early`: a pair is complete, with fewer answers, as soon as enough are on one side.

    Sizes are numbers of pairs when they are int, and shares from 0 to 1 when they are float:
        `dev`, `test`: of labeled_final; pairs of two equal sentences do not count.
        `unlabeled_dev`: of unlabeled_final.

    What is made of the pairs:
        `paraphrase_share`: labeled_final is brought to this share of paraphrases; None leaves it.
        `recombine`: whether judged pairs compose further ones.
        `recombination_reach`: how many back translations may be walked from each end of a swap
        pair; the paper walks one, None walks as far as they lead.
        `swap_methods`: pairs of these methods are word swaps; labelled pairs of any other are what
        the paper calls back translations.
        `noisy_labels`: the label that a method alone gives; candidates of any other method are not
        in unlabeled_final.

    Raises ValueError, with what is wrong in words, for settings that mean nothing.
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
    recombination_reach: int | None = 1
    swap_methods: tuple[str, ...] = ("word_swap",)
    noisy_labels: Mapping[str, int] = field(default_factory=PAWS_NOISY_LABELS.copy)
    decides_early: bool = False

    def __post_init__(self) -> None:
        for name in ("dev", "test", "unlabeled_dev"):
            refuse_size(name, getattr(self, name))
        _ = self.protocol  # which refuses numbers that decide nothing
        if self.paraphrase_share is not None and not 0 < self.paraphrase_share < 1:
            raise ValueError(
                f"paraphrase_share is {self.paraphrase_share}, not a share between 0 and 1"
            )
        if self.recombination_reach is not None and self.recombination_reach < 1:
            raise ValueError(
                f"recombination_reach is {self.recombination_reach}; it is at least 1, "
                "or None for as far as pairs lead"
            )
        for method, label in self.noisy_labels.items():
            if label not in {0, 1}:
                raise ValueError(f"the label of {method} is {label!r}, neither 0 nor 1")

    @property
    def protocol(self) -> Protocol:
        """What decides a pair."""
        return Protocol(
            self.annotators_per_pair,
            self.consensus_min_votes,
            self.max_label,
            self.paraphrase_from,
            self.decides_early,
        )

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON values; of those added later, what is not the default."""
        values = asdict(self) | {"swap_methods": list(self.swap_methods)}
        unsaid = [name for name, default in ADDED_LATER.items() if values[name] == default]
        return {name: value for name, value in values.items() if name not in unsaid}

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


def refuse_size(name: str, size: int | float) -> None:
    """Raise ValueError for what is neither a number of pairs nor a share."""
    if size < 0 or (isinstance(size, float) and not size <= 1):
        raise ValueError(
            f"{name} is {size}, neither a whole number of pairs nor a share from 0 to 1"
        )
