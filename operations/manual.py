"""The documentation in the product: the Markdown files of `docs`, as pages whose links lead on."""

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import nh3
from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from markdown_it import MarkdownIt
from markdown_it.token import Token

DOCS = Path(settings.BASE_DIR) / "docs"
INDEX = "README"
TAGS = {"p", "h1", "h2", "h3", "h4", "ul", "ol", "li", "em", "strong", "code", "pre", "blockquote"}
TAGS |= {"a", "br", "hr", "table", "thead", "tbody", "tr", "th", "td"}
ATTRIBUTES = {"a": {"href"}, "pre": {"tabindex"}, "table": {"tabindex"}}
ATTRIBUTES |= {tag: {"id"} for tag in ("h1", "h2", "h3", "h4")}
_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


@dataclass(frozen=True, slots=True)
class Entry:
    """A page of the documentation: its name, such as "manager/study", and its first heading."""

    name: str
    title: str

    @property
    def address(self) -> str:
        return address_of(self.name)


@cache
def names() -> dict[str, Path]:
    """Return the files of all pages by name."""
    paths = {path.relative_to(DOCS).with_suffix(""): path for path in sorted(DOCS.rglob("*.md"))}
    return {name.as_posix(): path for name, path in paths.items()}


def address_of(name: str) -> str:
    return reverse("help") if name == INDEX else reverse("help_page", args=[name])


@cache
def neighbours(name: str) -> tuple[Entry, ...]:
    folder = posixpath.dirname(name)
    siblings = [key for key in names() if posixpath.dirname(key) == folder and folder]
    return tuple(Entry(key, title_of(key)) for key in siblings)


@cache
def title_of(name: str) -> str:
    """Return the first heading of a page. Raises KeyError."""
    heading = re.search(r"^# (.+)$", names()[name].read_text("utf-8"), re.MULTILINE)
    return heading.group(1) if heading else name


@cache
def page(name: str) -> SafeString:
    """Return a page as HTML. Raises KeyError for an unknown name."""
    tokens = _markdown.parse(names()[name].read_text("utf-8"))
    _name_headings(tokens)
    for token in tokens:
        for child in token.children or ():
            if child.type == "link_open":
                _point_link(child, name)
    html = _markdown.renderer.render(tokens, _markdown.options, {})
    # What may be wider than its page is scrolled, also by keys.
    for tag in ("pre", "table"):
        html = html.replace(f"<{tag}>", f'<{tag} tabindex="0">')
    clean = nh3.clean(html, tags=TAGS, attributes=ATTRIBUTES)
    return mark_safe(clean)  # noqa: S308 nh3 has just cleaned it


def _name_headings(tokens: Sequence[Token]) -> None:
    """Give headings the ids that links within the documentation use."""
    for heading, text in pairwise(tokens):
        if heading.type == "heading_open":
            heading.attrSet("id", slugify(text.content))


def _point_link(link: Token, name: str) -> None:
    """Point a link at the page of the file that it names; one to another file leads nowhere."""
    target, _, anchor = str(link.attrGet("href") or "").partition("#")
    if target.startswith(("https://", "http://")) or not target:
        return
    path = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
    page_name = path.removesuffix(".md")
    if path.endswith(".md") and page_name in names():
        link.attrSet("href", address_of(page_name) + (f"#{anchor}" if anchor else ""))
    else:
        link.attrs.pop("href", None)
