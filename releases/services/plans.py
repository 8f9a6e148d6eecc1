"""Collects the input of release planning: the settings and a snapshot of the project."""

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings as installation
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from annotation.models import Correction, Project
from annotation.projects import protocols
from annotation.projects.services import projects
from generation.models import GenerationRun
from releases.dataset.plan import ReleasePlan, plan
from releases.dataset.rows import CandidateRow, PairRow, SentenceRow
from releases.dataset.settings import ReleaseSettings
from releases.models import Release
from releases.selectors import rows as project_rows
from releases.services.progress import PLANNING, READING, Progress


@dataclass(frozen=True, slots=True)
class Moment:
    """The time of planning, and data from that time that is not in the rows of the release."""

    at: datetime
    judges: list[User]
    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Rows:
    """A snapshot of all input of release planning."""

    moment: Moment
    pairs: list[PairRow]
    candidates: list[CandidateRow]
    sentences: list[SentenceRow]


def new(project: Project, *, version: str, **choices: Any) -> Release:
    """Return an unsaved draft. Raises ValueError."""
    settings = ReleaseSettings(**(protocol(project) | choices))
    return Release(
        project=project, version=version, seed=settings.seed, settings=settings.to_dict()
    )


def settings_now(release: Release) -> ReleaseSettings:
    """Return the settings chosen for a draft, with the current protocol of its project."""
    return ReleaseSettings.from_dict(release.settings | protocol(release.project))


def digest_now(release: Release) -> str:
    """Return the hexadecimal SHA-256 of the current settings and the software version."""
    settings = release.settings | protocol(release.project)
    text = json.dumps([installation.VERSION, settings], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def protocol(project: Project) -> dict[str, Any]:
    """Return the release settings that the project determines."""
    decided = protocols.of(project)
    return {
        "decides_early": decided.decides_early,
        "annotators_per_pair": decided.annotators_per_pair,
        "consensus_min_votes": decided.min_votes,
        "max_label": decided.max_label,
        "paraphrase_from": decided.paraphrase_from,
    }


def planned(
    project: Project, settings: ReleaseSettings, *, version: str, progress: Progress | None = None
) -> tuple[Moment, ReleasePlan]:
    """Plan a release from the current rows of its project. Raises ValueError."""
    telling = progress or Progress()
    rows = read(project, version=version, progress=telling)
    telling.begin(PLANNING, total=len(rows.pairs) + len(rows.candidates))
    return rows.moment, plan(rows.sentences, rows.pairs, rows.candidates, settings=settings)


@transaction.atomic
def read(project: Project, *, version: str, progress: Progress) -> Rows:
    """Read a consistent snapshot of the rows of a project.

    Later decisions are not in it. Answers that are excluded or replaced later are recognized by
    their times, so the plan can be created and stored after the transaction.
    """
    progress.begin(READING)
    projects.lock(project)
    moment = timezone.now()
    # Rows are only ever added, so later queries include everything that earlier ones refer to.
    pairs = list(progress.counting(project_rows.decided_pairs(project)))
    candidates = list(progress.counting(project_rows.candidates(project)))
    sentences = list(progress.counting(project_rows.sentences(project)))
    judges = list(project_rows.judges(project))
    return Rows(Moment(moment, judges, _facts(project, version)), pairs, candidates, sentences)


def _facts(project: Project, version: str) -> dict[str, Any]:
    """Return the fields of ReleaseFacts except `created`, which is the time of freezing."""
    runs = list(project_rows.runs(project))
    corpora = {run.corpus_id: run.corpus for run in runs}.values()
    rejected = Correction.objects.filter(project=project, action=Correction.Action.REJECT)
    return {
        "name": project.name,
        "version": version,
        "software_version": installation.VERSION,
        "models": _models(runs),
        "rejected": rejected.count(),
        "language": next((corpus.language for corpus in corpora), "en"),
        "licence": "; ".join(sorted({corpus.licence for corpus in corpora} - {""})),
        "description": project.description,
        "guidelines": project.guidelines,
    }


def _models(runs: list[GenerationRun]) -> list[dict[str, str]]:
    """Return each model once, with the seed and settings of its run."""
    models = [
        {
            "method": run.method,
            "part": part,
            **identity,
            "seed": str(run.seed),
            "settings": json.dumps(run.settings, sort_keys=True),
        }
        for run in runs
        for part, identity in sorted(run.model_identities.items())
    ]
    return [model for number, model in enumerate(models) if model not in models[:number]]
