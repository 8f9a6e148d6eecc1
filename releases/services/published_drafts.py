"""Drafts of versions of published sets: files that people uploaded, and how they are read.

A worker reads the files for the preview, which says what they do not tell.
"""

from collections.abc import Container, Iterable, Mapping
from dataclasses import asdict, replace

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import Refused
from annotation.models import Project
from releases.dataset.metadata import Metadata
from releases.dataset.published.settings import Choices
from releases.models import Release
from releases.selectors.published import sources_of
from releases.selectors.releases import metadata_of
from releases.services import published
from releases.services.drafts import request_preview
from releases.services.steps import Unchangeable

NONE_STATED = Choices()
Uploads = Mapping[str, Iterable[bytes]]


def create_set(
    name: str,
    uploads: Uploads,
    choices: Choices = NONE_STATED,
    *,
    version: str,
    metadata: Metadata,
    by: User,
) -> Release:
    """Create the project of a published set with a draft. Raises as `create_version`."""
    with transaction.atomic():
        if Project.objects.filter(name=name).exists():
            raise Refused(_("There is a project of this name. Choose another name."))
        project = published.project_for(name, managers=[by], by=by)
        return create_version(project, uploads, choices, version=version, metadata=metadata, by=by)


def create_next(
    project: Project, uploads: Uploads, *, version: str, metadata: Metadata, by: User
) -> Release:
    """Create a version that is read, and has the documentation, as the last one.

    Raises as `create_version`.
    """
    choices = NONE_STATED
    if last := project.releases.first():
        metadata = replace(metadata, documentation=metadata_of(last).documentation)
        choices = _choices_of_next(last, uploads)
    return create_version(project, uploads, choices, version=version, metadata=metadata, by=by)


def _choices_of_next(last: Release, names: Container[str]) -> Choices:
    """Return the choices of the last version; the splits of files if they have the same names."""
    choices = published.choices_now(last)
    files = choices.files or {
        file["name"]: file["split"] for file in last.settings.get("files", ()) if file["split"]
    }
    is_same = all(name in names for name in files)
    return replace(choices, files=files if is_same else {}, accepts_refused=False)


def create_version(
    project: Project,
    uploads: Uploads,
    choices: Choices,
    *,
    version: str,
    metadata: Metadata,
    by: User,
) -> Release:
    """Store files, and a draft that is made of them; request its preview.

    Raises Refused for a version that exists, ValidationError for one that is no file name, and
    OSError if the files cannot be stored.
    """
    choices = replace(choices, language=metadata.languages[0])
    release = published.new_version(project, choices, version=version, metadata=metadata)
    try:
        _store(release, uploads)
        with transaction.atomic():
            release.created_by = by
            release.save()
            request_preview(release)
            audit.record(Act.RELEASE_DRAFTED, by=by, on=release)
    except BaseException:
        published.discard_sources(release)
        raise
    return release


def _store(release: Release, uploads: Uploads) -> None:
    folder = sources_of(release)
    folder.mkdir(parents=True)
    for name, chunks in uploads.items():
        with (folder / name).open("xb") as file:
            for chunk in chunks:
                file.write(chunk)


@transaction.atomic
def change_choices(release: Release, choices: Choices, *, metadata: Metadata, by: User) -> None:
    """Let the files of a draft be read in another way. Raises Unchangeable."""
    drafts = Release.objects.filter(pk=release.pk, state=Release.State.DRAFT)
    if not drafts.update(
        settings={"choices": asdict(choices)}, seed=choices.seed, metadata=metadata.to_dict()
    ):
        raise Unchangeable
    request_preview(release)
    audit.record(Act.RELEASE_CHANGED, by=by, on=release)
