"""Writes the files of a release from its frozen rows, publishes them, and withdraws them."""

import json
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import AnnotationError, Refused
from annotation.models import JudgingModel
from common import bulk
from common.leases import Progress
from releases.dataset.folders import new_folder, pack
from releases.dataset.manifest import Manifest, describe_files
from releases.dataset.published.counts import Counts
from releases.dataset.published.reading import PublishedSet
from releases.dataset.published.writer import write_published
from releases.dataset.translated.files import SENTENCES as SENTENCES_FILE
from releases.dataset.translated.files import UNTRANSLATED, VALIDATIONS
from releases.dataset.translated.writer import TranslatedContent, write_translations
from releases.dataset.writers import Content, write_release
from releases.models import Release
from releases.selectors import content
from releases.selectors.published import (
    is_published_set,
    published_pairs_of,
    published_settings_of,
    source_of,
    sources_of,
)
from releases.selectors.releases import (
    PUBLISHED,
    archive_of,
    facts_of,
    folder_of,
    format_of,
    is_translation,
    is_whole,
    name_of,
    settings_of,
    slip_of,
    translation_settings_of,
)
from releases.services.steps import FILES, JUDGMENTS, PACKING, SENTENCES, LostRelease, Unchangeable

State = Release.State
# Each returns folders that belong to a release and are deleted with it. Other rooms add theirs.
COMPANIONS: list[Callable[[Release], Iterable[Path]]] = []
MOST_REASON = Release._meta.get_field("withdrawal_reason").max_length or 0


class ChangedRelease(AnnotationError):
    """A rebuild produced different files than the first build; the message names them."""


class Unwritable(AnnotationError):
    """The files of this release can no longer be written; the message says why."""


@bulk.no_garbage_collection()
def write_files(release: Release, folder: Path, progress: Progress | None = None) -> Manifest:
    """Write the files of a release to a new folder, always with the same bytes.

    Raises FileExistsError, ChangedRelease if the files differ from those of the first build, and
    Unwritable if the release was withdrawn or its identity mapping was removed.
    """
    _refuse_what_is_gone(release)
    if is_published_set(release):
        write_content = _write_published
    else:
        write_content = _write_translations if is_translation(release) else _write_judged
    manifest = write_content(release, folder, progress or Progress())
    _store_manifest(release, manifest)
    return manifest


def _write_translations(release: Release, folder: Path, progress: Progress) -> Manifest:
    pairs, total = content.pairs_of(release), release.examples.count()
    rows = TranslatedContent(
        pairs=progress.counting(pairs, FILES, total),
        sentences=progress.counting(content.lines_of(release, SENTENCES_FILE), SENTENCES),
        untranslated=content.lines_of(release, UNTRANSLATED),
        validations=content.lines_of(release, VALIDATIONS),
        **release.left_out,
    )
    return write_translations(
        folder,
        rows,
        facts=facts_of(release),
        settings=translation_settings_of(release),
        release_format=format_of(release),
    )


def _write_published(release: Release, folder: Path, progress: Progress) -> Manifest:
    pairs = progress.counting(published_pairs_of(release), FILES, release.examples.count())
    counts = Counts.from_dict(release.left_out)
    published_set = PublishedSet(list(pairs), published_settings_of(release), counts)
    return write_published(
        folder, published_set, facts=facts_of(release), source=source_of(release)
    )


def _write_judged(release: Release, folder: Path, progress: Progress) -> Manifest:
    pairs, total = content.pairs_of(release), release.examples.count()
    rows = Content(
        pairs=progress.counting(pairs, FILES, total),
        sentences=progress.counting(content.sentences_of(release), SENTENCES),
        judgments=progress.counting(content.judgments_of(release), JUDGMENTS),
        annotators=content.annotators_of(release),
        adjudications=content.adjudications_of(release),
        model_judgments=content.model_judgments_of(release),
        prompts=content.prompts_of(release),
        reopened=content.count_reopened(release),
        reopened_because=content.judged_again_of(release),
        **release.left_out,
    )
    return write_release(
        folder,
        rows,
        facts=facts_of(release),
        settings=settings_of(release),
        release_format=format_of(release),
    )


def _refuse_what_is_gone(release: Release) -> None:
    if release.withdrawn_at is not None:
        text = _("This release was withdrawn: %(reason)s")
        raise Unwritable(text % {"reason": release.withdrawal_reason})
    if release.names_forgotten_at is not None:
        raise Unwritable(
            _("The identity mapping was removed, so the files can't be written again.")
        )


def _store_manifest(release: Release, manifest: Manifest) -> None:
    """Store the manifest of the first build. Raises ChangedRelease if a later one differs."""
    stored = json.loads(json.dumps(manifest))
    if Release.objects.filter(pk=release.pk, manifest__isnull=True).update(manifest=stored):
        release.manifest = stored
        return
    release.refresh_from_db(fields=["manifest"])
    if release.manifest != stored:
        files_before, files_after = (release.manifest or {"files": {}})["files"], stored["files"]
        changed_paths = sorted(
            path
            for path in {*files_before, *files_after}
            if files_before.get(path) != files_after.get(path)
        )
        raise ChangedRelease(
            f"Not the files of the first build: {', '.join(changed_paths) or 'counts'}."
        )


def publish(
    release: Release,
    progress: Progress | None = None,
    *,
    is_ours: Callable[[], bool] = lambda: True,
) -> Manifest:
    """Write the files and the archive of a frozen release, then move them into place.

    `is_ours` is called before anything is moved. Raises LostRelease if it returns False, and the
    errors of `write_files`. An existing folder is kept if it is complete.
    """
    progress = progress or Progress()
    workshop = workshop_of(release)
    new_folder = workshop / str(release.attempts) / release.version
    shutil.rmtree(new_folder.parent, ignore_errors=True)
    try:
        manifest = write_files(release, new_folder, progress)
        progress.begin(PACKING)
        archive = new_folder.with_name(archive_of(release).name)
        pack(new_folder, archive, name=name_of(release), created=facts_of(release).created)
        if not is_ours():
            raise LostRelease(f"Another worker builds {release}.")
        _put_in_place(release, new_folder, archive)
    finally:
        shutil.rmtree(new_folder.parent, ignore_errors=True)
    # Delete what dead attempts left. An older attempt that still runs has lost its lease.
    shutil.rmtree(workshop, ignore_errors=True)
    shutil.rmtree(sources_of(release), ignore_errors=True)
    return manifest


def copy_files(release: Release, folder: Path) -> None:
    with new_folder(folder) as copied:
        shutil.copytree(folder_of(release), copied, dirs_exist_ok=True)


def record_download(release: Release, file: str, *, by: User) -> None:
    audit.record_alone(Act.RELEASE_DOWNLOADED, by=by, on=release, file=file)


def workshop_of(release: Release) -> Path:
    """Return the work folder, with a subfolder for each attempt. No version begins with a dot."""
    return folder_of(release).parent / f".{release.public_id}"


def remove_files(release: Release) -> None:
    companions = (folder for find in COMPANIONS for folder in find(release))
    for folder in (folder_of(release), workshop_of(release), sources_of(release), *companions):
        shutil.rmtree(folder, ignore_errors=True)
    for file in (slip_of(release), archive_of(release)):
        file.unlink(missing_ok=True)


def withdraw(release: Release, *, by: User | None, reason: str) -> None:
    """Permanently withdraw a frozen release; its row, its manifest and the reason are kept.

    Later requests for it get 410 Gone. A second call keeps the first reason and deletes leftover
    files. Raises Refused if the release is not frozen, AnnotationError without a reason or with one
    that is too long, and Unchangeable if the release changes meanwhile.
    """
    if release.state not in PUBLISHED:
        raise Refused(_("Only a frozen release can be withdrawn; a draft can be discarded."))
    if not reason.strip() or len(reason) > MOST_REASON:
        raise AnnotationError(
            _("Give a reason of at most %(most)s characters.") % {"most": MOST_REASON}
        )
    columns = {
        "state": State.WITHDRAWN,
        "withdrawn_at": timezone.now(),
        "withdrawn_by": by,
        "withdrawal_reason": reason,
    }
    with transaction.atomic():
        if Release.objects.filter(pk=release.pk, state=State.FROZEN).update(**columns):
            audit.record(Act.RELEASE_WITHDRAWN, by=by, on=release)
    release.refresh_from_db()
    if release.state != State.WITHDRAWN:
        raise Unchangeable
    remove_files(release)


def _put_in_place(release: Release, new_folder: Path, archive: Path) -> None:
    [entry] = describe_files(archive.parent, {archive.name: None}).values()
    slip = new_folder.with_name("slip.json")
    slip.write_text(json.dumps(entry))
    archive_of(release).parent.mkdir(parents=True, exist_ok=True)
    # The slip comes last, as the archive is offered by it.
    archive.replace(archive_of(release))
    slip.replace(slip_of(release))
    folder = folder_of(release)
    if folder.exists() and not is_whole(release):
        shutil.rmtree(folder)
    if not folder.exists():
        new_folder.rename(folder)


def refuse_removal(model: JudgingModel) -> None:
    """Raise Refused if a frozen release contains these model judgments.

    Release files are written again from the rows and must keep the same bytes.
    """
    releases = Release.objects.filter(project=model.project_id, frozen_at__gte=model.created_at)
    if releases.exclude(state=State.WITHDRAWN).exists():
        raise Refused(
            _("A release contains labels of this model, so you can’t remove them or add more.")
        )
