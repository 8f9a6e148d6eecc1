"""The documentation in the product: Markdown and notebooks of `docs`, as pages whose links lead on.

A page in another language is in a folder of its tag, such as `docs/de`; the others are in English.
"""

import posixpath
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path, PurePosixPath

import nh3
from django.conf import settings
from django.urls import reverse
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.token import Token

from operations import notebooks

DOCS = Path(settings.BASE_DIR) / "docs"
PICTURES = DOCS / "pictures"
# Of files that pages offer: programs, notebooks, a release.
FILES = DOCS / "researcher"
SUFFIXES = (".md", notebooks.SUFFIX)
INDEX, ENGLISH = "README", "en"
TAGS = {"p", "h1", "h2", "h3", "h4", "ul", "ol", "li", "em", "strong", "code", "pre", "blockquote"}
TAGS |= {"a", "br", "hr", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "img"}
ATTRIBUTES = {"a": {"href"}, "pre": {"tabindex"}, "table": {"tabindex"}, "img": {"src", "alt"}}
ATTRIBUTES |= {tag: {"id"} for tag in ("h1", "h2", "h3", "h4")}
# Pages for people who work in a shell; on others, what is typed there is folded.
COMMAND = re.compile(r"^(?:\$ |exec )?pawsmith |manage\.py ", re.MULTILINE)
FOR_SHELLS = ("operator/", "contributor/", "decisions/")
MOST_HITS, BEFORE, LONGEST = 20, 60, 180
_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


@dataclass(frozen=True, slots=True)
class Entry:
    """A page of the documentation: its name, such as "manager/study", and its first heading."""

    name: str
    title: str

    @property
    def address(self) -> str:
        return address_of(self.name)


@dataclass(frozen=True, slots=True)
class Passage:
    """A heading, or a paragraph below it; `text` is that of the paragraph, empty for a heading."""

    name: str
    title: str
    heading: str
    anchor: str
    text: str

    def rank(self, words: Sequence[str]) -> int | None:
        """Return how well it matches, 0 best: by title, heading, text, or all together."""
        is_title = self.heading == self.title
        if not self.text:
            return (0 if is_title else 1) if _has_all(self.heading, words) else None
        if _has_all(self.text, words):
            return 2
        whole = f"{self.title} {self.heading} {self.text}"
        has_any = any(word in self.text.lower() for word in words)
        return 3 if has_any and _has_all(whole, words) else None


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that was found, with beginning, match and end of its excerpt, and its language."""

    passage: Passage
    excerpt: tuple[str, str, str]
    language: str

    @property
    def address(self) -> str:
        anchor = self.passage.anchor
        return address_of(self.passage.name) + (f"#{anchor}" if anchor else "")


@cache
def names() -> dict[str, Path]:
    """Return the English files of all pages by name, in the order in which the index has them."""
    languages = dict(settings.LANGUAGES)
    pages = sorted(path for suffix in SUFFIXES for path in DOCS.rglob(f"*{suffix}"))
    paths = {path.relative_to(DOCS).with_suffix(""): path for path in pages}
    english = {name: path for name, path in paths.items() if name.parts[0] not in languages}
    files = {name.as_posix(): path for name, path in english.items()}
    places = {name: place for place, name in enumerate(_linked(files[INDEX]))}
    return dict(sorted(files.items(), key=lambda file: places.get(file[0], len(places))))


def path_of(name: str, language: str) -> Path:
    """Return the file of a page, the English one if there is no other. Raises KeyError."""
    translated = DOCS / language / f"{name}.md"
    return translated if name in names() and translated.exists() else names()[name]


def language_of(name: str, language: str) -> str:
    """Return the language in which a page is shown to readers of `language`."""
    return ENGLISH if path_of(name, language) == names()[name] else language


def address_of(name: str) -> str:
    return reverse("help") if name == INDEX else reverse("help_page", args=[name])


def notebook_address(name: str) -> str:
    """Return where a page can be downloaded as a notebook; "" if it is none."""
    path = names()[name]
    return reverse("help_file", args=[path.name]) if path.suffix == notebooks.SUFFIX else ""


@cache
def neighbours(name: str, language: str = ENGLISH) -> tuple[Entry, ...]:
    folder = posixpath.dirname(name)
    siblings = [key for key in names() if posixpath.dirname(key) == folder and folder]
    return tuple(Entry(key, title_of(key, language)) for key in siblings)


@cache
def title_of(name: str, language: str = ENGLISH) -> str:
    """Return the first heading of a page. Raises KeyError."""
    heading = re.search(r"^# (.+)$", _text(path_of(name, language)), re.MULTILINE)
    return heading.group(1) if heading else name


@cache
def page(name: str, language: str = ENGLISH) -> SafeString:
    """Return a page as HTML, without its title. Raises KeyError for an unknown name."""
    tokens = _without_title(_tokens(name, language))
    for token in tokens:
        for child in token.children or ():
            if child.type == "link_open":
                _point_link(child, path_of(name, language))
            elif child.type == "image":
                _point_picture(child)
    if not name.startswith(FOR_SHELLS):
        tokens = _fold_shell(tokens, language_of(name, language))
    html = _markdown.renderer.render(tokens, _markdown.options, {})
    # What may be wider than its page is scrolled, also by keys.
    for tag in ("pre", "table"):
        html = html.replace(f"<{tag}>", f'<{tag} tabindex="0">')
    clean = nh3.clean(html, tags=TAGS, attributes=ATTRIBUTES)
    return mark_safe(clean)  # noqa: S308 nh3 has just cleaned it


def search(words: str, language: str, within: Collection[str]) -> list[Hit]:
    """Return the best hits in the pages `within`, at most one for each heading.

    Titles come first, then headings, then paragraphs, each in the order of the index.
    """
    terms = words.lower().split()
    if not terms:
        return []
    ranks = (
        (rank, passage)
        for passage in _passages(language)
        if passage.name in within and (rank := passage.rank(terms)) is not None
    )
    hits: dict[tuple[str, str], Hit] = {}
    for _rank, passage in sorted(ranks, key=lambda pair: pair[0]):
        place = (passage.name, passage.anchor)
        tag = language_of(passage.name, language)
        hits.setdefault(place, Hit(passage, _excerpt(passage.text, terms), tag))
    return list(hits.values())[:MOST_HITS]


@cache
def _passages(language: str) -> tuple[Passage, ...]:
    return tuple(passage for name in names() for passage in _passages_of(name, language))


def _passages_of(name: str, language: str) -> Iterator[Passage]:
    title = heading = title_of(name, language)
    anchor = ""
    for before, token in pairwise(_tokens(name, language)):
        if token.type != "inline":
            continue
        text = _plain(token)
        if before.type == "heading_open":
            heading = text
            anchor = "" if before.tag == "h1" else str(before.attrGet("id"))
            yield Passage(name, title, heading, anchor, text="")
        elif text:
            yield Passage(name, title, heading, anchor, text)


def _plain(token: Token) -> str:
    shown = {"softbreak": " ", "hardbreak": " ", "image": ""}
    return "".join(shown.get(child.type, child.content) for child in token.children or ())


def _has_all(text: str, words: Sequence[str]) -> bool:
    return all(word in text.lower() for word in words)


def _excerpt(text: str, words: Sequence[str]) -> tuple[str, str, str]:
    """Split a part of a text at the first of the words that it has."""
    word = next((word for word in words if word in text.lower()), "")
    place = text.lower().find(word)
    start = min(place, text.find(" ", place - BEFORE) + 1) if place > BEFORE else 0
    end = place + len(word)
    before = ("… " if start else "") + text[start:place]
    after = text[end : start + LONGEST]
    return before, text[place:end], after + ("…" if len(text) > start + LONGEST else "")


def _tokens(name: str, language: str) -> list[Token]:
    tokens = _markdown.parse(_text(path_of(name, language)))
    _name_headings(tokens)
    return tokens


def _text(file: Path) -> str:
    text = file.read_text("utf-8")
    return notebooks.as_markdown(text) if file.suffix == notebooks.SUFFIX else text


def _without_title(tokens: list[Token]) -> list[Token]:
    """Leave out the first heading, which is the heading of the page in the product."""
    return tokens[3:] if tokens[0].tag == "h1" else tokens


def _name_headings(tokens: Sequence[Token]) -> None:
    """Give headings the ids that links within the documentation use."""
    for heading, text in pairwise(tokens):
        if heading.type == "heading_open":
            heading.attrSet("id", slugify(text.content, allow_unicode=True))


def _fold_shell(tokens: Sequence[Token], language: str) -> list[Token]:
    """Fold what is typed in a shell: most readers work in the browser."""
    with translation.override(language):
        start = f"<details><summary>{_('In a shell')}</summary>"
    folded = []
    for token in tokens:
        if token.type in ("code_block", "fence") and COMMAND.search(token.content):
            parts = (Token("html_block", "", 0, content=text) for text in (start, "</details>"))
            folded += [next(parts), token, *parts]
        else:
            folded.append(token)
    return folded


def _linked(file: Path) -> list[str]:
    """Return the pages that the index links to, in order, without repetitions."""
    links = re.findall(r"\]\(([^):]+)\.(?:md|ipynb)\)", file.read_text("utf-8"))
    return [INDEX, *dict.fromkeys(links)]


def _point_link(link: Token, file: Path) -> None:
    """Point a link at the page of the file that it names, or the file; others lead nowhere."""
    target, _hash, anchor = str(link.attrGet("href") or "").partition("#")
    if target.startswith(("https://", "http://")) or not target:
        return
    path = DOCS / _within_docs(file, target)
    page_name = path.relative_to(DOCS).with_suffix("").as_posix()
    if path.suffix in SUFFIXES and page_name in names():
        link.attrSet("href", address_of(page_name) + (f"#{anchor}" if anchor else ""))
    elif path.parent == FILES and path.is_file():
        link.attrSet("href", reverse("help_file", args=[path.name]))
    else:
        link.attrs.pop("href", None)


def _point_picture(picture: Token) -> None:
    name = PurePosixPath(str(picture.attrGet("src"))).stem
    picture.attrSet("src", reverse("help_picture", args=[name]))


def _within_docs(file: Path, target: str) -> str:
    """Return the path of a target of a link in `docs`, in English even in other languages."""
    folder = file.parent.relative_to(DOCS).as_posix()
    path = posixpath.normpath(posixpath.join(folder, target))
    first, _slash, rest = path.partition("/")
    return rest if first in dict(settings.LANGUAGES) else path
