"""What can go wrong with an answer, in words that an annotator can read."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from generation.nlp.text import Reason

REASONS = {
    Reason.EMPTY: gettext_lazy("it is empty"),
    Reason.TOO_LONG: gettext_lazy("it is too long"),
    Reason.NUL: gettext_lazy("it holds a character that is no text"),
    Reason.SURROGATE: gettext_lazy("it holds a character that is no text"),
    Reason.LINE_BREAK: gettext_lazy("it holds a line break"),
    Reason.TAB: gettext_lazy("it holds a tab"),
    Reason.CONTROL: gettext_lazy("it holds a character that is no text"),
}


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


class NotStorable(Refused):
    """A fixed sentence that can be no sentence."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(
            _("The fixed sentence cannot be stored: %(reason)s.") % {"reason": REASONS[reason]}
        )
