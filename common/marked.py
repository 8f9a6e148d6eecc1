"""Marks messages of pure code for translation; a page translates them when it shows them."""


def gettext_noop(message: str) -> str:
    """Return the message unchanged; `makemessages` finds it by the name of this function."""
    return message
