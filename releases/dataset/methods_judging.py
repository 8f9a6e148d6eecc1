"""How the pairs of a dataset were judged, and how far judges agree, in sentences."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from annotation.stats.agreement import (
    Agreement,
    Estimate,
    filtered,
    human,
    krippendorff_alpha,
    ordinal,
)
from annotation.stats.agreement_tables import HEADLINES, coefficient, share
from annotation.stats.labels import Level, Scheme
from releases.dataset import graded
from releases.dataset.alternative import stand_in
from releases.dataset.columns import GRADE, MEAN, MODEL_LABEL, MODEL_SHARE
from releases.dataset.facts import JUDGE, ReleaseFacts
from releases.dataset.paper_tables import protocol_of_votes, vote_tables
from releases.dataset.prose import Piece, Sentence, amount, name, sentence
from releases.dataset.settings import ReleaseSettings

BLIND = (
    "Judges saw neither which sentence is the source, nor how the other was created, nor the "
    "answers of others."
)
BLIND_DIRECTED = (
    "Judges saw neither how the sentences came about, nor the answers of others; the order of the "
    "sentences is part of the task."
)
NO_LABEL = "No label is made of the answers: their distribution is what the dataset gives."
EARLY = (
    "Judging stopped as soon as enough people agreed, so agreement on kept pairs is higher than "
    "with full panels."
)
PARADE = "Pairs are graded as in PARADE (He et al., EMNLP 2020)."
# A key of ReleaseFacts.simulated_people.
SIMULATED_NOUN = ("simulated annotator", "simulated annotators")
ALPHA_NAMES = {
    Level.NOMINAL: "alpha",
    Level.ORDINAL: "ordinal alpha",
    Level.INTERVAL: "interval alpha",
}
SKILL = (
    " is the likeliest label of a judged pair by a model of how often each annotator gives which "
    "answer (Dawid and Skene 1979), fitted to all answers. It changes no other column; its "
    "probability is "
)
BRACKETS = "Brackets give 95 % intervals, from 1,000 samples of the pairs."
HUMAN = "Human agreement is the share of answers that equal the most frequent answer to their pair."


def judging(
    facts: ReleaseFacts, settings: ReleaseSettings, counts: Mapping[str, Any]
) -> Iterator[Sentence]:
    scheme = settings.scheme
    people = amount(settings.judgments_per_pair, *_noun(facts, counts))
    yield sentence(people, f" judged each pair independently, {scale_in_words(scheme)}.")
    if scheme.captions:
        yield sentence("The sentences have roles: {}, then {}.".format(*scheme.captions))
    yield from _answers(facts)
    yield sentence(BLIND_DIRECTED if scheme.directed else BLIND)
    if scheme.is_binary and scheme.is_graded:
        yield sentence(PARADE)
    yield from labels(settings)
    if settings.decides_early:
        yield sentence(EARLY)
    yield from asked_more(settings, counts)
    yield from judged_again(counts)
    if counts["judgments"]:
        yield _work(facts, counts)
    yield from excluded_answers(facts)
    number = counts.get("simulated_judgments")
    if number and not _all_simulated(facts, counts):
        yield sentence("Programs that simulate people gave ", amount(number, "judgment"), ".")
    yield from expert_decisions(counts)
    if settings.skill:
        yield sentence(name(MODEL_LABEL), SKILL, name(MODEL_SHARE), ".")
    yield from _labels_of_models(counts)


def asked(facts: ReleaseFacts, settings: ReleaseSettings) -> Iterator[Sentence]:
    """Yield what people were asked, and the labels; older releases do not know the question."""
    if question := facts.task.get("question"):
        labels_in_words = settings.scheme.in_words
        yield sentence(
            f"People were asked about pairs of sentences: “{question}” "
            f"The labels are {labels_in_words}."
        )


def scale_in_words(scheme: Scheme) -> str:
    if not scheme.is_binary:
        return f"with one of the labels {scheme.in_words}"
    if scheme.is_graded:
        return (
            f"on a scale from {scheme.values[0]} to {scheme.values[-1]}, where {scheme.border} and "
            "above mean paraphrase"
        )
    return "as having the same meaning or not"


def _answers(facts: ReleaseFacts) -> Iterator[Sentence]:
    """Yield each possible answer whose criterion is known."""
    for answer in facts.scale:
        if answer["criterion"]:
            yield sentence(f"{answer['label']} is “{answer['name']}”: {answer['criterion']}")


def labels(settings: ReleaseSettings) -> Iterator[Sentence]:
    """Yield how answers become labels."""
    scheme = settings.scheme
    if scheme.is_binary and scheme.is_graded:
        most = (
            " is the grade that most people gave, else the median; the label comes from the votes."
        )
        yield sentence(name(GRADE), most)
    if not scheme.decides:
        mean = MEAN in settings.columns
        yield sentence(name(MEAN), " is the mean of the answers.") if mean else sentence(NO_LABEL)
        yield sentence("Every pair with enough answers is kept.")
        return
    if not scheme.is_binary:
        yield sentence("The label is the one that most people gave.")
    yield sentence(f"A pair is kept if at least {settings.consensus_min_votes} of them agree.")


def asked_more(settings: ReleaseSettings, counts: Mapping[str, Any]) -> Iterator[Sentence]:
    """Yield how more people were asked, and that agreement is that of the first."""
    protocol = settings.protocol
    if not protocol.asks_more:
        return
    first, most = protocol.judgments_per_pair, protocol.most_judgments
    others = "all others together " if settings.layout > 1 else ""
    yield sentence(
        f"Where fewer agreed, one more person at a time was asked, up to {most} in all, until one "
        f"label led {others}by {protocol.lead}; ",
        amount(counts.get("asked_more", 0), "pair"),
        " got more answers.",
    )
    yield sentence(f"Agreement is that of the first {first} people, asked whatever others said.")
    if closed := counts.get("closed"):
        yield sentence(
            amount(closed, "pair"), " had to be decided with fewer, as nobody was left to ask."
        )


def judged_again(counts: Mapping[str, Any]) -> Iterator[Sentence]:
    """Yield how many pairs others judged again, and why."""
    because = counts.get("reopened_because", ())
    if pairs := counts.get("reopened", 0) - sum(model["pairs"] for model in because):
        others = ("Others judged ", amount(pairs, "pair"), " again on which too few had agreed")
        yield sentence(*others, "; only their last votes count.")
    for model in because:
        others = ("Others judged ", amount(model["pairs"], "pair"), " again because the model ")
        yield sentence(
            *others, name(model_title(model)), " disagreed; only their last votes count."
        )


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
        if figures := model.get("alternative"):
            yield from stand_in(figures)


def model_title(model: Mapping[str, Any]) -> str:
    """Return the name of a model whose labels are in the counts, with its revision."""
    return f"{model['model']} {model['revision']}".strip()


def agreement(settings: ReleaseSettings, counts: Mapping[str, Any]) -> Iterator[Sentence]:
    votes = sum((Counter(table) for table in vote_tables(counts).values()), Counter[Any]())
    if not votes:
        return
    figures = filtered(votes, protocol_of_votes(settings))
    if not settings.tells_majority:
        yield from _agreement_of_answers(figures.before)
        return
    yield sentence(HUMAN)
    has_sides = settings.scheme.is_binary and settings.scheme.folds
    side = "On paraphrase or not" if has_sides else "On all judged pairs"
    alpha_name = ALPHA_NAMES[settings.votes_scheme.level]
    before, after = (
        _measures(measured.human, measured.headline, alpha_name=alpha_name)
        for measured in (figures.before, figures.after)
    )
    yield sentence(side, ", it is ", *before, ".")
    if figures.after.pairs and settings.scheme.decides:
        yield sentence("On the kept pairs alone, it is ", *after, ".")
    grades = sum((Counter(table) for table in graded.tables(counts).values()), Counter[Any]())
    if grades:
        alpha = krippendorff_alpha(grades, distance=ordinal)
        measures = _measures(human(grades), alpha, alpha_name="ordinal alpha")
        yield sentence("On the grade, it is ", *measures, ".")
    if not settings.scheme.is_binary:  # of sides, cards never said it, and keep their bytes
        yield sentence(HEADLINES[settings.scheme.level])
    if any(estimate.interval for estimate in (figures.before.human, figures.after.human)):
        yield sentence(BRACKETS)


def _agreement_of_answers(measured: Agreement) -> Iterator[Sentence]:
    """Yield the headline alpha alone: pairs have no majority that answers could equal."""
    alpha = measured.headline
    if alpha.value is None:
        return
    name_of_alpha = f"Krippendorff's {ALPHA_NAMES[measured.level]}"
    yield sentence(f"On all judged pairs, {name_of_alpha} is {coefficient(alpha)}.")
    yield sentence(HEADLINES[measured.level])
    if alpha.interval:
        yield sentence(BRACKETS)


def _measures(human: Estimate, alpha: Estimate, *, alpha_name: str) -> Iterator[Piece]:
    yield share(human)
    if alpha.value is not None:
        yield f", and Krippendorff's {alpha_name} {coefficient(alpha)}"
