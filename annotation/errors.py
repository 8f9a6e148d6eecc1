"""Errors about answers, with messages for annotators."""

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from generation.nlp.text import Reason, RefusedText

REASONS = {
    Reason.EMPTY: gettext_lazy("it is empty"),
    Reason.TOO_LONG: gettext_lazy("it has %(length)s characters, and at most %(most)s are allowed"),
    Reason.NUL: gettext_lazy("it contains a character that isn’t text"),
    Reason.SURROGATE: gettext_lazy("it contains a character that isn’t text"),
    Reason.LINE_BREAK: gettext_lazy("it contains a line break"),
    Reason.TAB: gettext_lazy("it contains a tab"),
    Reason.CONTROL: gettext_lazy("it contains a character that isn’t text"),
    Reason.DIRECTION: gettext_lazy(
        "it contains an invisible character that changes text direction"
    ),
    Reason.NONCHARACTER: gettext_lazy("it contains a character that isn’t text"),
    Reason.BYTES: gettext_lazy("it is Python code, b'…', not the text itself"),
}


def in_words(refusal: RefusedText) -> str:
    """Return why a text was refused, as the end of a sentence."""
    sizes = {"length": refusal.length, "most": refusal.most}
    shown = {name: number_format(size, force_grouping=True) for name, size in sizes.items()}
    return str(REASONS[refusal.reason]) % shown


ARCHIVED = gettext_lazy(
    "This project is archived and read-only. A manager can restore it under Settings."
)


class AnnotationError(Exception):
    """An answer that was not stored. `str(error)` is a message for its annotator."""


class NotHeld(AnnotationError):
    """The item is not, or no longer, claimed by this person."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "This item was open for too long and has been assigned to someone else. Your "
                "answer was not saved; here is another item."
            )
        )


class AlreadyAnswered(AnnotationError):
    """The person has already answered this item differently."""

    def __init__(self) -> None:
        super().__init__(
            _("You have already answered this item differently. Undo that answer first.")
        )


class Finished(AnnotationError):
    """A participant has finished since they gave the answer, and may have been paid for it."""

    def __init__(self) -> None:
        super().__init__(
            _("You have finished since you gave this answer, so it can no longer be undone.")
        )


class Complete(AnnotationError):
    """An earlier answer that can no longer be changed, for whatever reason."""


class Refused(AnnotationError):
    """The answer itself is invalid; the message gives the reason."""


class NeedsConfirmation(Refused):
    """A text that is stored only if its author confirms it; `question` is what they are asked."""

    def __init__(self, message: str | Promise, question: str | Promise) -> None:
        super().__init__(message)
        self.question = question


class NotStorable(Refused):
    """A sentence that is not valid text."""

    def __init__(self, refusal: RefusedText) -> None:
        super().__init__(
            _("The sentence can’t be saved: %(reason)s.") % {"reason": in_words(refusal)}
        )
