"""What a release is planned from: the settings, and the rows of its project at one moment."""

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
from releases.selectors import rows as dataset
from releases.services.progress import PLANNING, READING, Progress


@dataclass(frozen=True, slots=True)
class Moment:
    """When a release was planned, and what of that moment is no row of it."""

    at: datetime
    judges: list[User]
    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Rows:
    """All that a release is planned from, as it was at one moment."""

    moment: Moment
    pairs: list[PairRow]
    candidates: list[CandidateRow]
    sentences: list[SentenceRow]


def new(project: Project, *, version: str, **choices: Any) -> Release:
    """A draft that is not stored. Raises ValueError."""
    settings = ReleaseSettings(**(protocol(project) | choices))
    return Release(
        project=project, version=version, seed=settings.seed, settings=settings.to_dict()
    )


def settings_now(release: Release) -> ReleaseSettings:
    """What was chosen for a draft, with the protocol that its project has by now."""
    return ReleaseSettings.from_dict(release.settings | protocol(release.project))


def digest_now(release: Release) -> str:
    """What tells settings from others, in hexadecimal; another version of the software as well."""
    settings = release.settings | protocol(release.project)
    text = json.dumps([installation.VERSION, settings], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def protocol(project: Project) -> dict[str, Any]:
    """The settings of a release that its project decides."""
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
    """What a release holds if it is decided now. Raises ValueError."""
    telling = progress or Progress()
    rows = read(project, version=version, progress=telling)
    telling.begin(PLANNING, total=len(rows.pairs) + len(rows.candidates))
    return rows.moment, plan(rows.sentences, rows.pairs, rows.candidates, settings=settings)


@transaction.atomic
def read(project: Project, *, version: str, progress: Progress) -> Rows:
    """The rows of a project at one moment.

    What is decided after that moment is not in it, and answers that are held out or replaced later
    are told from their times, so the plan may be made and stored when the transaction is over.
    """
    progress.begin(READING)
    projects.stand_still(project)
    moment = timezone.now()
    # Rows are only ever added, so what is read later holds everything that was read before.
    pairs = list(progress.counting(dataset.decided_pairs(project)))
    candidates = list(progress.counting(dataset.candidates(project)))
    sentences = list(progress.counting(dataset.sentences(project)))
    judges = list(dataset.judges(project))
    return Rows(Moment(moment, judges, _facts(project, version)), pairs, candidates, sentences)


def _facts(project: Project, version: str) -> dict[str, Any]:
    """ReleaseFacts without the time, which is the release's own."""
    runs = list(dataset.runs(project))
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
    """Each model once, with what its run was told."""
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
