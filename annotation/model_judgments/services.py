"""Imports and removes model judgments; they never count in figures about people."""

from collections.abc import Collection, Iterable, Sequence
from typing import TypeAlias

from django.db import transaction

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation import registry
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
    lines: Iterable[ModelJudgmentLine | Refusal],
    by: User | None = None,
    follower: Follower | None = None,
) -> Report:
    """Store a model's labels for pairs of a project. Bad lines are reported and skipped.

    The model is created with its first label. Importing again adds only new labels; a pair whose
    stored label or score differs is refused, and gold pairs are unknown here. Raises Refused if a
    release contains the model's labels, or if the project judges no pairs.
    """
    additions.check_judged(project)
    report = Report(follower=follower)
    own = JudgingModel(project=project, name=name, revision=revision, note=note, added_by=by)
    for chunk in in_chunks(report.readable(lines), LINES_PER_TRANSACTION):
        _add(own, chunk, report)
    return report


@transaction.atomic
def remove(model: JudgingModel, *, by: User | None = None) -> None:
    """Remove a model and its labels. Raises Refused if a release contains them."""
    projects.lock(model.project)
    check_unused(model)
    audit.record(Act.MODEL_JUDGMENTS_REMOVED, by=by, on=model)
    model.delete()


def check_unused(model: JudgingModel) -> None:
    for check in registry.before_removing_model_judgments:
        check(model)


@transaction.atomic
def _add(own: JudgingModel, lines: Sequence[ModelJudgmentLine], report: Report) -> None:
    """Add a chunk in one transaction; locking the project prevents duplicate models."""
    projects.lock(own.project)
    model = JudgingModel.objects.filter(
        project=own.project_id, name=own.name, revision=own.revision
    ).first()
    keys = _keys(own.project_id, lines)
    new = _new(lines, keys, _stored_labels(model, keys.values()) if model else {}, report)
    if new:
        _insert(own, model, new)
        report.added += len(new)
    report.stored()


def _insert(own: JudgingModel, model: JudgingModel | None, new: dict[int, Said]) -> None:
    if model is None:
        own.save()
    else:
        check_unused(model)
    rows = ((pair, label, score) for pair, (label, score) in new.items())
    columns = ("pair_id", "label", "score")
    bulk.insert(ModelJudgment, rows, fields=columns, model_id=(model or own).pk)
    audit.record(Act.MODEL_JUDGMENTS_ADDED, by=own.added_by, on=model or own, labels=len(new))


def _new(
    lines: Sequence[ModelJudgmentLine],
    keys: dict[object, int],
    said: dict[int, Said],
    report: Report,
) -> dict[int, Said]:
    """Return the labels that are not stored yet, by pair."""
    new: dict[int, Said] = {}
    for line in lines:
        key = keys.get(line.pair)
        if key is None:
            report.refuse(line.line, LabelFault.UNKNOWN_PAIR)
        elif key not in said:
            said[key] = new[key] = (line.label, line.score)
        elif said[key] == (line.label, line.score):
            report.duplicates += 1
        else:
            report.refuse(line.line, LabelFault.OTHERWISE_BEFORE)
    return new


def _keys(project: int, lines: Sequence[ModelJudgmentLine]) -> dict[object, int]:
    named = bulk.among("public_id", {line.pair for line in lines})
    found = SentencePair.objects.filter(named, project=project, gold_label=None)
    return dict(found.values_list("public_id", "pk"))


def _stored_labels(model: JudgingModel, pairs: Collection[int]) -> dict[int, Said]:
    rows = ModelJudgment.objects.filter(bulk.among("pair", pairs), model=model)
    return {
        pair: (label, score) for pair, label, score in rows.values_list("pair", "label", "score")
    }
