"""Evaluates releases in workers: people ask for it on a page, and one worker at a time does it."""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import Refused
from annotation.stats.overlap import is_english
from common import messages
from common.leases import HOPELESS, Progress, Stopped, Work, next_round
from common.outages import Retry
from evaluation import models_by_name, run
from evaluation.contract import Model
from evaluation.experiments.datasets import read_dataset
from evaluation.experiments.fits import Study
from evaluation.experiments.sets import Dataset
from evaluation.models import Evaluation
from evaluation.ranking.sources import language_of
from evaluation.selectors import OPEN, companion_of, folders_of, identity_of, obstacle
from generation.model_store import models_folder
from releases.dataset.manifest import MANIFEST
from releases.dataset.reader import Unreadable
from releases.models import Release
from releases.selectors.releases import WRITE_AGAIN, folder_of

State = Evaluation.State
FITTING = "fitting"
# The progress counts hundredths of a fit.
STEPS = 100
WITHDRAWN = gettext_lazy("The release was withdrawn.")


@transaction.atomic
def request_all(
    release: Release,
    *,
    experiments: Sequence[str],
    model_names: Sequence[str],
    seeds: int = 3,
    by: User | None,
) -> list[Evaluation]:
    """Request experiments, which workers do one after another in this order.

    `model_names` are of evaluation.models_by_name. Raises Refused, and requests none then.
    """
    return [
        request(release, experiment=experiment, model_names=model_names, seeds=seeds, by=by)
        for experiment in experiments
    ]


@transaction.atomic
def request(
    release: Release,
    *,
    experiment: str,
    model_names: Sequence[str],
    seeds: int = 3,
    by: User | None,
) -> Evaluation:
    """Have a worker fit models to a frozen release. Raises Refused if it cannot be, or already is.

    Earlier results of the experiment stay until the new ones replace them.
    """
    if release.state != Release.State.FROZEN:
        raise Refused(_("Only a frozen release can be evaluated."))
    if reason := obstacle(release):
        raise Refused(reason)
    is_ranking = experiment == Evaluation.Experiment.RANKING
    if is_ranking and not is_english(language_of(release.manifest or {})):
        raise Refused(
            _("On this page only English releases are ranked. An administrator can rank others.")
        )
    try:
        for name in model_names:
            models_by_name.model(name, folder=models_folder())
    except models_by_name.NoModel as error:
        raise Refused(str(error)) from error
    values = {"names": list(model_names), "seeds": seeds}
    columns = {"state": State.WAITING, "asked_at": timezone.now(), "asked_by": by, **values}
    row, is_new = Evaluation.objects.get_or_create(
        release=release, experiment=experiment, defaults=columns
    )
    if not is_new:
        reset = {"attempts": next_round(row.attempts), "failure": "", "done": 0, "total": 0}
        finished = Evaluation.objects.exclude(state__in=OPEN)
        if not finished.filter(pk=row.pk).update(**columns | reset):
            raise Refused(_("This is already being evaluated."))
        row.refresh_from_db()
    audit.record(Act.EVALUATION_REQUESTED, by=by, on=release, experiment=experiment)
    messages.call_on_commit()
    return row


@transaction.atomic
def cancel(row: Evaluation, *, by: User | None) -> None:
    """Cancel an evaluation that is not over; what is fitted is kept. Raises Refused."""
    rows = Evaluation.objects.filter(pk=row.pk, state__in=OPEN)
    if not rows.update(state=State.CANCELLED, lease_until=None):
        raise Refused(_("The evaluation is over already."))
    audit.record(Act.EVALUATION_CANCELLED, by=by, on=row.release, experiment=row.experiment)


def bring(
    release: Release, *, name: str, split: str, content: bytes, replaces: bool, by: User | None
) -> None:
    """Raises Unscorable, which names the lines that are wrong, Unusable and Refused."""
    with _lock_release(release) as (dataset, folder):
        run.bring(dataset, folder, name=name, split=split, content=content, replaces=replaces)
        audit.record(Act.PREDICTIONS_UPLOADED, by=by, on=release, model=name, split=split)


def remove(release: Release, *, name: str, split: str, by: User | None) -> None:
    """Remove predictions that were made elsewhere. Raises Unscorable, Unusable and Refused."""
    with _lock_release(release) as (dataset, folder):
        run.remove(dataset, folder, name=name, splits=[split])
        audit.record(Act.PREDICTIONS_REMOVED, by=by, on=release, model=name, split=split)


@contextmanager
def _lock_release(release: Release) -> Iterator[tuple[Dataset, Path]]:
    """Keep a release from being withdrawn meanwhile. Raises Refused."""
    dataset = _dataset_of(release)
    with transaction.atomic():
        frozen = Release.objects.select_for_update().filter(state=Release.State.FROZEN)
        if frozen.filter(pk=release.pk).first() is None:
            raise Refused(WITHDRAWN)
        yield dataset, companion_of(release)


def _dataset_of(release: Release) -> Dataset:
    """Read a release, whose files must be as they were frozen. Raises Refused."""
    try:
        dataset = read_dataset(folder_of(release))
        if dataset.sha256 != identity_of(release)["sha256"]:
            raise Unreadable(MANIFEST, "differs from the one that was frozen")
    except Unreadable as error:
        reason = _("Files of the release are missing or changed: %(path)s.")
        what = reason % {"path": error.difference.path}
        raise Refused(f"{what} {WRITE_AGAIN}") from error
    return dataset


def _evaluate(row: Evaluation, progress: Progress, *, device: str, stop: Event) -> dict[str, Any]:
    """Fit the models, write the folder, and return the columns to store.

    Raises ValueError, and Stopped soon after `stop` is set: finished fits are kept.
    """
    release = row.release
    _refuse_if_lost(row)
    Evaluation.objects.filter(pk=row.pk).update(started_at=timezone.now())
    progress.begin(FITTING)
    load = partial(models_by_name.model, folder=models_folder(), device=device)
    models = {name: load(name) for name in row.names}
    dataset, folders = _dataset_of(release), [folder_of(release)]
    study = Study([dataset], row.names, range(row.seeds), folders=folders)

    def tell(fits: float, total: int) -> None:
        if stop.is_set():
            raise Stopped
        progress.done, progress.total = int(STEPS * fits), STEPS * total

    refuse_if_lost = partial(_refuse_if_lost, row)
    try:
        results = _run_experiment(row, study, models, tell=tell, fitted=refuse_if_lost)
        refuse_if_lost()
    finally:
        _remove_withdrawn(release)
    return {"state": State.DONE, "results": results, "finished_at": timezone.now()}


def _run_experiment(
    row: Evaluation,
    study: Study,
    models: Mapping[str, Model],
    *,
    tell: run.TellFits,
    fitted: Callable[..., None],
) -> dict[str, Any]:
    folder, version = companion_of(row.release), settings.VERSION
    if row.experiment == Evaluation.Experiment.RANKING:
        return run.rank(study, models, folder, software_version=version, tell=tell, fitted=fitted)
    return run.evaluate(row.experiment, study, models, folder, tell=tell, fitted=fitted)


def _remove_withdrawn(release: Release) -> None:
    """Delete what was written after the withdrawal of a release had deleted its files."""
    if Release.objects.filter(pk=release.pk, state=Release.State.WITHDRAWN).exists():
        for folder in folders_of(release):
            shutil.rmtree(folder, ignore_errors=True)


def _refuse_if_lost(row: Evaluation, *_fitted: object) -> None:
    """Raise Refused once its release is withdrawn, or this attempt no longer holds it."""
    if not Release.objects.filter(pk=row.release_id, state=Release.State.FROZEN).exists():
        raise Refused(WITHDRAWN)
    rows = Evaluation.objects.filter(pk=row.pk, attempts=row.attempts, state=State.UNDER_WAY)
    if not rows.exists():
        raise Refused("It was cancelled, or another worker has taken it.")


EVALUATIONS = Work(
    kind="evaluation",
    model=Evaluation,
    title=lambda row: str(row.release),
    since="asked_at",
    queue="evaluations",
    is_long=True,
    act=_evaluate,
    named=lambda row: {"release": str(row.release.public_id), "experiment": row.experiment},
    waiting_state=State.WAITING,
    running_state=State.UNDER_WAY,
    failed_state=State.FAILED,
    lost="Three workers died over this evaluation.",
    hopeless=(*HOPELESS, Refused),
)


def evaluate_next(*, patience: Retry | None = None, device: str = models_by_name.CPU) -> bool:
    """Do the first request that waits, on a device. Return False if there is none or it failed."""
    patience = patience or Retry()
    return EVALUATIONS.do_next(patience=patience, device=device, stop=patience.stop)
