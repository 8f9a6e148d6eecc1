"""Texts that stand for a missing translation."""

# Written instead of a translation (PAWS-X has NS): without white space and in lower case. In a
# constraint: Lower(Replace("text", Value(" "), Value(""))) is none of them.
PLACEHOLDERS = ("", "ns", "n/a", "-", "–", "—")


def placeholder(text: str) -> bool:
    """Whether a text is empty or says only that there is no translation, as NS and N/A do.

    >>> placeholder(" n / A"), placeholder("Ns."), placeholder("NS-Zeit")
    (True, False, False)
    """
    return "".join(text.split()).lower() in PLACEHOLDERS
