"""Extraction of translatable strings from Django templates, for Babel ([tool.babel])."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any

from babel.messages.extract import extract_python
from django.utils.translation import templatize


def extract(file: Any, keywords: Any, comment_tags: Any, options: Any) -> Iterator[Any]:
    """Yield the strings of a template, which Django converts to calls between placeholders."""
    # In brackets, the lines of a template may have any indentation.
    source = f"({templatize(file.read().decode())}\n)".encode()
    yield from extract_python(BytesIO(source), keywords, comment_tags, options)
