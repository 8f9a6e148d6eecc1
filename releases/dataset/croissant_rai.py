"""The Responsible-AI properties of croissant.json, for releases of judged pairs.

Croissant RAI 1.0, https://mlcommons.org/croissant/RAI/1.0. Its names are written as in the
specification: mlcroissant 1.1.1 spells two of them otherwise. The sentences are those of the card.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from releases.dataset.documentation import Documentation
from releases.dataset.facts import (
    CORRECT,
    JUDGE,
    SIMULATED,
    ReleaseFacts,
    has_machine_sentences,
    is_imported,
    runs_of_study,
)
from releases.dataset.files import LABELED_FINAL
from releases.dataset.metadata import Metadata
from releases.dataset.methods import (
    AGREEMENT,
    CORRECTION,
    GENERATION,
    JUDGING,
    SOURCES,
    methods,
    run_settings,
)
from releases.dataset.methods_judging import excluded_answers, judged_again, labels, model_title
from releases.dataset.methods_pairs import (
    balanced,
    composed,
    drawn,
    easy,
    excluded,
    hard,
    kept,
    not_composed,
    pairs_in,
    separation,
)
from releases.dataset.prose import Sentence, amount, as_text, name, sentence, with_full_stop
from releases.dataset.settings import ReleaseSettings
from releases.dataset.statement import TITLES

# Values that the specification recommends.
PEOPLE, SOFTWARE, SECONDARY = (
    "Manual Human Curator",
    "Software Collection",
    "Secondary Data analysis",
)
NEW_VERSIONS = "Corrections are new versions."
PSEUDONYMS = "{who} appear under random pseudonyms only."
ABOUT_PEOPLE = ("training", "recruitment", "pay")


def responsible_ai(
    facts: ReleaseFacts, settings: ReleaseSettings, counts: Mapping[str, Any]
) -> dict[str, Any]:
    paragraphs = methods(facts, settings, counts)
    documentation = documentation_of(facts)
    about_collection = (
        *(as_text(paragraphs.get(title, ())) for title in (SOURCES, GENERATION, CORRECTION)),
        titled(documentation, "ethics"),
    )
    limitations = [SIMULATED] if counts["simulated_judgments"] else []
    limitations += filter(None, [as_text(hard(settings))])
    properties = {
        "rai:dataCollection": joined(about_collection),
        "rai:dataCollectionRawData": as_text(paragraphs.get(SOURCES, ())),
        "rai:dataCollectionType": [*_collection_types(facts, counts)],
        "rai:dataCollectionTimeframe": timeframe(_days(facts)),
        "rai:dataCollectionMissingData": as_text(missing(facts, settings, counts)),
        "rai:dataPreprocessingProtocol": [
            *(as_text([run_settings(run)]) for run in runs_of_study(facts) if _chose(run, facts)),
            as_text([separation(settings)]),
        ],
        "rai:dataManipulationProtocol": as_text(
            [*composed(counts), *balanced(settings), drawn(settings)]
        ),
        "rai:dataAnnotationProtocol": joined(
            (as_text(paragraphs[JUDGING]), titled(documentation, *ABOUT_PEOPLE))
        ),
        "rai:annotationsPerItem": _annotations_per_item(counts),
        "rai:dataAnnotationPlatform": [f"Pawsmith {facts.software_version}", *facts.platforms],
        "rai:machineAnnotationTools": [
            model_title(model) for model in counts.get("model_judgments", ())
        ],
        "rai:dataAnnotationAnalysis": [
            as_text(sentences)
            for sentences in (
                paragraphs.get(AGREEMENT, ()),
                labels(settings),
                kept(settings, counts),
                judged_again(counts),
            )
        ],
        "rai:hasSyntheticData": has_machine_sentences(facts),
    }
    return without_empty(
        properties
        | declared(
            documentation,
            limitations=limitations,
            sensitive=[PSEUDONYMS.format(who="Annotators")],
            demographics=[_demographics(facts, counts)],
        )
    )


def missing(
    facts: ReleaseFacts, settings: ReleaseSettings, counts: Mapping[str, Any]
) -> Iterator[Sentence]:
    """Yield what was collected or generated, and is in no table."""
    if rejected := counts["corrections"]["reject"]:
        yield sentence("Correctors rejected ", amount(rejected, "candidate"), ".")
    yield from excluded(counts)
    yield from excluded_answers(facts)
    subsets = {subset: pairs_in(splits) for subset, splits in counts["subsets"].items()}
    undecided = counts["judged"] - counts["kept"] - subsets.get("low_agreement", 0)
    if waiting := facts.waiting + undecided:
        yield sentence("Still waiting for answers, and so left out: ", amount(waiting, "pair"), ".")
    yield from easy(settings, counts)
    labelled = counts["kept"] - counts.get("easy", 0) + counts["recombined"]
    if dropped := labelled - subsets[LABELED_FINAL] - subsets.get("labeled_swap", 0):
        balance = "to reach the share of paraphrases or " if settings.scheme.is_binary else ""
        yield sentence(f"Left out of all tables, {balance}because both sentences are equal: ",
                       amount(dropped, "pair"), ".")  # fmt: skip
    yield from not_composed(counts)
    if noisy := counts["unlabeled_left_out"]:
        leaves_easy = settings.hard_for and settings.layout > 3
        hard = "have the texts of pairs left out for the model, " if leaves_easy else ""
        yield sentence("Left out of ", name("unlabeled_final"), f", because they {hard}repeat or "
                       "contradict others or are connected to two splits or to test: ",
                       amount(noisy, "generated pair"), ".")  # fmt: skip


def _chose(run: Mapping[str, Any], facts: ReleaseFacts) -> bool:
    """Return whether a run chose candidates; older releases say so of all that have settings."""
    settings = run["settings"].keys() - ({"imported_from"} if facts.task else set())
    return bool(settings)


def _demographics(facts: ReleaseFacts, counts: Mapping[str, Any]) -> str:
    number, simulated = counts["annotators"], facts.simulated_people.get(JUDGE, 0)
    if not simulated:
        return f"Number of annotators: {number}"
    how_many = "all" if simulated == number else f"{simulated} of them"
    return f"Number of annotators: {number}, {how_many} simulated"


def documentation_of(facts: ReleaseFacts) -> Documentation:
    return (facts.metadata or Metadata()).documentation


def declared(
    documentation: Documentation,
    *,
    limitations: Iterable[str] = (),
    sensitive: Iterable[str] = (),
    demographics: Iterable[str] = (),
    maintenance: Iterable[str] = (NEW_VERSIONS,),
) -> dict[str, Any]:
    """Return what people declared, each followed by what is known anyway."""
    excluded_uses = (f"Not for: {use}" for use in documentation.excluded_uses)
    return {
        "rai:dataLimitations": [*documentation.limitations, *excluded_uses, *limitations],
        "rai:dataBiases": [*documentation.biases],
        "rai:dataUseCases": [*documentation.uses],
        "rai:dataSocialImpact": documentation.social_impact,
        "rai:personalSensitiveInformation": [*documentation.sensitive, *sensitive],
        "rai:annotatorDemographics": [*documentation.demographics, *demographics],
        # One text, although the specification allows several: mlcroissant reads only the first.
        "rai:dataReleaseMaintenancePlan": "\n".join((*documentation.maintenance, *maintenance)),
    }


def joined(texts: Iterable[str]) -> str:
    return " ".join(filter(None, texts))


def titled(documentation: Documentation, *names: str) -> str:
    """Return declared texts as sentences, each behind the title of its field."""
    texts = ((TITLES[name], getattr(documentation, name)) for name in names)
    return " ".join(f"{title}: {with_full_stop(text)}" for title, text in texts if text)


def timeframe(days: Sequence[str]) -> list[str]:
    """Return the beginning of the first and the end of the last of the days, in UTC."""
    return [f"{min(days)}T00:00:00Z", f"{max(days)}T23:59:59Z"] if days else []


def _days(facts: ReleaseFacts) -> list[str]:
    """Return the days of import, runs, correction and judging, as far as they are known."""
    imports = (corpus["imported"] for corpus in facts.corpora.values())
    runs = (run["days"] for run in facts.runs)
    correction = facts.work.get(CORRECT, {}).get("days", ())
    return [*chain(*imports, *runs, correction, facts.collected)]


def without_empty(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out empty texts, and lists without one; False stays."""
    values = {
        name: [*filter(None, value)] if isinstance(value, list) else value
        for name, value in properties.items()
    }
    return {name: value for name, value in values.items() if value not in (None, "", [])}


def _collection_types(facts: ReleaseFacts, counts: Mapping[str, Any]) -> Iterator[str]:
    if counts["judgments"] > counts["simulated_judgments"]:
        yield PEOPLE
    if has_machine_sentences(facts):
        yield SOFTWARE
    if any(map(is_imported, facts.runs)):
        yield SECONDARY


def _annotations_per_item(counts: Mapping[str, Any]) -> str:
    """Return the number of answers to a decided pair, such as 5, or 3 to 5."""
    numbers = {sum(numbers) for votes in counts["votes"].values() for *numbers, _pairs in votes}
    least, most = min(numbers, default=0), max(numbers, default=0)
    if least == most:
        return str(most or "")
    return f"{least} to {most}"
