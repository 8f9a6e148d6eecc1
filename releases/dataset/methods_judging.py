"""How the pairs of a dataset were judged, and how far judges agree, in sentences."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from annotation.stats.agreement import Estimate, filtered, human, krippendorff_alpha, ordinal
from annotation.stats.report import HEADLINES, coefficient, share
from releases.dataset import graded
from releases.dataset.columns import GRADE
from releases.dataset.facts import JUDGE, ReleaseFacts
from releases.dataset.paper_tables import binary, vote_tables
from releases.dataset.prose import Piece, Sentence, amount, name, sentence
from releases.dataset.settings import ReleaseSettings

BLIND = (
    "Judges saw neither which sentence is the source, nor how the other was created, nor the "
    "answers of others."
)
EARLY = (
    "Judging stopped as soon as enough people agreed, so agreement on kept pairs is higher than "
    "with full panels."
)
PARADE = "Pairs are graded as in PARADE (He et al., EMNLP 2020)."
# A key of ReleaseFacts.simulated_people.
SIMULATED_NOUN = ("simulated annotator", "simulated annotators")
HUMAN = "Human agreement is the share of answers that equal the most frequent answer to their pair."


def judging(
    facts: ReleaseFacts, settings: ReleaseSettings, counts: Mapping[str, Any]
) -> Iterator[Sentence]:
    scale = sentence(
        f"on a scale from 0 to {settings.scheme.values[-1]}, where {settings.scheme.border} and "
        "above mean paraphrase"
        if settings.scheme.is_graded
        else "as having the same meaning or not"
    )
    people = amount(settings.judgments_per_pair, *_noun(facts, counts))
    yield sentence(people, " judged each pair independently, ", scale, ".")
    yield from _answers(facts)
    yield sentence(BLIND)
    if settings.scheme.is_graded:
        yield sentence(PARADE)
    yield from labels(settings)
    if settings.decides_early:
        yield sentence(EARLY)
    yield from judged_again(counts)
    if counts["judgments"]:
        yield _work(facts, counts)
    yield from excluded_answers(facts)
    number = counts.get("simulated_judgments")
    if number and not _all_simulated(facts, counts):
        yield sentence("Programs that simulate people gave ", amount(number, "judgment"), ".")
    yield from expert_decisions(counts)
    yield from _labels_of_models(counts)


def _answers(facts: ReleaseFacts) -> Iterator[Sentence]:
    """Yield each possible answer whose criterion is known."""
    for answer in facts.scale:
        if answer["criterion"]:
            yield sentence(f"{answer['label']} is “{answer['name']}”: {answer['criterion']}")


def labels(settings: ReleaseSettings) -> Iterator[Sentence]:
    """Yield how answers become labels."""
    if settings.scheme.is_graded:
        most = (
            " is the grade that most people gave, else the median; the label comes from the votes."
        )
        yield sentence(name(GRADE), most)
    yield sentence(f"A pair is kept if at least {settings.consensus_min_votes} of them agree.")


def judged_again(counts: Mapping[str, Any]) -> Iterator[Sentence]:
    if pairs := counts.get("reopened"):
        others = ("Others judged ", amount(pairs, "pair"), " again on which too few had agreed")
        yield sentence(*others, "; only their last votes count.")


def annotators(facts: ReleaseFacts, counts: Mapping[str, Any]) -> Sentence:
    """Return how many people judged, and how many programs that simulate people."""
    number, simulated = counts["annotators"], facts.simulated_people.get(JUDGE, 0)
    if simulated in (0, number):
        return amount(number, *_noun(facts, counts))
    people = amount(number - simulated, "person", "people")
    return sentence(people, " and ", amount(simulated, *SIMULATED_NOUN))


def _noun(facts: ReleaseFacts, counts: Mapping[str, Any]) -> tuple[str, str]:
    return SIMULATED_NOUN if _all_simulated(facts, counts) else ("person", "people")


def _all_simulated(facts: ReleaseFacts, counts: Mapping[str, Any]) -> bool:
    simulated = facts.simulated_people.get(JUDGE, 0)
    return simulated > 0 and simulated == counts["annotators"]


def _work(facts: ReleaseFacts, counts: Mapping[str, Any]) -> Sentence:
    pieces: list[Piece] = [annotators(facts, counts), " gave "]
    pieces.append(amount(counts["judgments"], "judgment"))
    if facts.collected:
        first, last = facts.collected
        pieces.append(f" on {first}" if first == last else f" from {first} to {last}")
    if pace := counts["seconds"] / (counts["judgments"] or 1):
        pieces.append(f" and took {pace:.1f} seconds for each on average")
    return sentence(*pieces, ".")


def excluded_answers(facts: ReleaseFacts) -> Iterator[Sentence]:
    if excluded := facts.excluded_answers:
        judgments = amount(excluded["answers"], "judgment")
        people = amount(excluded["people"], "excluded annotator")
        pieces: list[Piece] = ["Not counted: ", judgments, " of ", people]
        if pairs := excluded["pairs"]:
            pieces += ["; others judged ", amount(pairs, "pair"), " of theirs"]
        yield sentence(*pieces, ".")


def expert_decisions(counts: Mapping[str, Any]) -> Iterator[Sentence]:
    if pairs := counts.get("adjudications"):
        decided = ("An expert decided ", amount(pairs, "pair"), " that people did not agree on")
        yield sentence(*decided, "; no label takes that up.")


def _labels_of_models(counts: Mapping[str, Any]) -> Iterator[Sentence]:
    for model in counts.get("model_judgments", ()):
        labelled = amount(model["labels"], "pair")
        yield sentence("The model ", name(model_title(model)), " labelled ", labelled,
                       ", in no label and no figure.")  # fmt: skip


def model_title(model: Mapping[str, Any]) -> str:
    """Return the name of a model whose labels are in the counts, with its revision."""
    return f"{model['model']} {model['revision']}".strip()


def agreement(settings: ReleaseSettings, counts: Mapping[str, Any]) -> Iterator[Sentence]:
    votes = sum((Counter(table) for table in vote_tables(counts).values()), Counter[Any]())
    if not votes:
        return
    figures = filtered(votes, binary(settings))
    yield sentence(HUMAN)
    side = "On paraphrase or not" if settings.scheme.folds else "On all judged pairs"
    yield sentence(side, ", it is ", *_measures(figures.before.human, figures.before.alpha), ".")
    if figures.after.pairs:
        measures = _measures(figures.after.human, figures.after.alpha)
        yield sentence("On the kept pairs alone, it is ", *measures, ".")
    grades = sum((Counter(table) for table in graded.tables(counts).values()), Counter[Any]())
    if grades:
        alpha = krippendorff_alpha(grades, distance=ordinal)
        measures = _measures(human(grades), alpha, alpha_name="ordinal alpha")
        yield sentence("On the grade, it is ", *measures, ".")
    yield sentence(HEADLINES[settings.scheme.level])
    if any(estimate.interval for estimate in (figures.before.human, figures.after.human)):
        yield sentence("Brackets give 95 % intervals, from 1,000 samples of the pairs.")


def _measures(human: Estimate, alpha: Estimate, *, alpha_name: str = "alpha") -> Iterator[Piece]:
    yield share(human)
    if alpha.value is not None:
        yield f", and Krippendorff's {alpha_name} {coefficient(alpha)}"
