"""The generation runs of a project, whose candidates enter it as their batches finish."""

from collections.abc import Collection, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.models import Intake, Project
from annotation.projects import additions
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
    Raises UnknownMethod, BadSettings, WrongLanguage, MissingModel or NoSentences, and Refused if
    the pairs of the project are complete.
    """
    additions.check(project)
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
            adopt(project, run)
            what = {"method": method, "preview": preview}
            audit.record(Act.RUN_STARTED, by=started_by, on=run, project=project, **what)
    return started


def adopt(project: Project, run: GenerationRun) -> None:
    """Let the candidates of a run enter the project, and its managers use the run's corpus.

    Raises Refused if the pairs of the project are complete.
    """
    additions.check(project)
    project.runs.add(run)
    project.corpora.add(run.corpus_id)


@transaction.atomic
def add(project: Project, run: GenerationRun, *, by: User) -> None:
    """Add a run to the project, and record it."""
    adopt(project, run)
    audit.record(Act.RUN_ADDED, by=by, on=run, project=project)


@transaction.atomic
def remove(project: Project, run: GenerationRun, *, by: User) -> None:
    """Remove a run. Raises ValidationError if any of its candidates are in the project."""
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    if Intake.objects.filter(project=project, batch__run=run).exists():
        raise ValidationError(_("This run has already been added to the project."))
    project.runs.remove(run)
    audit.record(Act.RUN_REMOVED, by=by, on=run, project=project)


def _look_at_models(method: str, settings: Mapping[str, Any]) -> None:
    """Check models before a transaction is open: reading them may take seconds."""
    chosen = methods.named(method)
    chosen.identify(chosen.configure(settings))


def _swaps(project: Project, corpus: Corpus) -> list[GenerationRun]:
    return list(project.runs.filter(corpus=corpus, method=Method.WORD_SWAP))
