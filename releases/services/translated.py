"""Plans releases of translations; `frozen` stores them like those of judged pairs (PAWS-X 2)."""

import hashlib
from collections.abc import Sequence
from typing import Any

from django.conf import settings as installation
from django.utils import timezone

from accounts.models import User
from annotation.models import Project
from annotation.translations.selectors import figures, readiness
from annotation.translations.selectors.figures import Figures
from common.leases import Progress
from common.snapshots import as_of_one_moment
from releases.dataset.files import LineFile
from releases.dataset.manifest import as_json
from releases.dataset.translated.files import SENTENCES, UNTRANSLATED, VALIDATIONS
from releases.dataset.translated.plan import TranslatedReleasePlan, plan
from releases.dataset.translated.settings import SourceRelease, TranslationSettings
from releases.models import Release, TranslationSource
from releases.selectors import translated
from releases.selectors.translated import Translated
from releases.services.leases import PLANNING, READING
from releases.services.moments import Moment, declared, models

CHOICES = {"accepts_errors"}
ACCEPT = "Or let the draft accept unvalidated translations and word errors; the release says so."


def translation_settings(source: TranslationSource, **choices: Any) -> TranslationSettings:
    """Return the settings of a release, with those that people chose. Raises ValueError."""
    if unknown := sorted(choices.keys() - CHOICES):
        raise ValueError(f"The study determines {', '.join(unknown)}: a release can't set them.")
    project, study = source.project, source.project.translation_plan
    runs = translated.models_by_language(project)
    return TranslationSettings(
        source_language=study.source_language,
        language=study.language,
        source=_named(source.release),
        seed=project.seed,
        dev=source.dev,
        test=source.test,
        validated_share=study.validated_share,
        least_validated=study.least_validated,
        most_error=study.most_error,
        forward=runs.get(study.language, ""),
        backward=runs.get(study.source_language, ""),
        **choices,
    )


def _named(release: Release) -> SourceRelease:
    if release.manifest is None:
        raise ValueError(f"The files of {release}, which is translated, are not written yet.")
    sha256 = hashlib.sha256(as_json(release.manifest).encode()).hexdigest()
    return SourceRelease(release.facts["name"], release.version, sha256)


def plan_translations(
    release: Release, source: TranslationSource, progress: Progress
) -> tuple[Moment, TranslationSettings, TranslatedReleasePlan]:
    """Raises ValueError with what the study lacks."""
    progress.begin(READING)
    moment, settings, rows = as_of_one_moment(lambda: _read(release, source))
    progress.begin(PLANNING, total=len(rows.pairs))
    planned = plan(rows.pairs, rows.sentences, rows.untranslated, language=settings.language)
    if not planned.pairs:
        raise ValueError("Both sentences of no pair are translated, so nothing can be released.")
    return moment, settings, planned


def _read(
    release: Release, source: TranslationSource
) -> tuple[Moment, TranslationSettings, Translated]:
    """Return all that a release is planned and written from. People answer meanwhile."""
    release.project = source.project = Project.objects.get(pk=release.project_id)
    moment = timezone.now()
    settings = translation_settings(source, **{name: release.settings[name] for name in CHOICES})
    study = figures.read(release.project)
    if not settings.accepts_errors:
        _refuse(figures.of_study(study))
    rows = translated.of_study(study, release.project, source.release)
    people = list(User.objects.filter(pk__in=rows.people).order_by("pk"))
    lines: dict[LineFile[Any], Sequence[Any]] = {
        SENTENCES: rows.sentences,
        UNTRANSLATED: rows.untranslated,
        VALIDATIONS: rows.validations,
    }
    return Moment(moment, people, _facts(release, source, settings), lines), settings, rows


def _refuse(study: Figures) -> None:
    """Raise ValueError with what the study lacks."""
    if reasons := readiness.missing(study, _name):
        can_be_accepted = not study.progress.waiting.sentences
        raise ValueError("\n".join([*reasons, *([ACCEPT] if can_be_accepted else [])]))


def _name(key: int) -> str:
    return User.objects.get(pk=key).username


def _facts(
    release: Release, source: TranslationSource, settings: TranslationSettings
) -> dict[str, Any]:
    """Return the fields of ReleaseFacts except `created`, which is the time of freezing."""
    project = release.project
    return {
        "name": project.name,
        "version": release.version,
        "software_version": installation.VERSION,
        "models": models(list(translated.runs_of(project).order_by("id"))),
        "language": settings.language,
        "licence": _licence(source.release),
        "description": project.description,
        "guidelines": project.guidelines,
        **declared(release),
    }


def _licence(source: Release) -> str:
    metadata = source.facts.get("metadata", {})
    return str(metadata.get("licence") or source.facts["licence"])
