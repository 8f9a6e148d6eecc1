"""Where a dataset comes from, for croissant.json: its sources, and the activities that made it.

In the terms of PROV-O, https://www.w3.org/TR/prov-o/. The types of activities are those of the
editor of the NeurIPS 2026 Evaluations & Datasets track.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any
from uuid import uuid5

from common import licences
from releases.dataset.facts import CORRECT, ReleaseFacts, is_imported, runs_of_study
from releases.dataset.methods import CORRECTION, JUDGING, SOURCES, methods, run_sentence
from releases.dataset.methods_judging import expert_decisions
from releases.dataset.prose import Sentence, as_text
from releases.dataset.recombination import NAMESPACE
from releases.dataset.settings import ReleaseSettings


class ActivityType(StrEnum):
    COLLECTION = "https://www.wikidata.org/wiki/Q4929239"
    ANNOTATION = "https://www.wikidata.org/wiki/Q109719325"
    PROCESSING = "https://www.wikidata.org/wiki/Q5227332"
    REVIEW = "https://www.wikidata.org/wiki/Q3306762"


def provenance(
    facts: ReleaseFacts, settings: ReleaseSettings, counts: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the provenance of a release of judged pairs."""
    corpora = sorted(facts.corpora.items())
    return {
        "prov:wasDerivedFrom": [
            entity(name, address=corpus["address"], licence=corpus["licence"])
            for name, corpus in corpora
        ],
        "prov:wasGeneratedBy": [*_activities(facts, settings, counts)],
    }


def _activities(
    facts: ReleaseFacts, settings: ReleaseSettings, counts: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    paragraphs = methods(facts, settings, counts)
    pawsmith = software(f"Pawsmith {facts.software_version}")
    if facts.corpora:
        days = [day for corpus in facts.corpora.values() for day in corpus["imported"]]
        yield activity(
            "Import of the source sentences",
            ActivityType.COLLECTION,
            paragraphs[SOURCES],
            days=[min(days), max(days)] if days else [],
            by=pawsmith,
        )
    for run in runs_of_study(facts):
        label = f"Run {run['number']}"
        yield activity(label, ActivityType.COLLECTION, [run_sentence(run)], days=run["days"],
                       by=_agent_of_run(run) or pawsmith)  # fmt: skip
    if work := facts.work.get(CORRECT):
        yield activity("Correction", ActivityType.PROCESSING, paragraphs.get(CORRECTION, ()),
                       days=work["days"], by=_correctors(facts, work["people"]))  # fmt: skip
    if counts["judgments"]:
        judges = people(
            counts["annotators"],
            "annotator",
            answers=counts["judgments"],
            simulated=counts["simulated_judgments"],
        )
        yield activity(
            "Judging", ActivityType.ANNOTATION, paragraphs[JUDGING], days=facts.collected, by=judges
        )
    if work := facts.work.get("review"):
        yield activity("Review", ActivityType.REVIEW, expert_decisions(counts),
                       days=work["days"], by=people(work["people"], "expert"))  # fmt: skip


def _agent_of_run(run: Mapping[str, Any]) -> dict[str, str]:
    """Return the models of a run; empty without any. Imported pairs may name people there."""
    if not run["models"]:
        return {}
    by_models = software(" + ".join(run["models"]))
    return by_models | {"@type": "prov:Agent"} if is_imported(run) else by_models


def entity(name: str, *, address: str, licence: str) -> dict[str, Any]:
    """Return a source; one without an address is known by its name."""
    values = {
        "@type": "prov:Entity",
        "@id": address or f"urn:uuid:{uuid5(NAMESPACE, f'source {name}')}",
        "prov:label": name,
        "sc:license": licences.link(licence),
    }
    return {key: value for key, value in values.items() if value}


def activity(
    label: str,
    kind: ActivityType,
    sentences: Iterable[Sentence],
    *,
    days: Sequence[str],
    by: Mapping[str, Any],
) -> dict[str, Any]:
    """Return an activity; `days` are the first and the last one, as far as they are known."""
    values = {
        "@type": "prov:Activity",
        "prov:type": {"@id": kind},
        "prov:label": label,
        "sc:description": as_text(sentences),
        "prov:startedAtTime": days[0] if days else "",
        "prov:endedAtTime": days[1] if len(days) > 1 else "",
        "prov:wasAttributedTo": dict(by),
    }
    return {key: value for key, value in values.items() if value}


def people(number: int, noun: str, *, answers: int = 0, simulated: int = 0) -> dict[str, str]:
    """Return who did something; programs gave some or all of their answers if it was a trial."""
    name = f"{noun}{'' if number == 1 else 's'}"
    if simulated and simulated == answers:
        return software(f"{number} simulated {name}")
    addition = ", some of them simulated" if simulated else ""
    return {"@type": "prov:Agent", "prov:label": f"{number} {name}{addition}"}


def _correctors(facts: ReleaseFacts, number: int) -> dict[str, str]:
    simulated = facts.simulated_people.get(CORRECT, 0)
    return people(number, "corrector", answers=number, simulated=simulated)


def software(name: str) -> dict[str, str]:
    return {"@type": "prov:SoftwareAgent", "prov:label": name}
