"""What became of the pairs of a dataset, in sentences: kept, composed, balanced, split, missing."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from annotation.stats.labels import Scheme
from common.tables import percent
from generation.nlp.balancing import PARAPHRASE
from releases.dataset.columns import ENTITY
from releases.dataset.files import LABELED_FINAL
from releases.dataset.paper_tables import outcome_counts, vote_tables
from releases.dataset.prose import Sentence, amount, listed, name, sentence
from releases.dataset.rows import SPLITS
from releases.dataset.settings import ReleaseSettings

FAMILIES = (
    "Sentences that share a source, a text, a group or a pair are in one split, and pairs of two "
    "equal sentences are in none but train."
)
HARD = (
    " gets wrong: its figures on the dataset are low by construction, and those of similar models "
    "may be."
)
ENTITIES = "No entity is in two splits."
FURTHER_SUBSETS = {
    "labeled_swap": ("further judged word swap", ""),
    "unlabeled_final": (
        "pair with the label that its method suggests",
        "pairs with the label that their method suggests",
    ),
}


def became_of_pairs(settings: ReleaseSettings, counts: Mapping[str, Any]) -> Iterator[Sentence]:
    yield from kept(settings, counts)
    yield from easy(settings, counts)
    yield from hard(settings)
    yield from composed(counts)
    yield from not_composed(counts)
    yield from balanced(settings)
    yield _splits(settings, counts["subsets"][LABELED_FINAL])
    if not settings.scheme.decides:
        yield from _answers(settings.scheme, counts)
    yield separation(settings)
    estimated = counts.get("unlabeled_estimated", 0)
    for subset, words in FURTHER_SUBSETS.items():
        pairs = pairs_in(counts["subsets"].get(subset, {}))
        if subset == "unlabeled_final":
            pairs -= estimated
        if pairs:
            yield sentence(name(subset), " has ", amount(pairs, words[0], words[1]), ".")
    if estimated:
        of_estimate = amount(estimated, "pair", "pairs")
        rule = f"1 if both sentences mean the same with a probability of at least {PARAPHRASE}"
        yield sentence(
            name("unlabeled_final"),
            " has ",
            of_estimate,
            f" with the label of an estimate: {rule}, else 0.",
        )
    yield drawn(settings)


def kept(settings: ReleaseSettings, counts: Mapping[str, Any]) -> Iterator[Sentence]:
    if counts["judged"] and settings.scheme.decides:
        judged = amount(counts["judged"], "judged pair")
        yield sentence("People agree enough on ", counts["kept"], " of ", judged, " to keep them.")
    if low := pairs_in(counts["subsets"].get("low_agreement", {})):
        too_few = ("On ", amount(low, "pair"), " too few agreed: they are in ")
        yield sentence(*too_few, name("low_agreement"), ", with their votes.")


def easy(settings: ReleaseSettings, counts: Mapping[str, Any]) -> Iterator[Sentence]:
    """Yield how many kept pairs were left out because a model labels them as people do."""
    if settings.hard_for:
        pairs = amount(counts.get("easy", 0), "kept pair")
        yield sentence("Left out of all tables, because the model ", name(settings.hard_for),
                       " gave them the same label as people: ", pairs, ".")  # fmt: skip


def hard(settings: ReleaseSettings) -> Iterator[Sentence]:
    """Yield what follows for the figures of the model of `hard_for`."""
    if settings.hard_for:
        yield sentence("The other kept pairs are those that ", name(settings.hard_for), HARD)


def composed(counts: Mapping[str, Any]) -> Iterator[Sentence]:
    if counts["recombined"]:
        pairs = amount(counts["recombined"], "pair")
        yield sentence(pairs, " more follow from chains of judged pairs (PAWS 3.2).")


def not_composed(counts: Mapping[str, Any]) -> Iterator[Sentence]:
    if not counts["recombined"]:
        return
    left_out = {"conflicts": "contradict each other", "unknown": "do not tell a label"}
    reasons = [
        sentence(amount(counts[key], "pair"), f" whose chains {why}")
        for key, why in left_out.items()
        if counts[key]
    ]
    if reasons:
        yield sentence("Left out were ", listed(reasons), ".")


def balanced(settings: ReleaseSettings) -> Iterator[Sentence]:
    if settings.paraphrase_share is not None:
        dropped = "Pairs were dropped at random until the share of paraphrases in "
        to = f" was {percent(settings.paraphrase_share)}."
        yield sentence(dropped, name(LABELED_FINAL), to)


def separation(settings: ReleaseSettings) -> Sentence:
    return sentence(ENTITIES if ENTITY in settings.columns else FAMILIES)


def drawn(settings: ReleaseSettings) -> Sentence:
    if settings.scheme.is_binary:
        what = "Splits, sides and what is dropped"
    else:
        what = "Splits" if settings.scheme.directed else "Splits and sides"
    return sentence(f"{what} follow from the seed {settings.seed}.")


def excluded(counts: Mapping[str, Any]) -> Iterator[Sentence]:
    if pairs := counts.get("excluded"):
        yield sentence("Managers excluded ", amount(pairs, "pair"), ".")


def _splits(settings: ReleaseSettings, splits: Mapping[str, Mapping[str, Any]]) -> Sentence:
    sizes = [
        sentence(splits[split]["pairs"], f" in {split}")
        for split in SPLITS
        if splits.get(split, {}).get("pairs")
    ]
    pairs, numbers = pairs_in(splits), outcome_counts(splits)
    names = [f"“{label}”" for label in settings.scheme.outcomes]
    names = ["paraphrases"] if settings.scheme.is_binary else names
    shares = [
        f"{percent(number / pairs)} are {label}"
        for label, number in zip(names, numbers, strict=False)
        if pairs
    ]
    what = listed(sizes) if sizes else sentence("none")
    return sentence(name(LABELED_FINAL), " has ", amount(pairs, "pair"), ": ", what,
                    "; " if shares else "", *([listed(shares)] if shares else []), ".")  # fmt: skip


def _answers(scheme: Scheme, counts: Mapping[str, Any]) -> Iterator[Sentence]:
    """Say how often each label was given, and the mean and the spread of a pair if it has one."""
    tallies = sum(map(Counter, vote_tables(counts).values()), Counter[tuple[int, ...]]())
    number_by_label = [
        sum(tally[place] * pairs for tally, pairs in tallies.items())
        for place in range(scheme.size)
    ]
    if not (number := sum(number_by_label)):
        return
    names = zip(
        scheme.outcomes if not scheme.folds else scheme.values, number_by_label, strict=True
    )
    shares = [f"{percent(answers / number)} are “{name}”" for name, answers in names if answers]
    yield sentence("Of the answers, ", listed(shares), ".")
    if scheme.has_mean:
        averages = (
            sum((of_pair(tally) or 0) * pairs for tally, pairs in tallies.items()) / tallies.total()
            for of_pair in (scheme.mean, scheme.spread)
        )
        mean, spread = (f"{average:.2f}" for average in averages)
        yield sentence(f"The mean of a pair is {mean} on average, with a spread of its answers "
                       f"(standard deviation) of {spread}.")  # fmt: skip


def pairs_in(splits: Mapping[str, Mapping[str, Any]]) -> int:
    return sum(int(split["pairs"]) for split in splits.values())
