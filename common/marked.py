"""Marks messages of pure code for translation; a page translates them when it shows them."""


def gettext_noop(message: str) -> str:
    """Return the message unchanged; `makemessages` finds it by the name of this function."""
    return message


class MarkedError(ValueError):
    """What is wrong, for people: `message` is marked for translation and takes `values`."""

    def __init__(self, message: str, **values: object) -> None:
        super().__init__(message % values if values else message)
        self.message, self.values = message, values
