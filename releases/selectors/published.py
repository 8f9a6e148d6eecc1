"""Selects published sets, where their files wait, and the pairs of their releases."""

from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from django.db.models import OuterRef, QuerySet
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from annotation.models import Project
from releases.dataset.facts import CROISSANT_1_0
from releases.dataset.files import ReleaseKind
from releases.dataset.published.columns import ROLES
from releases.dataset.published.pairs import PublishedPair
from releases.dataset.published.settings import PublishedSettings, Source
from releases.models import PublishedSet, Release
from releases.selectors import content
from releases.selectors.releases import facts_of, folder_of, format_of, metadata_of, title_of

WHY_COMPLETE = _(
    "This project holds a set that was published elsewhere. Judge its pairs again in a new project."
)
# No version begins with a dot, so this name is free.
SOURCES = ".sources"
# The names in Example of the fields of PublishedPair; any other has the same name in both.
_NAMES = {"id": "public_id", "text1": "sentence1", "text2": "sentence2"}
_OF_VOTES = ("votes0", "votes1")
FIELDS = tuple(name for name in PublishedPair._fields if name not in _OF_VOTES)
COLUMNS = tuple(_NAMES.get(name, name) for name in FIELDS)


def set_of_project(project: Project) -> PublishedSet | None:
    return PublishedSet.objects.filter(project=project).first()


def rows_of_project(project: Project | OuterRef) -> QuerySet[PublishedSet]:
    rows = PublishedSet.objects.filter(project=project)
    # Without a query: no one works in the project of a published set.
    return rows.none() if isinstance(project, Project) and project.kinds else rows


def is_published_set(release: Release) -> bool:
    return format_of(release).kind is ReleaseKind.PUBLISHED


def sources_of(release: Release) -> Path:
    """Return the folder of the published files, which are there until the release is built."""
    return folder_of(release).parent / SOURCES / str(release.public_id)


def published_settings_of(release: Release) -> PublishedSettings:
    """Return the settings of a frozen release."""
    settings = PublishedSettings.from_dict(release.settings)
    # Postgres does not keep the order of stored keys.
    columns = {role: settings.columns[role] for role in ROLES if role in settings.columns}
    return replace(settings, columns=columns)


def source_of(release: Release) -> Source:
    """Return who published it, as people stated."""
    metadata = metadata_of(release)
    return Source(metadata.homepage, metadata.bibtex or metadata.citation, metadata.licence)


def publishers_of(release: Release) -> dict[str, Any]:
    """Return the facts `published` of what is made of a frozen release.

    They are of the set itself, or of the one that its pairs come from; empty if there is none.
    """
    if not is_published_set(release):
        return dict(release.facts.get("published", {}))
    corpus = release.project.published_set.corpus
    return {
        "title": title_of(release),
        **asdict(source_of(release)),
        "corpus": corpus.name if corpus else "",
        "is_synthetic": published_settings_of(release).is_synthetic,
    }


def missing_of(release: Release) -> list[str]:
    """Return the titles of fields that catalogues and conferences ask for, and are empty.

    Releases that follow Croissant 1.0 miss none. No authors are asked for of a published set.
    """
    if release.frozen_at and facts_of(release).croissant == CROISSANT_1_0:
        return []
    metadata = metadata_of(release)
    if not is_published_set(release):
        return metadata.missing()
    stated = release.settings.get("choices", release.settings)
    is_empty = {
        gettext_noop("Where it is published"): not metadata.homepage,
        gettext_noop("Sentences written by machines"): stated.get("is_synthetic") is None,
    }
    return [*(title for title in is_empty if is_empty[title]), *metadata.documentation.missing()]


def published_pairs_of(release: Release) -> Iterator[PublishedPair]:
    """Yield the pairs in the order of the files."""
    for *cells, votes in content.rows_in_order(release, (*COLUMNS, "votes")):
        votes0, votes1 = content.parse_votes(votes) or (None, None)
        pair = PublishedPair(**dict(zip(FIELDS, cells, strict=True)), votes0=votes0, votes1=votes1)
        yield pair._replace(method=pair.method or None)
