"""The mark of the product within a page, so that a page takes no request for it."""

from functools import cache
from pathlib import Path
from urllib.parse import quote

from django import template
from django.conf import settings
from django.utils.safestring import SafeString, mark_safe

register = template.Library()
FILE = Path(settings.BASE_DIR) / "static/pawsmith/mark.svg"


@register.simple_tag
@cache
def mark() -> SafeString:
    """Return the mark as a data URI."""
    drawing = " ".join(FILE.read_text(encoding="utf-8").split())
    return mark_safe(f"data:image/svg+xml,{quote(drawing, safe=' =:/,.-')}")  # noqa: S308 quoted
