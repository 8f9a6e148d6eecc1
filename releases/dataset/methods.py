"""How a dataset came about, in sentences for its card, papers and catalogues.

They say what the facts, the settings and the counts of a release hold. What did not happen has no
sentence.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from releases.dataset.columns import ENTITY
from releases.dataset.corpora import ACTIONS
from releases.dataset.facts import (
    CORRECT,
    CROISSANT_1_0,
    ReleaseFacts,
    is_all_imported,
    is_imported,
    runs_of_study,
)
from releases.dataset.metadata import Metadata
from releases.dataset.methods_judging import agreement, judging
from releases.dataset.methods_pairs import became_of_pairs, excluded
from releases.dataset.prose import Paragraphs, Piece, Sentence, amount, listed, name, sentence
from releases.dataset.settings import ReleaseSettings

SOURCES, GENERATION, CORRECTION = "Sources", "Generation", "Correction"
JUDGING, AGREEMENT, DATASET, LICENCE = "Judging", "Agreement", "Dataset", "Licence"
DRAWN_ANEW = (
    "Ids and splits are new: pairs of the earlier test set may be in train, so no model may learn "
    "from one and be tested on the other, and scores on both can't be compared."
)
NOT_REPEATABLE = "Answers of this model cannot be reproduced; its candidates are kept as they came."
BIBTEX_KEY = re.compile(r"@\w+\s*\{\s*([^\s,{}]+)")
IMPORTED = "imported"
# By method, before the number of its candidates.
GENERATED: Mapping[str, str] = {
    "word_swap": "Word swaps exchange words and phrases of a sentence",
    "back_translation": "Back translations bring a sentence into another language and back",
    "prompted": "A chat model rewrote sentences from a prompt",
    "definitions": "Pairs of definitions define one entity",
    IMPORTED: "Some pairs were created elsewhere and imported",
}
ALL_IMPORTED = "All pairs were created elsewhere and imported"


def methods(
    facts: ReleaseFacts, settings: ReleaseSettings, counts: Mapping[str, Any]
) -> Paragraphs:
    """Return the sentences by the title of their paragraph; those without any are left out."""
    paragraphs = {
        SOURCES: [*_sources(facts, settings)],
        GENERATION: [*_generation(facts, counts)],
        CORRECTION: [*_correction(facts, counts)],
        JUDGING: [*judging(facts, settings, counts)],
        AGREEMENT: [*agreement(settings, counts)],
        DATASET: [*became_of_pairs(settings, counts)],
        LICENCE: [*licence_sentences(facts)],
    }
    return {title: sentences for title, sentences in paragraphs.items() if sentences}


def _sources(facts: ReleaseFacts, settings: ReleaseSettings) -> Iterator[Sentence]:
    if facts.judged_again:
        yield sentence("Its pairs are those of ", name(facts.judged_again), ", judged again.")
        yield sentence(DRAWN_ANEW)
    yield from publishers(facts)
    titles = sorted(facts.corpora.keys() - {facts.published.get("corpus")})
    if not titles:
        return
    if is_all_imported(facts):
        corpora = listed(_corpus(title, facts.corpora[title]) for title in titles)
        yield sentence("The pairs come from ", corpora, ".")
        return
    noun = "definition" if ENTITY in settings.columns else "sentence"
    corpora = listed(_corpus(title, facts.corpora[title], noun) for title in titles)
    yield sentence(f"The source {noun}s come from ", corpora, ".")


def publishers(facts: ReleaseFacts) -> Iterator[Sentence]:
    """Say where a set of others was published, and how to cite it; a BibTeX entry by its key."""
    if not (published := facts.published):
        return
    pieces: list[Piece] = [name(published["title"]), " is a copy of a set that others published"]
    if published["address"]:
        pieces += [" at ", name(published["address"])]
    if published["licence"]:
        pieces += [", with the licence ", name(published["licence"])]
    yield sentence(*pieces, ".")
    key = BIBTEX_KEY.match(published["citation"])
    if citation := name(key[1]) if key else published["citation"].rstrip("."):
        yield sentence("Cite its publishers: ", citation, ".")


def _corpus(title: str, corpus: Mapping[str, Any], noun: str = "") -> Sentence:
    """Return a corpus with its language and licence, and how many of the `noun` it has, if any."""
    sentences = (amount(corpus["sentences"], noun), ", ") if noun else ()
    pieces: list[Piece] = [name(title), " (", *sentences, "language ", name(corpus["language"])]
    if corpus["licence"]:
        pieces += [", licence ", name(corpus["licence"])]
    return sentence(*pieces, ")")


def _generation(facts: ReleaseFacts, counts: Mapping[str, Any]) -> Iterator[Sentence]:
    for method, pairs in sorted(counts.get("raw", {}).items()):
        if facts.published and method not in {run["method"] for run in runs_of_study(facts)}:
            continue  # These are the pairs of the set, which the sources name.
        words = GENERATED.get(method, f"Candidates of {method.replace('_', ' ')}")
        noun = "pair" if facts.task and method == IMPORTED else "candidate"
        if method == IMPORTED and is_all_imported(facts):
            words = ALL_IMPORTED
        details = (*_models(facts, method), *_repeats(counts, method))
        yield sentence(words, ": ", amount(pairs, noun), *details, ".")
        models = [model for model in facts.models if model.get("method") == method]
        if any(model.get("repeatable") == "false" for model in models):
            yield sentence(NOT_REPEATABLE)


def _repeats(counts: Mapping[str, Any], method: str) -> Iterator[Piece]:
    """Yield how many candidates of a method repeat others; older releases do not count them."""
    corpora = counts.get("corpora", {}).values()
    if repeats := sum(corpus.get(method, {}).get("repeats", 0) for corpus in corpora):
        yield sentence("; ", amount(repeats, "repeats", "repeat"), " the texts of another")


def _models(facts: ReleaseFacts, method: str) -> Iterator[Piece]:
    """Yield the models of a method, each once, and the seeds of its runs.

    Releases that follow Croissant 1.0 name a model with each of its parts.
    """
    identities = [model for model in facts.models if model.get("method") == method]
    names = {
        (model.get("part", ""), model.get("name", ""), model.get("revision", ""))
        for model in identities
    }
    parts = defaultdict[tuple[str, str, str], list[str]](list)
    for part, title, revision in sorted(names):
        alone = part if facts.croissant == CROISSANT_1_0 else ""
        parts[title, revision, alone].append(part.replace("_", " "))
    if not parts:
        return
    yield ", with "
    yield listed(
        _model(title, revision, parts[title, revision, alone]) for title, revision, alone in parts
    )
    seeds = sorted({int(model["seed"]) for model in identities if "seed" in model})
    if not seeds:  # of pairs created elsewhere, none is known
        return
    yield " and the seed " if len(seeds) == 1 else " and the seeds "
    yield listed(map(str, seeds))


def _model(title: str, revision: str, parts: list[str]) -> Sentence:
    with_revision: list[Piece] = [", revision ", name(revision)] if revision else []
    return sentence(name(title), " (", listed(parts), *with_revision, ")")


def run_sentence(run: Mapping[str, Any]) -> Sentence:
    """Say what a run of the manifest did."""
    what = run["method"].replace("_", " ")
    how = f"{what}, created elsewhere, for " if is_imported(run) else f"{what} of "
    pieces: list[Piece] = [f"Run {run['number']}: ", how, name(run["corpus"])]
    if run["preset"]:
        pieces += [", preset ", name(run["preset"])]
    if run["models"]:
        pieces += [", with ", listed(map(name, run["models"]))]
    if not is_imported(run):
        pieces.append(f", seed {run['seed']}")
    return sentence(*pieces, ". ", amount(run["candidates"], "candidate"), " entered the study.")


def run_settings(run: Mapping[str, Any]) -> Sentence:
    """Say by which settings a run chose its candidates."""
    settings = json.dumps(run["settings"], sort_keys=True, ensure_ascii=False)
    return sentence(f"Run {run['number']} chose candidates by its settings: ", name(settings), ".")


def _correction(facts: ReleaseFacts, counts: Mapping[str, Any]) -> Iterator[Sentence]:
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
        yield sentence(
            _corrector(facts), " saw each candidate", *which, alone, listed(outcomes), "."
        )
    yield from excluded(counts)


def _corrector(facts: ReleaseFacts) -> str:
    """Return who corrected a candidate. Older releases do not say whether people are simulated."""
    simulated = facts.simulated_people.get(CORRECT, 0)
    if not simulated:
        return "One person"
    is_trial = simulated == facts.work[CORRECT]["people"]
    return "One simulated corrector" if is_trial else "One person, or a simulated one,"


def _corrected(counts: Mapping[str, Any]) -> list[str]:
    """Return the methods whose candidates were corrected, as far as they are counted."""
    methods_of_corpora = counts.get("corpora", {}).values()
    by_method = [item for corpus in methods_of_corpora for item in corpus.items()]
    return sorted(
        {method for method, numbers in by_method if any(numbers[action] for action in ACTIONS)}
    )


def licence_sentences(facts: ReleaseFacts) -> Iterator[Sentence]:
    metadata = facts.metadata or Metadata()
    if metadata.licence:
        yield sentence("The dataset has the licence ", name(metadata.licence), ".")
    if facts.licence and not facts.corpora:
        yield sentence("The source text has the licence ", name(facts.licence), ".")
