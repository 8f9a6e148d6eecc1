"""Text that people wrote, made fit for a page."""

import nh3
from django import template
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

register = template.Library()
# Headings of a text stand below the page's own.
TAGS = {"p", "h2", "h3", "h4", "ul", "ol", "li", "em", "strong", "code", "pre", "blockquote", "hr"}
TAGS |= {"a", "br", "table", "thead", "tbody", "tr", "th", "td"}
_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


@register.filter
def markdown(text: str) -> SafeString:
    """Markdown as HTML that holds no script, style, image or form."""
    html = nh3.clean(_markdown.render(text), tags=TAGS, attributes={"a": {"href", "title"}})
    return mark_safe(html)  # noqa: S308 nh3 has just cleaned it
