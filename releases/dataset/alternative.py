"""Whether the models of a release can replace people: for its manifest and its card."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeAlias

from annotation.stats.agreement import Confusion, Tally
from annotation.stats.alternative import (
    EPSILONS,
    FEWEST_PAIRS,
    FEWEST_PEOPLE,
    WARNING,
    AlternativeTest,
    alternative_test,
    needs_warning,
)
from annotation.stats.consensus import decide_tally
from common.tables import count, percent
from releases.dataset.files import JUDGMENTS, MODEL_JUDGMENTS
from releases.dataset.prose import Piece, Sentence, amount, listed, sentence
from releases.dataset.settings import ReleaseSettings

TEST = "the alternative annotator test (Calderon et al., ACL 2025)"
Model: TypeAlias = tuple[str, str]  # name and revision


def model_tests(
    folder: Path, settings: ReleaseSettings, judged_again: Mapping[Model, int]
) -> dict[Model, dict[str, Any]]:
    """Return what a manifest says of each model, from the files of a release.

    They were just written, or read without fault. People are the annotators of `judgments.jsonl`;
    the models' labels are held in memory. `judged_again` counts the pairs that were judged
    again because a model disagreed: from the third layout on, such a model is not tested. From
    the fourth on, Cohen's kappa with the majority is given for others, with a warning if it is low.
    """
    scheme, protocol = settings.scheme, settings.protocol
    untested = judged_again if settings.layout > 2 else {}
    places = {value: place for place, value in enumerate(scheme.values)}
    labels_by_pair = defaultdict[str, list[tuple[Model, int]]](list)
    for row in _rows(folder / MODEL_JUDGMENTS.path):
        if (place := places.get(row["label"])) is not None:
            labels_by_pair[row["pair"]].append(((row["model"], row["revision"]), place))
    compared = defaultdict[Model, Counter[tuple[str, Tally, int, int]]](Counter)
    sides = defaultdict[Model, Counter[tuple[int, int]]](Counter)
    for pair, rows in groupby(_rows(folder / JUDGMENTS.path), key=itemgetter("pair")):
        if not (labels := labels_by_pair.get(pair)):
            continue
        answers = [
            (row["annotator"], places[row["label"]]) for row in rows if row["label"] in places
        ]
        numbers = Counter(place for _, place in answers)
        tally = tuple(numbers[place] for place in range(scheme.size))
        majority = decide_tally(tally, protocol).majority
        for model, models in labels:
            if majority is not None:
                sides[model][scheme.outcome(models), majority] += 1
            for annotator, own in answers:
                compared[model][annotator, tally, own, models] += 1
    return {
        model: (
            {"judged_again": untested[model]}
            if model in untested
            else _figures(
                alternative_test(pairs, scheme),
                Confusion(sides[model]).kappa_value if settings.layout > 3 else None,
            )
        )
        for model, pairs in compared.items()
    }


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _figures(test: AlternativeTest[str], kappa: float | None) -> dict[str, Any]:
    """Return the figures of a test, rounded to be the same on every machine."""
    figures: dict[str, Any] = {"people": len(test.people)}
    if test.advantage is None:
        return figures
    pairs = [person.pairs for person in test.people]
    if kappa is not None:
        figures["kappa"] = round(kappa, 6)
    if needs_warning(test, kappa):
        figures["warning"] = WARNING % {"kappa": f"{kappa:.2f}"}
    return figures | {
        "pairs": [min(pairs), max(pairs)],
        "advantage": round(test.advantage, 6),
        "winning_rates": [round(verdict.winning_rate, 6) for verdict in test.verdicts],
    }


def stand_in(figures: Mapping[str, Any]) -> Iterator[Sentence]:
    """Yield the sentences about the test of one model."""
    if pairs_judged_again := figures.get("judged_again"):
        yield sentence(
            f"It is not tested in place of people by {TEST}: ",
            amount(pairs_judged_again, "pair"),
            f" {'was' if pairs_judged_again == 1 else 'were'} judged again because it disagreed, "
            "so the test would favour it.",
        )
        return
    if "winning_rates" not in figures:
        yield sentence(
            f"Annotators with {FEWEST_PAIRS} pairs that it labelled and others judged: ",
            figures["people"],
            f"; {TEST} needs {FEWEST_PEOPLE}.",
        )
        return
    pairs = " to ".join(dict.fromkeys(map(count, figures["pairs"])))
    rates: list[Piece] = [
        f"{percent(rate)} at epsilon = {epsilon}"
        for epsilon, rate in zip(EPSILONS, figures["winning_rates"], strict=True)
    ]
    tested = amount(figures["people"], "annotator")
    yield sentence(
        f"In {TEST} beside ", tested,
        f" on {pairs} pairs each, its winning rate is ", listed(rates),
        "; a model passes at 50.0%. On average, it agrees with the others at least as well as "
        f"they do on {percent(figures['advantage'])} of the pairs.",
    )  # fmt: skip
    if warning := figures.get("warning"):
        yield sentence(warning)
