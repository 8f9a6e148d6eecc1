"""Which texts are one sentence, whatever set they come from."""

from unicodedata import normalize

# Published sets write one mark in several ways, such as `` and '' for ".
QUOTES = dict.fromkeys(map(ord, "`´'\"‘’‚“”„«»"))


def same(text: str) -> str:
    """Return what is equal for texts of one sentence: sets differ in case, spaces and quotes.

    >>> same('He  said "No".') == same("he said `` no '' .")
    True
    """
    return "".join(normalize("NFC", text).casefold().split()).translate(QUOTES)
