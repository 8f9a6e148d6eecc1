"""Filters for text written by people."""

import nh3
from django import template
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from annotation.models import Intervention
from annotation.quality.selectors import interventions

register = template.Library()
TAGS = {"p", "h2", "h3", "h4", "ul", "ol", "li", "em", "strong", "code", "pre", "blockquote", "hr"}
TAGS |= {"a", "br", "table", "thead", "tbody", "tr", "th", "td"}
_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


@register.filter
def markdown(text: str) -> SafeString:
    """Convert Markdown to HTML without scripts, styles, images or forms."""
    tokens = _markdown.parse(text)
    for token in tokens:
        if token.tag == "h1":
            token.tag = "h2"  # the page has its own first heading
    html = _markdown.renderer.render(tokens, _markdown.options, {})
    clean = nh3.clean(html, tags=TAGS, attributes={"a": {"href", "title"}})
    return mark_safe(clean)  # noqa: S308 nh3 has just cleaned it


@register.filter
def why(step: Intervention) -> str:
    return interventions.reason_of(step)
