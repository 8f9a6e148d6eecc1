"""Responsible-AI properties and provenance of a release of translations, for croissant.json."""

from collections.abc import Iterator, Mapping
from typing import Any

from releases.dataset.croissant_provenance import (
    ActivityType,
    activity,
    entity,
    people,
    software,
)
from releases.dataset.croissant_rai import (
    ABOUT_PEOPLE,
    PEOPLE,
    PSEUDONYMS,
    SOFTWARE,
    declared,
    documentation_of,
    joined,
    timeframe,
    titled,
    without_empty,
)
from releases.dataset.facts import SIMULATED, TRANSLATE, VALIDATE, ReleaseFacts
from releases.dataset.methods import SOURCES
from releases.dataset.prose import as_text, sentence
from releases.dataset.translated.files import TranslationSettings
from releases.dataset.translated.methods import (
    INHERITED,
    TRANSLATION,
    VALIDATION,
    by_machine,
    by_people,
    methods,
    missing,
)


def documented(
    facts: ReleaseFacts,
    settings: TranslationSettings,
    counts: Mapping[str, Any],
    word_errors: Mapping[str, Any],
) -> dict[str, Any]:
    paragraphs = methods(facts, settings, counts, word_errors)
    documentation, translations = documentation_of(facts), counts["translations"]
    by_machines = translations["machine"] + translations["back"] > 0
    simulated = counts.get("simulated", {})
    days = [day for work in facts.work.values() for day in work["days"]]
    properties = {
        "rai:dataCollection": joined(
            (
                as_text((*paragraphs[SOURCES], *paragraphs.get(TRANSLATION, ()))),
                titled(documentation, "ethics"),
            )
        ),
        "rai:dataCollectionRawData": as_text(paragraphs[SOURCES]),
        "rai:dataCollectionType": [
            *([PEOPLE] if translations["human"] > simulated.get("translations", 0) else []),
            *([SOFTWARE] if by_machines else []),
        ],
        "rai:dataCollectionTimeframe": timeframe(days),
        "rai:dataCollectionMissingData": as_text(missing(settings, counts)),
        "rai:dataManipulationProtocol": INHERITED,
        "rai:dataAnnotationProtocol": joined(
            (
                as_text((*by_people(counts), *paragraphs[VALIDATION])),
                titled(documentation, *ABOUT_PEOPLE),
            )
        ),
        "rai:dataAnnotationPlatform": [f"Pawsmith {facts.software_version}", *facts.platforms],
        "rai:dataAnnotationAnalysis": [as_text(paragraphs[VALIDATION])],
        "rai:hasSyntheticData": by_machines or facts.source_is_synthetic,
        "prov:wasDerivedFrom": [
            entity(
                f"{settings.source.name} {settings.source.version}",
                address=facts.source_address,
                licence=facts.licence,
            )
        ],
        "prov:wasGeneratedBy": [*_activities(facts, settings, counts, word_errors)],
    }
    numbers = {"translators": counts["translators"], "validators": counts["validators"]}
    return without_empty(
        properties
        | declared(
            documentation,
            limitations=[SIMULATED] if simulated else [],
            sensitive=[PSEUDONYMS.format(who="Translators and validators")],
            demographics=[f"Number of {who}: {number}" for who, number in numbers.items()],
        )
    )


def _activities(
    facts: ReleaseFacts,
    settings: TranslationSettings,
    counts: Mapping[str, Any],
    word_errors: Mapping[str, Any],
) -> Iterator[dict[str, Any]]:
    paragraphs, simulated = (
        methods(facts, settings, counts, word_errors),
        counts.get("simulated", {}),
    )
    days = {kind: work["days"] for kind, work in facts.work.items()}
    translations = counts["translations"]
    if translations["human"]:
        translators = people(
            counts["translators"],
            "translator",
            answers=translations["human"],
            simulated=simulated.get("translations", 0),
        )
        yield activity("Translation by people", ActivityType.COLLECTION, by_people(counts),
                       days=days.get(TRANSLATE, ()), by=translators)  # fmt: skip
    if translations["machine"] or translations["back"]:
        models = dict.fromkeys(filter(None, (settings.forward, settings.backward)))
        yield activity("Machine translation", ActivityType.COLLECTION,
                       by_machine(settings, counts), days=days.get("machine", ()),
                       by=software(" + ".join(models)))  # fmt: skip
    if counts["validators"]:
        validators = people(
            counts["validators"],
            "validator",
            answers=sum(counts["validations"].values()),
            simulated=simulated.get("validations", 0),
        )
        yield activity("Validation", ActivityType.REVIEW, paragraphs[VALIDATION],
                       days=days.get(VALIDATE, ()), by=validators)  # fmt: skip
    pawsmith = software(f"Pawsmith {facts.software_version}")
    yield activity("Selection of the pairs", ActivityType.PROCESSING,
                   [*paragraphs[SOURCES], sentence(INHERITED)], days=(), by=pawsmith)  # fmt: skip
