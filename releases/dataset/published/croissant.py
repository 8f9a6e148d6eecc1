"""Responsible-AI properties and provenance of a release of a published set, for croissant.json."""

from collections.abc import Mapping
from typing import Any

from common.tables import count
from releases.dataset.croissant_provenance import ActivityType, activity, entity, software
from releases.dataset.croissant_rai import (
    ABOUT_PEOPLE,
    SECONDARY,
    declared,
    documentation_of,
    joined,
    titled,
    without_empty,
)
from releases.dataset.facts import ReleaseFacts
from releases.dataset.prose import sentence
from releases.dataset.published.card import ELSEWHERE, changes, label_sentences
from releases.dataset.published.settings import PublishedSettings, Source

# Of the labels: nothing more is known.
PUBLISHERS = "The labels are those of the publishers."


def documented(
    facts: ReleaseFacts, settings: PublishedSettings, counts: Mapping[str, Any], source: Source
) -> dict[str, Any]:
    """Return what is known of any published set, and what people declared of this one."""
    documentation = documentation_of(facts)
    copied, labels = _plain(ELSEWHERE), _plain(" ".join(label_sentences(settings)))
    files = ", ".join(f"{file.name} ({count(file.rows)} rows)" for file in settings.files)
    changed = dict(changes(counts))
    texts_changed = changed.pop("Changed texts", "")
    processed = f"Changed texts: {texts_changed}." if texts_changed else ""
    properties = {
        "rai:dataCollection": joined((copied, titled(documentation, "ethics"))),
        "rai:dataCollectionRawData": f"Published files: {files}.",
        "rai:dataCollectionType": [SECONDARY],
        "rai:dataCollectionMissingData": joined(
            f"{title}: {text}." for title, text in changed.items()
        ),
        "rai:dataPreprocessingProtocol": [processed],
        "rai:dataAnnotationProtocol": joined((PUBLISHERS, titled(documentation, *ABOUT_PEOPLE))),
        "rai:annotationsPerItem": str(settings.votes_of or ""),
        "rai:dataAnnotationAnalysis": [labels],
        "rai:hasSyntheticData": settings.is_synthetic,
        "prov:wasDerivedFrom": [entity(facts.name, address=source.address, licence=source.licence)],
        "prov:wasGeneratedBy": [
            activity(
                "Copy of the published files",
                ActivityType.PROCESSING,
                [sentence(joined((copied, labels, processed)))],
                days=[facts.created.partition("T")[0]] * 2,
                by=software(f"Pawsmith {facts.software_version}"),
            )
        ],
    }
    return without_empty(properties | declared(documentation, maintenance=()))


def _plain(text: str) -> str:
    """Return a sentence of the card without its markup."""
    return text.replace("**", "").replace("`", "")
