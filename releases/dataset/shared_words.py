"""How many words the sentences of the labelled pairs share: figures of a manifest, and its card."""

from collections.abc import Iterable, Mapping
from typing import Any

from annotation.stats import overlap
from common.tables import Row, as_markdown, count
from generation.nlp.words import has_spaces
from releases.dataset.rows import ReleasedPair

LABELLED = ("labeled_final", "labeled_swap")
MEASURE = (
    "Jaccard similarity of the {unit} of both sentences, without case and punctuation{english}: "
    "the {unit} in both divided by the {unit} in either (PARADE 4.4)."
)
ENGLISH = ", without stop words, and stemmed"
RANKED = (
    "Average precision if pairs are ranked by their shared words alone: {figures}. A random order "
    "reaches the share of paraphrases."
)


def measure_overlap(pairs: Iterable[ReleasedPair], language: str) -> dict[str, Any]:
    """Return the figures of pairs in tables with labels; empty without any."""
    labelled = [
        (pair.text1, pair.text2, pair.label, (pair.subset, pair.split) == ("labeled_final", "test"))
        for pair in pairs
        if pair.subset in LABELLED and pair.label is not None
    ]
    return overlap.measure(labelled, language).to_dict() if labelled else {}


def shared_words(counts: Mapping[str, Any], language: str) -> str:
    """Return the section of the card; empty in releases without these figures."""
    if not (figures := counts.get("overlap")):
        return ""
    parts = [("Paraphrases", figures["positives"]), ("Other pairs", figures["negatives"])]
    header = ("", "Pairs", "Mean", "Median", *map(_tenth, range(overlap.BINS)))
    rows: list[Row] = [header, *(_row(name, part) for name, part in parts)]
    text = MEASURE.format(
        unit="words" if has_spaces(language) else "characters",
        english=ENGLISH if overlap.is_english(language) else "",
    )
    return "\n\n".join(
        filter(None, (text, as_markdown(rows).strip(), _ranking_sentence(figures, counts)))
    )


def _tenth(number: int) -> str:
    return f"{number / overlap.BINS:.1f}-{(number + 1) / overlap.BINS:.1f}"


def _row(name: str, part: Mapping[str, Any]) -> Row:
    means = ("-" if part[name] is None else f"{part[name]:.4f}" for name in ("mean", "median"))
    return (name, count(part["pairs"]), *means, *map(count, part["bins"]))


def _ranking_sentence(figures: Mapping[str, Any], counts: Mapping[str, Any]) -> str:
    if figures["average_precision"] is None:
        return ""
    positives, negatives = (figures[name]["pairs"] for name in ("positives", "negatives"))
    figures_of_sets = [
        _precision(figures["average_precision"], positives, positives + negatives, "all of them")
    ]
    if figures["on_test"] is not None:
        test = counts["subsets"]["labeled_final"]["test"]
        figures_of_sets.append(
            _precision(figures["on_test"], test["paraphrases"], test["pairs"], "the test set")
        )
    return RANKED.format(figures=", ".join(figures_of_sets))


def _precision(precision: float, paraphrases: int, pairs: int, where: str) -> str:
    return f"{precision:.3f} on {where} (random: {paraphrases / pairs:.3f})"
