"""Imports and removes model judgments; they never count in figures about people."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation import registry
from annotation.errors import Refused
from annotation.models import JudgingModel, ModelJudgment, Project, SentencePair
from annotation.pairs.labelled_lines import LabelFault, ModelJudgmentLine
from annotation.projects import additions
from annotation.projects.services import projects
from common import bulk
from generation.records import Follower, Refusal, Report, in_chunks

LINES_PER_TRANSACTION = 5_000

Said: TypeAlias = tuple[int, float | None]  # label and score


def add(
    project: Project,
    *,
    name: str,
    revision: str = "",
    note: str = "",
    interview: Mapping[str, Any] | None = None,
    lines: Iterable[ModelJudgmentLine | Refusal],
    by: User | None = None,
    follower: Follower | None = None,
) -> Report:
    """Store a model's labels for pairs of a project. Bad lines are reported and skipped.

    The model is created with its first label; `interview` says how Pawsmith asked it. Importing
    again adds only new labels; a pair whose stored label or score differs is refused, and gold
    pairs are unknown here. Raises Refused if a release contains the model's labels, or if the
    project judges no pairs.
    """
    additions.check_judged(project)
    report = Report(follower=follower)
    new_model = JudgingModel(project=project, name=name, revision=revision, note=note, added_by=by)
    new_model.interview = dict(interview or {})
    for chunk in in_chunks(report.readable(lines), LINES_PER_TRANSACTION):
        _add_chunk(new_model, chunk, report)
    return report


def foretell(
    project: Project, name: str, revision: str, lines: Sequence[ModelJudgmentLine], report: Report
) -> None:
    """Report which labels an import would refuse or has already; nothing is stored.

    Raises Refused as `add` does.
    """
    additions.check_judged(project)
    model = _stored_model(project, name, revision)
    if model:
        check_unused(model)
    keys = _keys(project.pk, lines)
    _new_labels(lines, keys, _stored_labels(model, keys.values()) if model else {}, report)


def check_may_grow(project: Project, name: str, revision: str) -> None:
    """Raises Refused if a release has labels of this model, so that it gets no more."""
    if model := _stored_model(project, name, revision):
        check_unused(model)


@transaction.atomic
def remove(model: JudgingModel, *, by: User | None = None) -> None:
    """Remove a model and its labels.

    Raises Refused if a release contains them, or if pairs were judged again because of them.
    """
    projects.lock(model.project)
    check_unused(model)
    if model.reopenings.exists():
        raise Refused(
            _(
                "Pairs were judged again because this model disagreed with people, so its labels "
                "stay: they are the reason."
            )
        )
    audit.record(Act.MODEL_JUDGMENTS_REMOVED, by=by, on=model, model=str(model))
    model.delete()


def check_unused(model: JudgingModel) -> None:
    for check in registry.before_removing_model_judgments:
        check(model)


@transaction.atomic
def _add_chunk(new_model: JudgingModel, lines: Sequence[ModelJudgmentLine], report: Report) -> None:
    """Add a chunk in one transaction; locking the project prevents duplicate models."""
    projects.lock(new_model.project)
    model = _stored_model(new_model.project, new_model.name, new_model.revision)
    keys = _keys(new_model.project_id, lines)
    stored_labels = _stored_labels(model, keys.values()) if model else {}
    labels = _new_labels(lines, keys, stored_labels, report)
    if labels:
        _insert_labels(new_model, model, labels)
        report.added += len(labels)
    report.stored()


def _stored_model(project: Project, name: str, revision: str) -> JudgingModel | None:
    models = JudgingModel.objects.filter(project=project, name=name, revision=revision)
    return models.first()


def _insert_labels(
    new_model: JudgingModel, stored_model: JudgingModel | None, labels: dict[int, Said]
) -> None:
    if stored_model is None:
        new_model.save()
    else:
        check_unused(stored_model)
    model = stored_model or new_model
    rows = ((pair, label, score) for pair, (label, score) in labels.items())
    bulk.insert(ModelJudgment, rows, fields=("pair_id", "label", "score"), model_id=model.pk)
    if not new_model.interview:  # the task that asks is on record already
        by, number = new_model.added_by, len(labels)
        audit.record(Act.MODEL_JUDGMENTS_ADDED, by=by, on=model, model=str(model), labels=number)


def _new_labels(
    lines: Sequence[ModelJudgmentLine],
    keys: dict[object, int],
    stored_labels: dict[int, Said],
    report: Report,
) -> dict[int, Said]:
    """Return the labels that are not stored yet, by pair."""
    new_labels: dict[int, Said] = {}
    for line in lines:
        key = keys.get(line.pair)
        if key is None:
            report.refuse(line.line, LabelFault.UNKNOWN_PAIR)
        elif key not in stored_labels:
            stored_labels[key] = new_labels[key] = (line.label, line.score)
        elif stored_labels[key] == (line.label, line.score):
            report.duplicates += 1
        else:
            report.refuse(line.line, LabelFault.OTHERWISE_BEFORE)
    return new_labels


def _keys(project: int, lines: Sequence[ModelJudgmentLine]) -> dict[object, int]:
    is_named = bulk.among("public_id", {line.pair for line in lines})
    pairs = SentencePair.objects.filter(is_named, project=project, gold_label=None)
    return dict(pairs.values_list("public_id", "pk"))


def _stored_labels(model: JudgingModel, pairs: Collection[int]) -> dict[int, Said]:
    rows = ModelJudgment.objects.filter(bulk.among("pair", pairs), model=model)
    return {
        pair: (label, score) for pair, label, score in rows.values_list("pair", "label", "score")
    }
