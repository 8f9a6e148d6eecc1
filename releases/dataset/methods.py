"""How a dataset came about, in sentences for its card, papers and catalogues.

They say what the facts, the settings and the counts of a release hold. What did not happen has no
sentence.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from annotation.stats.agreement import Estimate, filtered, measure
from annotation.stats.report import coefficient, percent, share
from releases.dataset import graded
from releases.dataset.columns import ENTITY, GRADE
from releases.dataset.corpora import ACTIONS
from releases.dataset.files import LABELED_FINAL
from releases.dataset.manifest import ReleaseFacts
from releases.dataset.metadata import Metadata
from releases.dataset.paper_tables import binary, vote_tables
from releases.dataset.prose import Paragraphs, Piece, Sentence, amount, listed, name, sentence
from releases.dataset.rows import Split
from releases.dataset.settings import ReleaseSettings

SOURCES, GENERATION, CORRECTION = "Sources", "Generation", "Correction"
JUDGING, AGREEMENT, DATASET, LICENCE = "Judging", "Agreement", "Dataset", "Licence"
# By method, before the number of its candidates.
GENERATED: Mapping[str, str] = {
    "word_swap": "Word swaps exchange words and phrases of a sentence",
    "back_translation": "Back translations bring a sentence into another language and back",
    "definitions": "Pairs of definitions define one entity",
    "imported": "Some pairs were created elsewhere and imported",
}
BLIND = (
    "Judges saw neither which sentence is the source, nor how the other was created, nor the "
    "answers of others."
)
EARLY = (
    "Judging stopped as soon as enough people agreed, so agreement on kept pairs is higher than "
    "with full panels."
)
PARADE = "Pairs are graded as in PARADE (He et al., EMNLP 2020)."
HUMAN = "Human agreement is the share of answers that equal the most frequent answer to their pair."
FAMILIES = (
    "Sentences that share a source, a text, a group or a pair are in one split, and pairs of two "
    "equal sentences are in none but train."
)
ENTITIES = "No entity is in two splits."
FURTHER_SUBSETS = {
    "labeled_swap": ("further judged word swap", ""),
    "unlabeled_final": (
        "pair with the label that its method suggests",
        "pairs with the label that their method suggests",
    ),
}


def methods(
    facts: ReleaseFacts, settings: ReleaseSettings, counts: Mapping[str, Any]
) -> Paragraphs:
    """Return the sentences by the title of their paragraph; those without any are left out."""
    paragraphs = {
        SOURCES: [*_sources(facts, settings)],
        GENERATION: [*_generation(facts, counts)],
        CORRECTION: [*_correction(counts)],
        JUDGING: [*_judging(facts, settings, counts)],
        AGREEMENT: [*_agreement(settings, counts)],
        DATASET: [*_dataset(settings, counts)],
        LICENCE: [*licence_sentences(facts)],
    }
    return {title: sentences for title, sentences in paragraphs.items() if sentences}


def _sources(facts: ReleaseFacts, settings: ReleaseSettings) -> Iterator[Sentence]:
    if not facts.corpora:
        return
    noun = "definition" if ENTITY in settings.columns else "sentence"
    corpora = listed(_corpus(title, facts.corpora[title], noun) for title in sorted(facts.corpora))
    yield sentence(f"The source {noun}s come from ", corpora, ".")


def _corpus(title: str, corpus: Mapping[str, Any], noun: str) -> Sentence:
    pieces: list[Piece] = [name(title), " (", amount(corpus["sentences"], noun)]
    pieces += [", language ", name(corpus["language"])]
    if corpus["licence"]:
        pieces += [", licence ", name(corpus["licence"])]
    return sentence(*pieces, ")")


def _generation(facts: ReleaseFacts, counts: Mapping[str, Any]) -> Iterator[Sentence]:
    for method, pairs in sorted(counts.get("raw", {}).items()):
        words = GENERATED.get(method, f"Candidates of {method.replace('_', ' ')}")
        yield sentence(words, ": ", amount(pairs, "candidate"), *_models(facts, method), ".")


def _models(facts: ReleaseFacts, method: str) -> Iterator[Piece]:
    """Yield the models of a method, each once, and the seeds of its runs."""
    identities = [model for model in facts.models if model.get("method") == method]
    keys = ("part", "name", "revision")
    names = {tuple(model.get(key, "") for key in keys) for model in identities}
    if not names:
        return
    yield ", with "
    yield listed(_model(*model) for model in sorted(names))
    seeds = sorted({int(model["seed"]) for model in identities})
    yield " and the seed " if len(seeds) == 1 else " and the seeds "
    yield listed(map(str, seeds))


def _model(part: str, title: str, revision: str) -> Sentence:
    with_revision: list[Piece] = [", revision ", name(revision)] if revision else []
    return sentence(name(title), f" ({part.replace('_', ' ')}", *with_revision, ")")


def _correction(counts: Mapping[str, Any]) -> Iterator[Sentence]:
    corrections = counts["corrections"]
    verbs = dict(zip(ACTIONS, ("accepted", "fixed", "rejected"), strict=True))
    outcomes = [
        sentence(corrections[action], f" {verb}")
        for action, verb in verbs.items()
        if corrections[action]
    ]
    if outcomes:
        methods_corrected = _corrected(counts)
        which = (" of ", listed(map(name, methods_corrected))) if methods_corrected else ()
        alone = " alone, without its source, and could fix it: "
        yield sentence("One person saw each candidate", *which, alone, listed(outcomes), ".")
    if pairs := counts.get("excluded"):
        yield sentence("Managers excluded ", amount(pairs, "pair"), ".")


def _corrected(counts: Mapping[str, Any]) -> list[str]:
    """Return the methods whose candidates were corrected, as far as they are counted."""
    methods_of_corpora = counts.get("corpora", {}).values()
    by_method = [item for corpus in methods_of_corpora for item in corpus.items()]
    return sorted(
        {method for method, numbers in by_method if any(numbers[action] for action in ACTIONS)}
    )


def _judging(
    facts: ReleaseFacts, settings: ReleaseSettings, counts: Mapping[str, Any]
) -> Iterator[Sentence]:
    scale = sentence(
        f"on a scale from 0 to {settings.max_label}, where {settings.paraphrase_from} and above "
        "mean paraphrase"
        if settings.max_label > 1
        else "as having the same meaning or not"
    )
    people = amount(settings.annotators_per_pair, "person", "people")
    yield sentence(people, " judged each pair independently, ", scale, ".")
    yield sentence(BLIND)
    if settings.max_label > 1:
        yield sentence(PARADE)
        most = (
            " is the grade that most people gave, else the median; the label comes from the votes."
        )
        yield sentence(name(GRADE), most)
    yield sentence(f"A pair is kept if at least {settings.consensus_min_votes} of them agree.")
    if settings.decides_early:
        yield sentence(EARLY)
    if pairs := counts.get("reopened"):
        others = ("Others judged ", amount(pairs, "pair"), " again on which too few had agreed")
        yield sentence(*others, "; only their last votes count.")
    if counts["judgments"]:
        yield _work(facts, counts)
    if number := counts.get("simulated_judgments"):
        yield sentence("Programs that simulate people gave ", amount(number, "judgment"), ".")
    yield from _in_no_label(counts)


def _work(facts: ReleaseFacts, counts: Mapping[str, Any]) -> Sentence:
    pieces: list[Piece] = [amount(counts["annotators"], "person", "people"), " gave "]
    pieces.append(amount(counts["judgments"], "judgment"))
    if facts.collected:
        first, last = facts.collected
        pieces.append(f" on {first}" if first == last else f" from {first} to {last}")
    if pace := counts["seconds"] / (counts["judgments"] or 1):
        pieces.append(f" and took {pace:.1f} seconds for each on average")
    return sentence(*pieces, ".")


def _in_no_label(counts: Mapping[str, Any]) -> Iterator[Sentence]:
    if pairs := counts.get("adjudications"):
        decided = ("An expert decided ", amount(pairs, "pair"), " that people did not agree on")
        yield sentence(*decided, "; no label takes that up.")
    for model in counts.get("model_judgments", ()):
        title = name(f"{model['model']} {model['revision']}".strip())
        labels = amount(model["labels"], "pair")
        yield sentence("The model ", title, " labelled ", labels, ", in no label and no figure.")


def _agreement(settings: ReleaseSettings, counts: Mapping[str, Any]) -> Iterator[Sentence]:
    votes = sum((Counter(table) for table in vote_tables(counts).values()), Counter[Any]())
    if not votes:
        return
    figures = filtered(votes, binary(settings))
    yield sentence(HUMAN)
    side = "On paraphrase or not" if settings.max_label > 1 else "On all judged pairs"
    yield sentence(side, ", it is ", *_measures(figures.before.human, figures.before.alpha), ".")
    if figures.after.pairs:
        measures = _measures(figures.after.human, figures.after.alpha)
        yield sentence("On the kept pairs alone, it is ", *measures, ".")
    grades = sum((Counter(table) for table in graded.tables(counts).values()), Counter[Any]())
    if grades:
        on_grades = measure(grades)
        measures = _measures(on_grades.human, on_grades.ordinal, alpha_name="ordinal alpha")
        yield sentence("On the grade, it is ", *measures, ".")
    if any(estimate.interval for estimate in (figures.before.human, figures.after.human)):
        yield sentence("Brackets give 95 % intervals, from 1,000 samples of the pairs.")


def _measures(human: Estimate, alpha: Estimate, *, alpha_name: str = "alpha") -> Iterator[Piece]:
    yield share(human)
    if alpha.value is not None:
        yield f", and Krippendorff's {alpha_name} {coefficient(alpha)}"


def _dataset(settings: ReleaseSettings, counts: Mapping[str, Any]) -> Iterator[Sentence]:
    subsets = counts["subsets"]
    if counts["judged"]:
        judged = amount(counts["judged"], "judged pair")
        yield sentence("People agree enough on ", counts["kept"], " of ", judged, " to keep them.")
    if low := _pairs(subsets.get("low_agreement", {})):
        too_few = ("On ", amount(low, "pair"), " too few agreed: they are in ")
        yield sentence(*too_few, name("low_agreement"), ", with their votes.")
    yield from _composed(counts)
    if settings.paraphrase_share is not None:
        dropped = "Pairs were dropped at random until the share of paraphrases in "
        to = f" was {percent(settings.paraphrase_share)}."
        yield sentence(dropped, name(LABELED_FINAL), to)
    yield _splits(subsets[LABELED_FINAL])
    yield sentence(ENTITIES if ENTITY in settings.columns else FAMILIES)
    for subset, words in FURTHER_SUBSETS.items():
        if pairs := _pairs(subsets.get(subset, {})):
            yield sentence(name(subset), " has ", amount(pairs, words[0], words[1]), ".")
    yield sentence(f"Splits, sides and what is dropped follow from the seed {settings.seed}.")


def _composed(counts: Mapping[str, Any]) -> Iterator[Sentence]:
    if not counts["recombined"]:
        return
    pairs = amount(counts["recombined"], "pair")
    yield sentence(pairs, " more follow from chains of judged pairs (PAWS 3.2).")
    left_out = {"conflicts": "contradict each other", "unknown": "do not tell a label"}
    reasons = [
        sentence(amount(counts[key], "pair"), f" whose chains {why}")
        for key, why in left_out.items()
        if counts[key]
    ]
    if reasons:
        yield sentence("Left out were ", listed(reasons), ".")


def _splits(splits: Mapping[str, Mapping[str, int]]) -> Sentence:
    sizes = [
        sentence(splits[split]["pairs"], f" in {split}")
        for split in get_args(Split)
        if splits.get(split, {}).get("pairs")
    ]
    pairs, paraphrases = _pairs(splits), sum(split["paraphrases"] for split in splits.values())
    share_of_paraphrases = f"; {percent(paraphrases / pairs)} are paraphrases" if pairs else ""
    what = listed(sizes) if sizes else sentence("none")
    return sentence(name(LABELED_FINAL), " has ", amount(pairs, "pair"), ": ", what,
                    share_of_paraphrases, ".")  # fmt: skip


def _pairs(splits: Mapping[str, Mapping[str, int]]) -> int:
    return sum(split["pairs"] for split in splits.values())


def licence_sentences(facts: ReleaseFacts) -> Iterator[Sentence]:
    metadata = facts.metadata or Metadata()
    if metadata.licence:
        yield sentence("The dataset has the licence ", name(metadata.licence), ".")
    if facts.licence and not facts.corpora:
        yield sentence("The source text has the licence ", name(facts.licence), ".")
