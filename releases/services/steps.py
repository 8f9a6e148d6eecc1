"""The steps of building and uploading a release, and what is raised when others changed it."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from annotation.errors import AnnotationError

# A retry cannot help: the settings or the stored data cannot be processed.
HOPELESS = (ValueError, ValidationError, AnnotationError)

# The steps of a build; the first two are those of a preview.
READING, PLANNING, FREEZING = "reading", "planning", "freezing"
FILES, SENTENCES, JUDGMENTS, PACKING = "files", "sentences", "judgments", "packing"
# Those of an upload; the second counts KiB.
CHECKING, UPLOADING, COMMITTING = "checking", "uploading", "committing"


class LostRelease(AnnotationError):
    """Another worker is building the release, or it has changed since it was read."""


class Unchangeable(AnnotationError):
    """The release is not in the required state, or has changed since it was read."""

    def __init__(self) -> None:
        super().__init__(
            _("The release has changed since you loaded this page. Reload it and try again.")
        )
