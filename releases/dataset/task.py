"""The task that a dataset is for, as catalogues name it, from the labels of its study."""

from typing import Any

from annotation.stats.labels import Scheme

# Of https://huggingface.co/tasks.
CLASSIFICATION, SIMILARITY = "text-classification", "sentence-similarity"
# Of studies whose labels mean paraphrase or not, and of all older releases.
KEYWORDS = ("paraphrase identification", "adversarial dataset")
TAGS = ("paraphrase-identification", "adversarial")
INFERENCE = {"entailment", "neutral", "contradiction"}


def task_of(scheme: Scheme) -> dict[str, Any]:
    """Return category and tags for the Hugging Face Hub, and keywords for Zenodo, as JSON."""
    if scheme.composes:
        return {"category": CLASSIFICATION, "keywords": [*KEYWORDS], "tags": [*TAGS]}
    measures = scheme.has_equal_steps and not scheme.directed
    keywords = [_subject(scheme, measures=measures)]
    if not scheme.decides and not scheme.has_mean:
        keywords.append("human label variation")
    return {
        "category": SIMILARITY if measures else CLASSIFICATION,
        "keywords": keywords,
        "tags": [keyword.replace(" ", "-") for keyword in keywords],
    }


def _subject(scheme: Scheme, *, measures: bool) -> str:
    if {name.casefold() for name in scheme.outcomes} == INFERENCE:
        return "natural language inference"
    return "semantic textual similarity" if measures else "sentence pair classification"
