"""How much of the label the shape of a pair gives away, without the meaning of any word.

Rules of one feature, and a small tree of all, are fitted to some pairs and tested on others. They
read the two texts, and what is said of a pair. Where one is far above the majority label, a model
can learn the shape instead of the meaning: PAWS-like swaps all look alike.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

import numpy as np
from rapidfuzz.distance import LCSseq

from annotation.stats.intervals import wilson
from annotation.stats.tree import Labels, Rows, grow, predict
from common.marked import gettext_noop as _
from common.tables import Row, percent
from generation.nlp.list_permutations import permutes_list
from generation.nlp.measures import are_rotated
from generation.nlp.words import tokens, words

LIST, KIND, SIDE, TREE = "list", "kind", "side", "tree"
RULES: Mapping[str, str] = {
    "rotation": _("sentence 2 is a rotation of the words of sentence 1"),
    LIST: _("sentence 2 only puts items of a list in another order"),
    "first_word": _("the first words differ"),
    "last_word": _("the last words differ"),
    "places": _("number of places with another word"),
    "first_change": _("where the first change is"),
    "moved": _("share of words moved or replaced"),
    "length": _("number of words"),
    KIND: _("kind of change"),
    SIDE: _("which sentence is the source"),
    TREE: _("small tree of all rules"),
}
# In the order of `measure_texts`.
OF_TEXTS = (
    "rotation", LIST, "first_word", "last_word", "places", "first_change", "moved", "length"
)  # fmt: skip
READABLE, UNCLEAR, UNREADABLE = "readable", "unclear", "unreadable"
REMARKS = {
    READABLE: _(
        "This set is readable from its shape: the rule “%(rule)s” alone is %(points)s points above "
        "the more frequent label on test. Models may learn the shape instead of the meaning. In a "
        "study of your own, give both labels pairs of the same shapes: add back translation, and "
        "let both moves and exchanges be judged. Then build a new version."
    ),
    UNCLEAR: _(
        "The rule “%(rule)s” is %(points)s points above the more frequent label on test, but the "
        "test set is too small to tell this from chance. A larger test set would tell."
    ),
    UNREADABLE: _(
        "Not readable from its shape: no rule is more than %(most)s points above the more frequent "
        "label on test. The best rule is “%(rule)s”."
    ),
}
# The same of the pairs of a study that is not finished.
DECIDED_REMARKS = {
    READABLE: _(
        "The labels are readable from the shape of pairs: the rule “%(rule)s” alone is %(points)s "
        "points above the more frequent label. Models may learn the shape instead of the meaning. "
        "Give both labels pairs of the same shapes: add back translation, and let both moves and "
        "exchanges be judged."
    ),
    UNCLEAR: _(
        "The rule “%(rule)s” is %(points)s points above the more frequent label, but the pairs are "
        "too few to tell this from chance."
    ),
    UNREADABLE: _(
        "Not readable from the shape of pairs: no rule is more than %(most)s points above the more "
        "frequent label. The best rule is “%(rule)s”."
    ),
}
# A rule of one feature may cut it into four, so that it can single out one number of places.
DEPTH_OF_RULE, DEPTH_OF_TREE = 2, 4
# A set is readable from its shape if a rule is farther above the majority label, or makes less than
# half of its errors: where nine of ten pairs have one label, no rule can be 10 points above.
MOST_POINTS, MOST_OF_ERRORS = 0.1, 0.5
Figures = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Shapes:
    """What rules may see of some pairs, and their labels; features by the names in RULES.

    `kinds` are the kinds of change, empty where they are unknown: rules see the share of
    paraphrases of each among the pairs that they are fitted to.
    """

    features: Mapping[str, Sequence[float]]
    kinds: Sequence[str]
    labels: Labels

    @classmethod
    def measure(
        cls,
        texts: Iterable[tuple[str, str]],
        labels: Sequence[int] | Labels,
        language: str,
        kinds: Sequence[str] = (),
        sides: Sequence[int | None] = (),
    ) -> "Shapes":
        """Measure pairs of texts in a language, a BCP 47 tag or "" where it is unknown.

        `sides` are 1 where the first text is the source, 0 where the second is, and else None.
        """
        measured = zip(*(measure_texts(*pair, language) for pair in texts), strict=True)
        features: dict[str, Sequence[float]] = dict(zip(OF_TEXTS, measured, strict=False))
        if any(side is not None for side in sides):
            # Between both sides, where the source is unknown.
            features[SIDE] = [0.5 if side is None else side for side in sides]
        return cls(features, kinds, np.asarray(labels, dtype=np.int8))

    def __len__(self) -> int:
        return len(self.labels)

    def without(self, name: str) -> "Shapes":
        features = {other: row for other, row in self.features.items() if other != name}
        return replace(self, features=features)

    def take(self, places: Sequence[int]) -> "Shapes":
        features = {name: [row[at] for at in places] for name, row in self.features.items()}
        kinds = [self.kinds[at] for at in places] if self.kinds else ()
        return Shapes(features, kinds, self.labels[list(places)])


def rule_figures(*folds: tuple[Shapes, Shapes]) -> Figures:
    """Return the accuracy of each rule, and the share of the more frequent label.

    Each fold is the pairs that rules are fitted to, and those that they are tested on; figures are
    of all pairs tested. Every part must have pairs.
    """
    number = sum(len(test) for _, test in folds)
    ones = sum(int(test.labels.sum()) for _, test in folds)
    majority = max(ones, number - ones) / number
    right: Counter[str] = Counter()
    for train, test in folds:
        right.update(_right_answers(train, test))
    rules = [
        _figures_of_rule(name, right[name], number, majority) for name in RULES if name in right
    ]
    most_points = min(MOST_POINTS, MOST_OF_ERRORS * (1 - majority))
    return {
        "majority": round(majority, 6),
        "rules": rules,
        "most_points": round(most_points, 6),
        "verdict": _verdict(rules, majority, most_points),
    }


def halves_figures(shapes: Shapes, is_second: Sequence[bool]) -> Figures:
    """Return the figures of rules fitted to each half of the pairs and tested on the other."""
    first, second = (
        shapes.take([at for at, side in enumerate(is_second) if side is half])
        for half in (False, True)
    )
    return rule_figures((first, second), (second, first))


def best_rule(figures: Mapping[str, Any]) -> Mapping[str, Any]:
    rule: Mapping[str, Any] = max(figures["rules"], key=lambda rule: rule["points"])
    return rule


def remark_values(figures: Mapping[str, Any], name: Callable[[str], str] = str) -> dict[str, str]:
    """Return what REMARKS say of figures; `name` translates the name of the best rule."""
    best = best_rule(figures)
    most_points = figures.get("most_points", MOST_POINTS)  # releases of before have no other
    return {
        "rule": name(RULES[best["rule"]]),
        "points": f"{100 * best['points']:.0f}",
        "most": f"{100 * most_points:.0f}",
    }


def as_rows(figures: Mapping[str, Any]) -> list[Row]:
    """Return the table of rules, in per cent."""
    rows = (
        (
            RULES[rule["rule"]],
            percent(rule["accuracy"]),
            "–".join(map(percent, rule["interval"])),
            f"{100 * rule['points']:+.1f}",
        )
        for rule in figures["rules"]
    )
    return [("Rule", "Accuracy", "Interval", "Points"), *rows]


def shown_figures(figures: Mapping[str, Any], name: Callable[[str], str]) -> dict[str, Any]:
    """Return what pages show of figures; `name` translates the names of rules."""
    return {
        "is_readable": figures["verdict"] == READABLE,
        "majority": figures["majority"],
        "rules": [rule | {"name": name(RULES[rule["rule"]])} for rule in figures["rules"]],
    }


def _columns(train: Shapes, test: Shapes) -> Iterator[tuple[str, tuple[Rows, Rows]]]:
    """Yield each feature that train has, with its values in both."""
    for name, values in train.features.items():
        yield name, (np.array(values), np.array(test.features.get(name, [0.5] * len(test))))
    if any(train.kinds) or any(test.kinds):
        shares = _shares_by_kind(train)
        middle = float(train.labels.mean())
        of_train, of_test = (
            np.array([shares.get(kind, middle) for kind in shapes.kinds])
            for shapes in (train, test)
        )
        yield KIND, (of_train, of_test)


def _right_answers(train: Shapes, test: Shapes) -> Counter[str]:
    """Return how many pairs of test each rule, fitted to train, gives their label."""
    columns = dict(_columns(train, test))
    depths = {(name,): DEPTH_OF_RULE for name in columns} | {(*columns,): DEPTH_OF_TREE}
    right: Counter[str] = Counter()
    for names, depth in depths.items():
        of_train, of_test = (
            np.column_stack([columns[name][at] for name in names]) for at in (0, 1)
        )
        labels = predict(grow(of_train, train.labels, depth=depth), of_test)
        name = TREE if depth == DEPTH_OF_TREE else names[0]
        right[name] = int((labels == test.labels).sum())
    return right


def _figures_of_rule(name: str, right: int, pairs: int, majority: float) -> Figures:
    interval = wilson(right, pairs) or (0.0, 1.0)
    return {
        "rule": name,
        "accuracy": round(right / pairs, 6),
        "points": round(right / pairs - majority, 6),
        "interval": [round(end, 6) for end in interval],
    }


def _verdict(rules: Sequence[Figures], majority: float, most_points: float) -> str:
    """Return "readable", or "unclear" if chance in the choice of test pairs may explain it."""
    above = [rule for rule in rules if rule["points"] > most_points]
    if any(rule["interval"][0] > majority for rule in above):
        return READABLE
    return UNCLEAR if above else UNREADABLE


def _shares_by_kind(train: Shapes) -> dict[str, float]:
    """Return the share of paraphrases of each kind.

    In this order, cuts divide two labels as well as any grouping of the kinds (Breiman 1984).
    """
    labels_by_kind: dict[str, list[int]] = {}
    for kind, label in zip(train.kinds, train.labels.tolist(), strict=True):
        labels_by_kind.setdefault(kind, []).append(label)
    return {kind: sum(labels) / len(labels) for kind, labels in labels_by_kind.items()}


def measure_texts(first: str, second: str, language: str) -> tuple[float, ...]:
    """Return the features of two texts; case and punctuation aside, as a moved word changes both.

    Items of lists are between the conjunctions of the language, and marks such as commas.

    >>> measure_texts("In May, Ann left.", "Ann left in May.", "en")
    (1.0, 0.0, 1.0, 1.0, 4.0, 0.0, 0.5, 8.0)
    """
    before, after = words(first.casefold()), words(second.casefold())
    longest = max(len(before), len(after), 1)
    changed = [
        place for place, (one, other) in enumerate(zip_longest(before, after)) if one != other
    ]
    return (
        float(are_rotated(before, after)),
        float(permutes_list(tokens(first), tokens(second), language)),
        float(before[:1] != after[:1]),
        float(before[-1:] != after[-1:]),
        float(len(changed)),
        changed[0] / longest if changed else 1.0,
        LCSseq.distance(before, after) / longest,
        float(len(before) + len(after)),
    )
