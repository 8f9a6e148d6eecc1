"""Whether a folder can be written and has room for the files of a release."""

import shutil
import tempfile
from pathlib import Path

from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from annotation.errors import AnnotationError
from releases.dataset.plan import ReleasePlan

# Upper bounds of what all files and the archive take, in bytes: for each byte of the texts of a
# pair, for each pair besides its texts, and for the documents and empty tables.
PER_TEXT, PER_PAIR, PER_RELEASE = 4, 2_000, 200_000


class NoRoom(AnnotationError):
    """A disk is too full for the files of a release."""


def estimated(planned: ReleasePlan) -> int:
    """Return the bytes that the files and the archive of a plan take at most, roughly."""
    pairs = (*planned.pairs, *planned.silver)
    texts = sum(len(pair.text1.encode()) + len(pair.text2.encode()) for pair in pairs)
    return PER_TEXT * texts + PER_PAIR * len(pairs) + PER_RELEASE


def require(place: Path, size: int) -> None:
    """Create the folder if needed. Raises NoRoom, or OSError if the folder cannot be written."""
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=place):
        free = shutil.disk_usage(place).free
    if free < size:
        text = _("Not enough space in %(place)s: %(free)s are free, about %(size)s are needed.")
        sizes = {"free": filesizeformat(free), "size": filesizeformat(size)}
        raise NoRoom(text % {"place": place, **sizes})
