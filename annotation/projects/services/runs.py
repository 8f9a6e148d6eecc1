"""Start generation for a project: a run over each corpus, or none at all."""

from collections.abc import Collection, Mapping
from typing import Any

from django.db import transaction

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.models import Project
from annotation.projects.services import projects
from generation import methods
from generation.models import Corpus, GenerationRun, Method
from generation.services import runs


def start(
    project: Project,
    corpora: Collection[Corpus],
    *,
    method: str,
    settings: Mapping[str, Any] | None = None,
    seed: int = 0,
    preview: bool = False,
    started_by: User | None = None,
) -> list[GenerationRun]:
    """Start one run over each corpus, adopted by the project: all of them, or none.

    A method that rewrites pairs gets the word swaps of that corpus which the project has adopted.
    Raises UnknownMethod, BadSettings, MissingModel or NoSentences.
    """
    _look_at_models(method, settings or {})
    with transaction.atomic():
        started = [
            runs.start(
                corpus,
                method=method,
                settings=settings,
                seed=seed,
                started_by=started_by,
                pairs_of=_swaps(project, corpus) if methods.named(method).of_pairs else (),
                preview=preview,
            )
            for corpus in corpora
        ]
        for run in started:
            projects.adopt(project, run)
            what = {"method": method, "preview": preview}
            audit.record(Act.RUN_STARTED, by=started_by, on=run, project=project, **what)
    return started


def _look_at_models(method: str, settings: Mapping[str, Any]) -> None:
    """Check models before a transaction is open: reading them may take seconds."""
    chosen = methods.named(method)
    chosen.identify(chosen.configure(settings))


def _swaps(project: Project, corpus: Corpus) -> list[GenerationRun]:
    return list(project.runs.filter(corpus=corpus, method=Method.WORD_SWAP))
