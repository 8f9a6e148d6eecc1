"""The section of the dataset card on how the pairs were judged."""

from collections.abc import Mapping
from typing import Any

from annotation.stats.report import count
from releases.dataset.columns import GRADE
from releases.dataset.graded import REFERENCE
from releases.dataset.settings import ReleaseSettings

EARLY = (
    "Judging stopped as soon as enough people agreed, so a kept pair may have fewer judgments, and "
    "agreement on it is higher than with full panels."
)
GRADES = (
    "`grade` is the grade that most people gave; where several were given as often, it is the "
    "median grade. The label comes from the votes, not from this grade."
)


def protocol(settings: ReleaseSettings, counts: Mapping[str, Any]) -> str:
    scale = (
        "as having the same meaning or not"
        if settings.max_label == 1
        else f"on a scale from 0 to {settings.max_label}, "
        f"where {settings.paraphrase_from} and above mean paraphrase"
    )
    pace = counts["seconds"] / (counts["judgments"] or 1)
    sentences = [
        f"{settings.annotators_per_pair} people judged each pair independently, {scale}.",
        f"A pair is kept when at least {settings.consensus_min_votes} of them agree.",
        GRADES if GRADE in settings.columns else "",
        REFERENCE if settings.max_label > 1 else "",
        EARLY if settings.decides_early else "",
        again(counts),
        left_out(counts),
        f"{count(counts['annotators'])} annotators gave {count(counts['judgments'])} judgments"
        + (f" and took {pace:.1f} seconds for each." if pace else "."),
        others(counts),
    ]
    return " ".join(filter(None, sentences))


def again(counts: Mapping[str, Any]) -> str:
    if not (pairs := counts.get("reopened")):
        return ""
    return (
        f"{count(pairs)} pairs on which too few people agreed were judged again by other people; "
        "only the votes of the last round count."
    )


def left_out(counts: Mapping[str, Any]) -> str:
    pairs = counts.get("excluded")
    if pairs == 1:
        return "Managers excluded 1 pair, which is in no file."
    return f"Managers excluded {count(pairs)} pairs, which are in no file." if pairs else ""


def others(counts: Mapping[str, Any]) -> str:
    sentences = []
    if pairs := counts.get("adjudications"):
        sentences.append(f"An expert adjudicated {count(pairs)} pairs that are not kept.")
    for model in counts.get("model_judgments", ()):
        name = f"{model['model']} {model['revision']}".strip()
        sentences.append(f"The model {name} labelled {count(model['labels'])} pairs.")
    return " ".join(sentences)
