"""Writes the files of a release from its frozen rows, always with the same bytes."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from django.utils.translation import gettext as _

from annotation.errors import AnnotationError
from common import garbage_collection
from releases.dataset.manifest import Manifest
from releases.dataset.writers import write_content
from releases.models import Release
from releases.selectors import releases as frozen
from releases.services.progress import FILES, JUDGMENTS, SENTENCES, Progress

T = TypeVar("T")
# The build step in which each kind of rows is written.
STEP_OF = {
    "entries": FILES,
    "sentences": SENTENCES,
    "judgments": JUDGMENTS,
    "adjudications": JUDGMENTS,
    "guests": JUDGMENTS,
}


class ChangedRelease(AnnotationError):
    """A rebuild produced different files than the first build; the message names them."""


class Unwritable(AnnotationError):
    """The files of this release can no longer be written; the message says why."""


@garbage_collection.paused()
def write(release: Release, folder: Path, progress: Progress | None = None) -> Manifest:
    """Write the files of a release to a new folder, always with the same bytes.

    Raises FileExistsError, ChangedRelease if the files differ from those of the first build, and
    Unwritable if the release was withdrawn or its identity mapping was removed.
    """
    _refuse_what_is_gone(release)
    telling = progress or Progress()
    total = release.examples.count()

    def told(kind: str, rows: Iterable[T]) -> Iterator[T]:
        """Yield the rows unchanged; the first one begins their step."""
        telling.begin(STEP_OF[kind], total=total if kind == "entries" else 0)
        yield from telling.counting(rows)

    manifest = write_content(
        folder,
        frozen.content_of(release).watched(told),
        facts=frozen.facts_of(release),
        settings=frozen.settings_of(release),
    )
    _remember(release, manifest)
    return manifest


def _refuse_what_is_gone(release: Release) -> None:
    if release.withdrawn_at is not None:
        text = _("This release was withdrawn: %(reason)s")
        raise Unwritable(text % {"reason": release.withdrawal_reason})
    if release.names_forgotten_at is not None:
        raise Unwritable(_("The names in this release were forgotten: nobody can write it again."))


def _remember(release: Release, manifest: Manifest) -> None:
    """Store the manifest of the first build. Raises ChangedRelease if a later one differs."""
    written = json.loads(json.dumps(manifest))
    if Release.objects.filter(pk=release.pk, manifest__isnull=True).update(manifest=written):
        release.manifest = written
        return
    release.refresh_from_db(fields=["manifest"])
    if release.manifest != written:
        first, now = (release.manifest or {"files": {}})["files"], written["files"]
        changed = sorted(path for path in {*first, *now} if first.get(path) != now.get(path))
        raise ChangedRelease(f"Not the files of the first build: {', '.join(changed) or 'counts'}.")
