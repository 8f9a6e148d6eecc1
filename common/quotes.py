"""Texts between the quotation marks of the page's language."""

from django.utils.translation import gettext


def quoted(text: str) -> str:
    return gettext("“%(text)s”") % {"text": text}
