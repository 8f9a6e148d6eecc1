"""What a table of models says about them, and a learning curve about more annotation."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.stats.shape import REMARKS, remark_values
from common.marked import gettext_noop as _
from evaluation.board import Entry
from evaluation.measures import margin

NEVER, OVERLAP = "never", "overlap"
BELOW = _(
    "Less accurate than “never”, which always gives the label that is more frequent in train: "
    "%(models)s."
)
OVERLAPS = _(
    "“overlap”, which knows only shared words and their order, is more accurate than all other "
    "models: %(models)s. On this set, they show no ability beyond that."
)
BELOW_OVERLAP = _(
    "Less accurate than “overlap”, which knows only shared words and their order: %(models)s. They "
    "show no ability beyond that."
)
MEASURE = "average_precision"
LEAST_SEEDS = 3
# By verdict.
ADVICE = {
    "rising": _(
        "More pairs would probably help: it rose with every seed, and by more than chance in "
        "the test set explains."
    ),
    "slight": _(
        "More pairs may help a little: it rose with every seed, but by no more than chance in "
        "the test set explains."
    ),
    "level": _("More pairs of this kind would probably not help: it rose with no seed."),
    "unlearned": _(
        "This does not tell whether more pairs would help: no model is clearly better than "
        "chance. Evaluate again with a more powerful model."
    ),
    "few_seeds": _(
        "This does not tell whether more pairs would help. Evaluate again with three seeds or more."
    ),
    "unclear": _("This does not tell whether more pairs would help: it rose with some seeds only."),
}


@dataclass(frozen=True, slots=True)
class Remark:
    """A notable fact in a table of models; `message` is marked for translation."""

    message: str
    values: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.message % self.values


def remarks(entries: Sequence[Entry]) -> Iterator[Remark]:
    """Yield a remark on models that are below never, and one on those that are below overlap."""
    accuracies = {entry.model: entry.accuracy.mean for entry in entries if not entry.is_brought}
    never, overlap = accuracies.get(NEVER, 0.0), accuracies.get(OVERLAP, 0.0)
    if models := [entry.model for entry in entries if entry.accuracy.mean < never]:
        yield Remark(BELOW, {"models": ", ".join(models)})
    learners = [
        entry for entry in entries if entry.is_brought or entry.model not in (NEVER, OVERLAP)
    ]
    if below := [entry.model for entry in learners if entry.accuracy.mean < overlap]:
        message = OVERLAPS if len(below) == len(learners) else BELOW_OVERLAP
        yield Remark(message, {"models": ", ".join(below)})


def shape_remark(figures: Mapping[str, Any], name: Callable[[str], str] = str) -> Remark:
    """Return what the experiment `shape` says; `name` translates the name of the best rule."""
    return Remark(REMARKS[figures["verdict"]], remark_values(figures, name))


@dataclass(frozen=True, slots=True)
class Gain:
    """What the last pairs brought the best model: its AUC-PR with `fewer` and with all pairs.

    `gains` has the difference for each seed, `tested` is the number of test pairs, and `chance` the
    AUC-PR of a model that gives all of them the same score.
    """

    model: str
    fewer: int
    pairs: int
    before: float
    after: float
    gains: tuple[float, ...]
    tested: int
    chance: float

    @property
    def mean(self) -> float:
        return sum(self.gains) / len(self.gains)

    @property
    def low(self) -> float:
        return min(self.gains)

    @property
    def high(self) -> float:
        return max(self.gains)

    @property
    def margin(self) -> float:
        return margin(self.tested, self.after)

    @property
    def margin_points(self) -> float:
        return 100 * self.margin

    @property
    def verdict(self) -> str:
        """Return "rising", "slight" (within the margin), "level" or "unclear".

        Or why nothing can be said: "few_seeds", or "unlearned" if no model is clearly better than
        chance.
        """
        if len(self.gains) < LEAST_SEEDS:
            return "few_seeds"
        if self.after - self.chance <= self.margin:
            return "unlearned"
        if self.low > 0:
            return "rising" if self.mean > self.margin else "slight"
        return "unclear" if self.high > 0 else "level"

    @property
    def advice(self) -> str:
        return ADVICE[self.verdict]


def gain(figures: Mapping[str, Any]) -> Gain | None:
    """Return the gain of the best model in the last step of the curve; None without one."""
    steps = (_last_step(model, figures["sets"]["test"]) for model in figures["models"])
    steps_made = [step for step in steps if step is not None]
    return max(steps_made, key=lambda step: step.after, default=None)


def _last_step(model: Mapping[str, Any], test: Mapping[str, int]) -> Gain | None:
    """Return what a model gains from the last step of its learning curve; None without a step."""
    points: Sequence[Mapping[str, Any]] = [point for point in model["points"] if point[MEASURE]]
    if len(points) < 2:
        return None
    fewer, whole = points[-2:]
    by_seed = zip(fewer["seeds"], whole["seeds"], strict=True)
    pairs_of_scores = [(before[MEASURE], after[MEASURE]) for before, after in by_seed]
    gains = tuple(
        after - before for before, after in pairs_of_scores if None not in (before, after)
    )
    if not gains:
        return None
    ends = (fewer[MEASURE]["mean"], whole[MEASURE]["mean"])
    chance = test["paraphrases"] / test["pairs"]
    sizes = (fewer["pairs"], whole["pairs"])
    return Gain(model["model"], *sizes, *ends, gains, test["pairs"], chance)
