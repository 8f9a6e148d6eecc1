"""What is known when a release is planned, and is in no row of its files."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.conf import settings as installation
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import override

from accounts.models import User
from annotation.model_judgments.asking import Interview
from annotation.models import Correction, JudgingModel, Project
from annotation.projects.selectors import study_rows
from annotation.work import judge
from generation.methods import preset_of
from generation.models import GenerationRun, Method
from generation.selectors import MODEL_PARTS
from generation.services.imported_pairs import MADE_ELSEWHERE, UNKNOWN
from releases.dataset import citations
from releases.dataset.facts import CROISSANT_1_1
from releases.dataset.files import LineFile
from releases.dataset.metadata import Metadata
from releases.dataset.task import task_of
from releases.models import Comparison, Release
from releases.selectors import activities, outcomes, study
from releases.selectors.activities import day_of
from releases.selectors.published import publishers_of
from releases.selectors.releases import name_of, title_of

# Of runs of chat models: the part of the model, and the setting that is in a separate file.
GENERATOR, PROMPT = "generator", "prompt"


@dataclass(frozen=True, slots=True)
class Moment:
    """The time of planning, and data from that time that is not in the rows of the release.

    `lines` are the rows of files that are frozen as lines; they name people by keys as text.
    """

    at: datetime
    judges: list[User]
    facts: dict[str, Any]
    lines: Mapping[LineFile[Any], Sequence[Any]] = field(default_factory=dict)


def facts_of_study(release: Release) -> dict[str, Any]:
    """Return the fields of ReleaseFacts except `created`, which is the time of freezing."""
    project = release.project
    runs = list(study.runs(project))
    judging_models = JudgingModel.objects.filter(project=project).select_related("project")
    corpora = {run.corpus_id: run.corpus for run in runs}.values()
    rejected = Correction.objects.filter(project=project, action=Correction.Action.REJECT)
    return {
        "name": project.name,
        "version": release.version,
        "software_version": installation.VERSION,
        "models": model_identities(runs),
        "runs": run_facts(runs, project),
        "prompts": [*prompt_rows(runs), *judging_prompt_rows(judging_models)],
        "rejected": rejected.count(),
        "raw": _by_method(outcomes.raw_pairs(project)),
        "excluded": study_rows.excluded_pairs(project).count(),
        "language": next((corpus.language for corpus in corpora), "en"),
        "licence": "; ".join(sorted({corpus.licence for corpus in corpora} - {""})),
        "corpora": activities.describe_corpora(corpora),
        "taken_out": outcomes.taken_out(project),
        "collected": activities.first_and_last_day(project),
        "waiting": study.waiting_pairs(project),
        "scale": scale_facts(project),
        "task": task_facts(project),
        "platforms": activities.platforms(project),
        "corrected_methods": outcomes.corrected_methods(project),
        "simulated_people": activities.simulated_people(project),
        "excluded_answers": activities.excluded_answers(project),
        "work": _work(project),
        "tests_models": True,
        "description": project.description,
        "guidelines": project.guidelines,
        **_judged_again(project),
        **declared_facts(release),
    }


def _judged_again(project: Project) -> dict[str, Any]:
    """Return of which release a study judges the pairs again, and who published them."""
    comparisons = Comparison.objects.select_related("release__project")
    if not (study_again := comparisons.filter(project=project).first()):
        return {}
    published = publishers_of(study_again.release)
    stated = {"judged_again": title_of(study_again.release)}
    return stated | ({"published": published} if published else {})


def _work(project: Project) -> dict[str, Any]:
    done = activities.work(project, Correction.KIND) | {"review": activities.reviews(project)}
    return {kind: work for kind, work in done.items() if work["people"]}


def _by_method(pairs: Mapping[outcomes.Source, int]) -> dict[str, int]:
    numbers = Counter[str]()
    for (method, _corpus), number in sorted(pairs.items()):
        numbers[method] += number
    return dict(numbers)


def declared_facts(release: Release) -> dict[str, Any]:
    metadata = Metadata.from_dict(release.metadata)
    complete = citations.complete_metadata(
        metadata,
        key=name_of(release),
        name=release.project.name,
        version=release.version,
        year=timezone.now().year,
        software=installation.VERSION,
    )
    declared = {"metadata": complete.to_dict()} if metadata else {}
    return {"citation": complete.bibtex, "croissant": CROISSANT_1_1} | declared


def model_identities(runs: list[GenerationRun]) -> list[dict[str, str]]:
    models = [
        {
            "method": run.method,
            "part": part,
            # In the order in which Postgres stores keys, so that both engines write the same.
            **dict(sorted(_stated(identity).items(), key=lambda item: (len(item[0]), item[0]))),
            **({"seed": str(run.seed)} if _is_seed_known(run) else {}),
            "settings": json.dumps(_stated_settings(run), sort_keys=True),
        }
        for run in runs
        for part, identity in sorted(_known_identities(run).items())
    ]
    return [model for number, model in enumerate(models) if model not in models[:number]]


def _known_identities(run: GenerationRun) -> dict[str, dict[str, str]]:
    """Return the identities of models by part, without what is unknown of pairs made elsewhere."""
    identities = {}
    for part, identity in run.model_identities.items():
        if identity.get("revision") != MADE_ELSEWHERE:
            identities[part] = identity
        elif identity["name"] != UNKNOWN:
            identities[part] = {"name": identity["name"]}
    return identities


def _is_seed_known(run: GenerationRun) -> bool:
    """Return whether a model or a filter had the seed of a run."""
    settings = run.settings.keys() - {"imported_from"}
    models = run.model_identities.values()
    elsewhere = any(identity.get("revision") == MADE_ELSEWHERE for identity in models)
    return bool(settings) or not elsewhere


def run_facts(runs: Sequence[GenerationRun], project: Project) -> list[dict[str, Any]]:
    """Return what a manifest says of each run whose candidates entered the project."""
    entered = study.entered_candidates(project).order_by()
    candidates = dict(entered.values_list("run").annotate(Count("pk")))
    return [
        {
            "number": run.pk,
            "corpus": run.corpus.name,
            "method": run.method,
            "preset": _preset(run),
            "seed": run.seed if _is_seed_known(run) else None,
            "settings": _stated_settings(run),
            "models": _model_names(run),
            "candidates": candidates[run.pk],
            "days": [day_of(time) for time in (run.created_at, run.finished_at) if time],
        }
        for run in runs
    ]


def _stated(identity: dict[str, str]) -> dict[str, str]:
    """Return an identity; that of a model behind an endpoint says that it cannot be repeated."""
    return identity | ({"repeatable": "false"} if "served" in identity else {})


def prompt_rows(runs: Sequence[GenerationRun]) -> list[dict[str, str]]:
    """Return the rows of prompts.jsonl, in the order of their digests and models."""
    rows = {
        (digest, run.model_identities[GENERATOR]["name"]): run.settings[PROMPT]
        for run in runs
        if (digest := _prompt_digest(run))
    }
    return [
        {"sha256": digest, "role": GENERATOR, "model": model, "text": text}
        for (digest, model), text in sorted(rows.items())
    ]


def judging_prompt_rows(models: Iterable[JudgingModel]) -> list[dict[str, str]]:
    """Return rows of prompts.jsonl of the models that Pawsmith asked to judge, oldest first."""
    rows = []
    for model in models:
        if not (parameters := dict(model.interview)):
            continue
        del parameters["model"]
        text = Interview(model.project.scheme, **parameters).text
        rows.append(
            {
                "sha256": sha256(text.encode()).hexdigest(),
                "role": f"judge: {_way_of_asking(parameters)}",
                "model": f"{model.name} {model.revision}",
                "text": text,
            }
        )
    return rows


def _way_of_asking(parameters: Mapping[str, Any]) -> str:
    if parameters["by_logprobs"]:
        return "log probabilities of the labels"
    return "{samples} answers to each pair, temperature {temperature}, seed {seed}".format(
        **parameters
    )


def _prompt_digest(run: GenerationRun) -> str:
    """Return the SHA-256 of the prompt of a run; "" if it asks no chat model."""
    if run.method != Method.PROMPTED or GENERATOR not in run.model_identities:
        return ""
    return sha256(run.settings[PROMPT].encode()).hexdigest()


def _stated_settings(run: GenerationRun) -> dict[str, Any]:
    """Return the settings of a run, with its prompt by its digest: prompts.jsonl has the text."""
    if not (digest := _prompt_digest(run)):
        return run.settings  # type: ignore[no-any-return]
    others = {name: value for name, value in run.settings.items() if name != PROMPT}
    return others | {"prompt_sha256": digest}


def task_facts(project: Project) -> dict[str, Any]:
    """Return the task of a study with its question, in the language of the files."""
    with override(installation.LANGUAGE_CODE):
        return {**task_of(project.scheme), "question": str(judge.question(project))}


def scale_facts(project: Project) -> list[dict[str, Any]]:
    """Return label, name and criterion of each answer, in the language of the files."""
    with override(installation.LANGUAGE_CODE):
        return [
            {
                "label": choice.value,
                "name": str(choice.name),
                "criterion": " ".join(str(choice.criterion).split()),
            }
            for choice in judge.choices(project)
        ]


def _preset(run: GenerationRun) -> str | None:
    """Return the preset of a run; None of other settings, and of a run that was imported."""
    preset, _changed = preset_of(run.method, run.settings, most=0)
    return preset if preset and preset != Method.IMPORTED else None


def _model_names(run: GenerationRun) -> list[str]:
    """Return the models in the order of MODEL_PARTS: Postgres does not keep that of keys."""
    identities = _known_identities(run)
    parts = sorted(identities, key=lambda part: (_place(part), part))
    names = (identities[part].get("name", "") for part in parts)
    return list(dict.fromkeys(filter(None, names)))


def _place(part: str) -> int:
    return MODEL_PARTS.index(part) if part in MODEL_PARTS else len(MODEL_PARTS)
