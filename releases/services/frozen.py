"""Freezes releases: decides which pairs one contains, checks the space, and stores every row."""

import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeAlias
from uuid import UUID

from django.db import transaction
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import AnnotationError
from annotation.models import Project, SentencePair
from annotation.projects import protocols
from annotation.projects.services import projects
from common import bulk, clock
from common.leases import Progress
from common.snapshots import as_of_one_moment
from releases.dataset.columns import columns_of
from releases.dataset.facts import models_by_run
from releases.dataset.families import sentences_with_ancestors
from releases.dataset.files import SENTENCES, LineFile
from releases.dataset.formats import RELEASE, TRANSLATION
from releases.dataset.manifest import AnySettings
from releases.dataset.metadata import Metadata
from releases.dataset.plan import ReleasePlan, plan
from releases.dataset.rows import CandidateRow, PairRow, ReleasedPair, SentenceRow
from releases.dataset.settings import NEWEST_LAYOUT, NOT_BINARY, PARADE, ReleaseSettings
from releases.dataset.translated.files import TranslationSettings
from releases.dataset.translated.plan import TranslatedReleasePlan
from releases.models import Comparison, Example, FrozenLine, Release, ReleasePreview
from releases.selectors import study
from releases.selectors.content import EXAMPLE_COLUMNS
from releases.selectors.published import is_published_set, set_of_project
from releases.selectors.releases import OF_FILES, format_of
from releases.services import published
from releases.services.moments import (
    Moment,
    facts_of_study,
)
from releases.services.pseudonyms import draw_pseudonyms
from releases.services.published import PublishedPlan
from releases.services.steps import FREEZING, PLANNING, READING, LostRelease
from releases.translations import selectors as translations
from releases.translations.release import plan_translations, translation_settings

AnyPlan: TypeAlias = ReleasePlan | TranslatedReleasePlan | PublishedPlan
# Upper bounds of what all files and the archive take, in bytes: for each byte of the texts of a
# pair, for each pair besides its texts, and for the documents and empty tables.
PER_TEXT, PER_PAIR, PER_RELEASE = 4, 2_000, 200_000


@dataclass(frozen=True, slots=True)
class _Rows:
    """What a release of judged pairs is planned from."""

    pairs: list[PairRow]
    candidates: list[CandidateRow]
    sentences: list[SentenceRow]
    model_labels: Mapping[str, int]
    moment: Moment


def new_draft(
    project: Project, *, version: str, metadata: Metadata | None = None, **choices: Any
) -> Release:
    """Return an unsaved draft. Raises ValueError."""
    if Comparison.objects.filter(project=project, purpose=Comparison.Purpose.PEOPLE).exists():
        raise ValueError(_("A comparison study measures people, so it has no releases."))
    if set_of_project(project):
        raise ValueError(OF_FILES)
    settings = settings_for(project, **choices)
    release_format = TRANSLATION if isinstance(settings, TranslationSettings) else RELEASE
    return Release(
        project=project,
        version=version,
        format=release_format.name,
        seed=settings.seed,
        settings=settings.to_dict(),
        metadata=metadata.to_dict() if metadata else {},
    )


def settings_for(project: Project, **choices: Any) -> AnySettings:
    """Return the settings of a new release, with these choices. Raises ValueError."""
    if source := translations.source_of_project(project):
        return translation_settings(source, **choices)
    project_settings = protocols.columns(protocols.of_project(project))
    if fixed_choices := sorted(project_settings.keys() & choices.keys()):
        raise ValueError(
            f"The project determines {', '.join(fixed_choices)}: a release can't set them."
        )
    if "accepts_errors" in choices:
        raise ValueError("Only a release of translations has an error rate to accept.")
    preset_settings = dict(PARADE) if project.scheme.folds else {}
    if not project.scheme.composes:
        preset_settings = dict(NOT_BINARY)
    if study.is_drawn(project):
        preset_settings["noisy_labels"] = {}
    return ReleaseSettings(**(preset_settings | project_settings | choices))


def propose_release(project: Project, *, version: str, **choices: Any) -> Release:
    """Return an unsaved draft that is valid. Raises ValidationError and ValueError."""
    release = new_draft(project, version=version, **choices)
    release.full_clean(exclude=["facts", "left_out"])
    return release


@bulk.no_garbage_collection()
def freeze_draft(
    release: Release,
    progress: Progress | None = None,
    *,
    state: str = Release.State.FROZEN,
    lease: timedelta = timedelta(),
    places: Iterable[Path] = (),
) -> None:
    """Plan a release and store its rows, unless an earlier attempt has already done so.

    Sets the state, and renews the lease when rows are stored. `places` are folders that must have
    room for the files. Raises ValueError if the pairs cannot satisfy the settings, LostRelease if
    the release has changed since it was read, NoRoom, and OSError if a place cannot be written.
    """
    if release.frozen_at is not None:
        _update_as_read(release, state=state, lease_until=clock.now() + lease)
        return
    progress = progress or Progress()
    moment, settings, planned = plan_now(release, progress)
    for place in places:
        require_space(place, estimate_size(planned))
    with transaction.atomic():
        if release.pk is None:
            release.save()
        _store(release, moment, planned, progress)
        # Labels of models are added before this release is stored, or are refused.
        projects.lock_to_read(release.project)
        _check_model(release.project, settings, moment)
        _update_as_read(
            release,
            state=state,
            lease_until=clock.now() + lease,
            settings=settings.to_dict(),
            frozen_at=moment.at,
            facts=moment.facts | planned.figures(moment.facts["language"]),
            left_out=planned.totals,
        )


def _check_model(project: Project, settings: AnySettings, moment: Moment) -> None:
    """Raise ValueError if the model of `hard_for` was removed after its labels were read."""
    if isinstance(settings, ReleaseSettings) and settings.hard_for:
        model = study.model_called(project, settings.hard_for)
        if model.created_at > moment.at:
            raise ValueError(f"The labels of {model} were imported again meanwhile. Try again.")


def plan_now(release: Release, progress: Progress) -> tuple[Moment, AnySettings, AnyPlan]:
    """Plan a release from the current rows and protocol of its project. Raises ValueError."""
    if is_published_set(release):
        progress.begin(READING)
        published_plan = published.plan_published(release, progress)
        moment = Moment(timezone.now(), [], published.published_facts(release))
        return moment, published_plan.published_set.settings, published_plan
    if source := translations.source_of_project(release.project):
        return plan_translations(release, source, progress)
    return _plan_judged(release, progress)


def _plan_judged(
    release: Release, progress: Progress
) -> tuple[Moment, ReleaseSettings, ReleasePlan]:
    rows = as_of_one_moment(lambda: _read_rows(release, progress))
    choices = ReleaseSettings.from_dict(release.settings)
    columns = columns_of(
        rows.sentences,
        (*rows.pairs, *rows.candidates),
        scheme=release.project.scheme,
        skill=choices.skill,
    )
    tells_replies = bool(rows.moment.lines)
    settings = replace(
        choices,
        columns=columns,
        least_in_group=release.project.least_in_group if tells_replies else None,
        has_old_names=False,
        layout=NEWEST_LAYOUT,
        **protocols.columns(protocols.of_project(release.project)),
    )
    progress.begin(PLANNING, total=len(rows.pairs) + len(rows.candidates))
    planned = plan(
        rows.sentences,
        rows.pairs,
        rows.candidates,
        settings=settings,
        generators=models_by_run(rows.moment.facts["runs"]),
        model_labels=rows.model_labels,
        version=format_of(release).version,
    )
    if not any(pair.kept for pair in planned.pairs):
        reason = f"No pair of {release.project} is kept yet, so there is nothing to release."
        raise ValueError(reason)
    lines = {**rows.moment.lines, **_sentence_lines(rows.sentences, planned)}
    return replace(rows.moment, lines=lines), settings, planned


def _read_rows(release: Release, progress: Progress) -> _Rows:
    """Return what a release is planned from. The lock comes first, then the time.

    Later decisions are not in what is read. Answers that are excluded or replaced later are
    recognized by their times, so the plan can be made and stored after the transaction.
    """
    progress.begin(READING)
    release.project = project = projects.lock_to_read(release.project)
    moment_read = timezone.now()
    pairs = list(progress.counting(study.decided_pairs(project)))
    if release.settings.get("skill"):
        pairs = study.with_model_labels(project, pairs)
    candidates = list(progress.counting(study.candidates(project)))
    sentences = list(progress.counting(study.sentences(project)))
    model_labels = {}
    if title := release.settings.get("hard_for"):
        model_labels = study.labels_of_model(study.model_called(project, title))
    judges, lines = list(study.judges(project)), study.annotator_lines(project)
    moment = Moment(moment_read, judges, facts_of_study(release), lines)
    return _Rows(pairs, candidates, sentences, model_labels, moment)


def _sentence_lines(
    sentences: Iterable[SentenceRow], planned: ReleasePlan
) -> Mapping[LineFile[Any], Sequence[Any]]:
    """Return the sentences of judged pairs, if any belong to groups: imports may merge groups."""
    ids = (
        key
        for pair in planned.pairs
        if pair.origin == "judged"
        for key in (pair.sentence1, pair.sentence2)
    )
    ancestors = list(sentences_with_ancestors(sentences, ids))
    return {SENTENCES: ancestors} if any(row.group for row in ancestors) else {}


def _store(release: Release, moment: Moment, planned: AnyPlan, progress: Progress) -> None:
    """Store every row of a plan, and delete the preview, which the rows replace."""
    columns, rows = _examples(release.project, planned, progress)
    bulk.insert(Example, rows, fields=columns, release_id=release.pk)
    draw_pseudonyms(release, moment.judges)
    _store_lines(release, moment.lines)
    ReleasePreview.objects.filter(release=release).delete()


def _examples(
    project: Project, planned: AnyPlan, progress: Progress
) -> tuple[Sequence[str], Iterator[tuple[Any, ...]]]:
    """Return columns of Example, and their values for each pair."""
    if isinstance(planned, PublishedPlan):
        published_pairs = progress.counting(planned.pairs, FREEZING, len(planned.pairs))
        return published.EXAMPLE_COLUMNS, published.example_rows(project.name, published_pairs)
    pairs = (*planned.pairs, *planned.silver)
    judged = SentencePair.objects.filter(project=project)
    keys = dict(judged.values_list("public_id", "pk").iterator())
    rows = _example_rows(progress.counting(pairs, FREEZING, len(pairs)), keys)
    return ("position", "pair_id", *EXAMPLE_COLUMNS), rows


def _example_rows(
    pairs: Iterable[ReleasedPair], keys: Mapping[UUID, int]
) -> Iterator[tuple[Any, ...]]:
    for position, pair in enumerate(pairs, start=1):
        columns: dict[str, Any] = {
            "id": (public_id := UUID(pair.id)),
            "sentence1": UUID(pair.sentence1),
            "sentence2": UUID(pair.sentence2),
            "subset": pair.subset or "",
            "split": pair.split or "",
            "domain": pair.domain or "",
            "kind": pair.kind or "",
            "generator": pair.generator or "",
            "entity": pair.entity or "",
            "own_id": pair.own_id or "",
        }
        yield (position, keys.get(public_id), *pair._replace(**columns))


def _update_as_read(release: Release, **columns: Any) -> None:
    """Compare and set: update the row only if it has not changed since it was read."""
    as_read = Release.objects.filter(
        pk=release.pk, state=release.state, attempts=release.attempts, frozen_at=release.frozen_at
    )
    if not as_read.update(**columns):
        raise LostRelease(f"Another worker builds {release}, or it has changed.")
    for name, value in columns.items():
        setattr(release, name, value)


class NoRoom(AnnotationError):
    """A disk is too full for the files of a release."""


def estimate_size(planned: AnyPlan) -> int:
    pairs = (*planned.pairs, *planned.silver)
    texts = sum(len(pair.text1.encode()) + len(pair.text2.encode()) for pair in pairs)
    return PER_TEXT * texts + PER_PAIR * len(pairs) + PER_RELEASE


def require_space(place: Path, size: int) -> None:
    """Create the folder if needed. Raises NoRoom, or OSError if the folder cannot be written."""
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=place):
        free = shutil.disk_usage(place).free
    if free < size:
        text = _("Not enough space in %(place)s: %(free)s are free, about %(size)s are needed.")
        sizes = {"free": filesizeformat(free), "size": filesizeformat(size)}
        raise NoRoom(text % {"place": place, **sizes})


# Columns of a line that name people.
PEOPLE = ("translator", "validator", "annotator")


def _store_lines(release: Release, rows: Mapping[LineFile[Any], Sequence[Any]]) -> None:
    """Store the rows of each file, in which keys of people become their pseudonyms."""
    pseudonyms = release.pseudonyms.values_list("annotator_id", "name")
    names, version = {str(key): name for key, name in pseudonyms}, format_of(release).version
    lines = (
        (file.path, position, file.at_version(version).lines([_name_people(row, names)])[:-1])
        for file, rows_of_file in rows.items()
        for position, row in enumerate(rows_of_file, start=1)
    )
    fields = ("file", "position", "text")
    bulk.insert(FrozenLine, lines, fields=fields, release_id=release.pk)


def _name_people(row: Any, names: Mapping[str, str]) -> Any:
    people = {name: getattr(row, name, None) for name in PEOPLE}
    return row._replace(**{name: names[key] for name, key in people.items() if key})
