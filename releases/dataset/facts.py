"""What is known of a release besides its rows, settings and counts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from releases.dataset.metadata import Metadata

# Versions of Croissant, of croissant.json.
CROISSANT_1_0, CROISSANT_1_1 = "1.0", "1.1"
SIMULATED = "Simulated annotators: a trial, not data."
# Kinds of work, by which facts say how many people did it and when.
JUDGE, CORRECT, TRANSLATE, VALIDATE = "judge", "correct", "translate", "validate"
# Methods by which machines write sentences.
MACHINES = ("word_swap", "back_translation", "prompted")


@dataclass(frozen=True, slots=True)
class ReleaseFacts:
    """Metadata of a release that its rows do not contain.

    `created` is an ISO 8601 time in UTC, stored with the release so that each build repeats it;
    `models` holds the name and the revision or SHA-256 of each generator model; `rejected` counts
    the rewrites that correctors rejected, `excluded` the pairs that managers took out, `raw` the
    generated pairs of each method; `licence` is of the source text, preferably a Hugging Face
    identifier; `language` is a BCP 47 tag; `citation` is BibTeX or a sentence. `metadata` is what
    people declared of the release; None in releases without. `unlabeled_estimated` counts pairs of
    unlabeled_final whose label is that of an estimate. `groups` counts the groups of each split,
    `overlap` is annotation.stats.overlap.Overlap, and `grades` has the tallies of grades and the
    agreement on them (releases.dataset.graded). `corpora` have a language, a licence and a
    number of sentences each, by name; `collected` are the first and the last day of the answers;
    `runs` have their number, corpus, method, preset, seed, settings, the names of their models, and
    how many candidates they brought. `taken_out` has, by corpus and method, how many rewrites
    correctors rejected, how many pairs managers excluded, and how many candidates repeat the texts
    of another. Older releases have none of these, or no repeats.

    `prompts` are the rows of prompts.jsonl; the models and the settings of runs name each by its
    SHA-256. Empty without models behind endpoints, and in older releases.

    `croissant` is the version of Croissant that croissant.json follows. These are for 1.1, so
    releases that follow 1.0 have none of them. The corpora have an address, if known, and the days
    of their import; `days` of a run are the first and the last one, or only the first if it goes
    on. `waiting` counts pairs without enough answers. `scale` has label, name and criterion of each
    answer. `platforms` sent people whose answers count. `work` has, by kind of work other than
    judging, its days and the number of people. `source_address` is that of a translated release,
    and `source_is_synthetic` says whether machines wrote its sentences, if known. `published` says
    of a set by others, whose pairs were translated or judged again, its title, address, citation,
    licence and corpus, and `is_synthetic` as in its settings. `judged_again` is the title of the
    release whose pairs were judged again.

    `excluded_answers` counts the judgments of excluded people: `people`, `answers`, and `pairs` of
    theirs that others decided. Empty if none are excluded, and in older releases.
    `corrected_methods` have candidates that people corrected; None in older releases.
    `simulated_people` has, by kind of work, how many people are simulated; empty in older releases.
    `tests_models` says whether the manifest has the alternative annotator test of models. `task` is
    releases.dataset.task.task_of, with the `question` that people were asked; empty in older
    releases, whose documents name paraphrases and adversarial pairs whatever their labels.
    """

    name: str
    version: str
    created: str
    software_version: str
    models: tuple[Mapping[str, str], ...] = ()
    rejected: int = 0
    raw: Mapping[str, int] = field(default_factory=dict)
    excluded: int = 0
    language: str = "en"
    licence: str = ""
    description: str = ""
    guidelines: str = ""
    citation: str = ""
    metadata: Metadata | None = None
    unlabeled_estimated: int = 0
    groups: Mapping[str, int] = field(default_factory=dict)
    overlap: Mapping[str, Any] = field(default_factory=dict)
    shape: Mapping[str, Any] = field(default_factory=dict)
    grades: Mapping[str, Any] = field(default_factory=dict)
    corpora: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    collected: tuple[str, ...] = ()
    runs: tuple[Mapping[str, Any], ...] = ()
    taken_out: Mapping[str, Any] = field(default_factory=dict)
    waiting: int = 0
    scale: tuple[Mapping[str, Any], ...] = ()
    platforms: tuple[str, ...] = ()
    work: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    published: Mapping[str, Any] = field(default_factory=dict)
    judged_again: str = ""
    source_address: str = ""
    source_is_synthetic: bool | None = None
    excluded_answers: Mapping[str, int] = field(default_factory=dict)
    corrected_methods: tuple[str, ...] | None = None
    simulated_people: Mapping[str, int] = field(default_factory=dict)
    tests_models: bool = False
    prompts: tuple[Mapping[str, str], ...] = ()
    task: Mapping[str, Any] = field(default_factory=dict)
    croissant: str = CROISSANT_1_1


def models_by_run(runs: Iterable[Mapping[str, Any]]) -> dict[int, str | None]:
    """Return the models of each run, joined by a plus; None if it had none."""
    return {run["number"]: " + ".join(run["models"]) or None for run in runs}


def runs_of_study(facts: ReleaseFacts) -> list[Mapping[str, Any]]:
    """Return the runs but those that took the pairs of a published set."""
    return [run for run in facts.runs if run["corpus"] != facts.published.get("corpus")]


def is_imported(run: Mapping[str, Any]) -> bool:
    """Return whether a run brought pairs that were created elsewhere."""
    return run["method"] == "imported" or "imported_from" in run["settings"]


def is_all_imported(facts: ReleaseFacts) -> bool:
    """Return whether all pairs were created elsewhere. Documents of older releases do not ask."""
    return bool(facts.task and facts.runs) and all(map(is_imported, facts.runs))


def has_machine_sentences(facts: ReleaseFacts) -> bool | None:
    """Return whether a machine wrote a sentence; None if that is not known of some pairs."""
    if any(run["method"] in MACHINES or run["models"] for run in runs_of_study(facts)):
        return True
    if facts.published:
        return facts.published["is_synthetic"]  # type: ignore[no-any-return]
    return None if not facts.runs or any(map(is_imported, facts.runs)) else False
