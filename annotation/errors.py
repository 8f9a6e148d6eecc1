"""What can go wrong with an answer, in words that an annotator can read."""

from django.utils.translation import gettext as _


class AnnotationError(Exception):
    """An answer that was not stored. `str(error)` is fit to be shown to the person who gave it."""


class NotHeld(AnnotationError):
    """The item is not, or no longer, this person's."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "This item was open for too long and has gone to somebody else. "
                "Your answer was not stored; here is another item."
            )
        )


class AlreadyAnswered(AnnotationError):
    """The same person has answered this item, and differently."""

    def __init__(self) -> None:
        super().__init__(
            _("You have already answered this item differently. Undo that answer first.")
        )


class Refused(AnnotationError):
    """The answer itself cannot be stored; the text says why."""
