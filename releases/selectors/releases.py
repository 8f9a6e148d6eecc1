"""Selects releases, their settings and facts, and the files and archive that were published."""

import json
import re
from collections import defaultdict
from collections.abc import Collection
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import OuterRef, Q, QuerySet
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from annotation.access import readers
from annotation.access.readers import Reader
from annotation.models import Project
from annotation.projects.labels import GRADES
from annotation.stats.labels import SAME_OR_DIFFERENT, Scheme, scale
from common import licences
from generation.models import Corpus
from releases.dataset.documentation import Documentation
from releases.dataset.facts import CROISSANT_1_0, ReleaseFacts
from releases.dataset.files import ReleaseKind, Table
from releases.dataset.formats import FORMATS, Format, with_settings
from releases.dataset.manifest import AnySettings, describe_files
from releases.dataset.metadata import Metadata
from releases.dataset.settings import ReleaseSettings
from releases.dataset.translated.files import TranslationSettings
from releases.models import PlannedMetadata, Release
from releases.selectors import study
from releases.translations import selectors as translations

PUBLISHED = [Release.State.FROZEN, Release.State.WITHDRAWN]
# What to do where files of a frozen release are missing.
WRITE_AGAIN = _(
    "An administrator can write them again, with the same bytes: see Help, Publishing a dataset, "
    "Build."
)
OF_FILES = _("A version of a published set is made of its files, not here.")
# Of the scales of our own studies.
HIGHEST_GRADE = 9
# No version begins with a dot, so this name is free.
ARCHIVES = ".archives"


def readable_releases(reader: Reader) -> QuerySet[Release]:
    """Only managers see releases that are not frozen."""
    releases = Release.objects.filter(project__in=readers.projects(reader)).select_related(
        "project"
    )
    return releases.filter(Q(state__in=PUBLISHED) | Q(project__in=readers.managed_projects(reader)))


def release_names(project: Project, ids: Collection[UUID]) -> dict[UUID, str]:
    releases = Release.objects.filter(project=project, public_id__in=ids)
    return dict(releases.values_list("public_id", "version"))


def newest_version(project: Project | OuterRef, *, is_withdrawn: bool = False) -> QuerySet[Any]:
    """Return the version of the newest release, as a query of one value.

    Of those that are not withdrawn, or else of those that are.
    """
    state = Release.State.WITHDRAWN if is_withdrawn else Release.State.FROZEN
    releases = Release.objects.filter(project=project, state=state)
    return releases.order_by("-frozen_at").values_list("version")[:1]


def next_version(project: Project) -> str:
    """Suggest the next version: the last version with its last number incremented."""
    versions = list(project.releases.values_list("version", flat=True))
    if not versions:
        return "1.0"
    number = re.search(r"\d*$", versions[0])[0]  # type: ignore[index]
    stem = versions[0].removesuffix(number) if number else f"{versions[0]}."
    following = (f"{stem}{later}" for later in count(int(number or 0) + 1))
    return next(version for version in following if version not in versions)


def settings_of(release: Release) -> ReleaseSettings:
    return ReleaseSettings.from_dict(release.settings)


def format_of(release: Release) -> Format:
    return FORMATS[release.format]


def tables_of(release: Release) -> tuple[Table, ...]:
    """Return the tables that a release can have, with its labels."""
    release_format = format_of(release)
    if release_format.kind is not ReleaseKind.RELEASE:
        return release_format.tables
    return with_settings(release_format, settings_of(release)).tables


def is_translation(release: Release) -> bool:
    return format_of(release).kind is ReleaseKind.TRANSLATION


def scheme_of(release: Release) -> Scheme:
    """Return the labels with which people answer like those of a release.

    Scores, and grades beyond one digit, are compared on two sides.
    """
    if is_translation(release):
        return translation_settings_of(release).scheme
    if format_of(release).kind is not ReleaseKind.PUBLISHED:
        return settings_of(release).scheme
    highest, least = release.settings["max_label"], release.settings["paraphrase_from"]
    if 1 < highest <= HIGHEST_GRADE and least is not None and least == int(least):
        scheme = scale(highest, border=int(least))
        is_that_of_parade = (scheme.values, scheme.border) == (GRADES.values, GRADES.border)
        return GRADES if is_that_of_parade else scheme
    return SAME_OR_DIFFERENT


def any_settings_of(release: Release) -> AnySettings:
    """Return the settings that a draft begins with. Raises ValueError if its files decide."""
    if format_of(release).kind is ReleaseKind.PUBLISHED:
        raise ValueError(OF_FILES)
    return translation_settings_of(release) if is_translation(release) else settings_of(release)


def translation_settings_of(release: Release) -> TranslationSettings:
    return TranslationSettings.from_dict(release.settings)


def facts_of(release: Release) -> ReleaseFacts:
    """Return the facts of a frozen release. Those of older ones do not say which Croissant."""
    created = frozen_at(release).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    facts = {"croissant": CROISSANT_1_0} | release.facts
    if "metadata" in facts:
        facts["metadata"] = Metadata.from_dict(facts["metadata"])
    return ReleaseFacts(created=created, **facts)


def title_of(release: Release) -> str:
    """Return name and version of a frozen release, as its files have them."""
    return f"{release.facts['name']} {release.version}"


def metadata_of(release: Release) -> Metadata:
    """Return the metadata of a release; once it is frozen, with its citation."""
    return Metadata.from_dict(release.metadata | release.facts.get("metadata", {}))


def carried_over_from(
    documentation: Documentation, project: Project, *, draft: Release | None = None
) -> str:
    """Return the version before the draft, or before a new one, if its documentation is the same.

    Empty if it is another, or none.
    """
    earlier = project.releases.all()
    previous = (earlier.filter(pk__lt=draft.pk) if draft else earlier).first()
    is_same = previous is not None and metadata_of(previous).documentation == documentation
    return previous.version if previous and documentation and is_same else ""


def next_metadata(project: Project) -> Metadata:
    """Suggest metadata: as entered for the last release, or else as planned for the project.

    What is not planned comes from the corpora; a translation starts with the licence of its source.
    """
    last = project.releases.first()
    if last is not None:
        return Metadata.from_dict(last.metadata)
    suggested = suggested_metadata(project, rewritten_corpora(project))
    return Metadata.from_dict(suggested.to_dict() | planned_metadata(project))


def planned_metadata(project: Project) -> dict[str, Any]:
    row = PlannedMetadata.objects.filter(project=project).first()
    return row.metadata if row else {}


def suggested_metadata(project: Project, corpora: Collection[Corpus]) -> Metadata:
    """Return what its corpora say, or the source of a translation."""
    if source := translations.source_of_project(project) if project.translates else None:
        declared = Metadata.from_dict(source.release.metadata)
        return Metadata(declared.licence, languages=(project.translation_plan.language,))
    return Metadata(
        licence=_common_licence({corpus.licence for corpus in corpora}),
        languages=tuple(dict.fromkeys(corpus.language for corpus in corpora)),
    )


def rewritten_corpora(project: Project) -> list[Corpus]:
    runs = list(project.runs.select_related("corpus").order_by("id"))
    if not runs and study.is_drawn(project):
        runs = list(study.runs(project))
    return list({run.corpus_id: run.corpus for run in runs}.values())


def names_by_licence(corpora: Collection[Corpus]) -> dict[str, list[str]]:
    """Return the names of corpora by the SPDX identifier of their licence."""
    names: dict[str, list[str]] = defaultdict(list)
    for corpus in corpora:
        if licence := _common_licence({corpus.licence}):
            names[licence].append(corpus.name)
    return dict(names)


def _common_licence(stated: set[str]) -> str:
    try:
        [only] = stated
        return licences.spdx(only)
    except ValueError:
        return ""


def frozen_at(release: Release) -> datetime:
    """Return when the release was frozen. Raises ValueError if it is not frozen."""
    if release.frozen_at is None:
        raise ValueError(f"{release} is not frozen")
    return release.frozen_at


def folder_of(release: Release) -> Path:
    return Path(settings.RELEASES_DIR) / str(release.project.public_id) / release.version


def archive_of(release: Release) -> Path:
    return folder_of(release).parent / ARCHIVES / f"{release.version}.tar.gz"


def name_of(release: Release) -> str:
    """Return the name of the archive and its folder, which names the project and the version."""
    name = slugify(release.facts.get("name", release.project.name)) or "release"
    return f"{name}-{release.version}"


def slip_of(release: Release) -> Path:
    """Return the path of the JSON file with SHA-256 and bytes of the archive."""
    return archive_of(release).with_name(f"{release.version}.json")


def archive_entry(release: Release) -> dict[str, Any] | None:
    slip = slip_of(release)
    if release.state != Release.State.FROZEN or not slip.is_file():
        return None
    return dict(json.loads(slip.read_text()))


def is_whole(release: Release) -> bool:
    """Return whether all files of the release are in place, byte for byte as first written."""
    files = (release.manifest or {}).get("files", {})
    try:
        rows = {path: entry["rows"] for path, entry in files.items()}
        return bool(files) and describe_files(folder_of(release), rows) == files
    except FileNotFoundError:
        return False
