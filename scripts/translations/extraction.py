"""Extraction of all translatable strings from modules and templates, without GNU gettext."""

import ast
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from django.utils.translation import templatize

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("accounts", "annotation", "common", "config", "generation", "operations", "releases")

# Positions of the arguments with the string, its plural and its context, as in Babel.
FUNCTIONS = {
    "gettext": (1,),
    "gettext_lazy": (1,),
    "gettext_noop": (1,),
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
    "_": (1,),
}
TRANSLATION = "django.utils.translation"

# A string, or a singular with its plural; and the context.
Message = tuple[str | tuple[str, ...], str | None]


def template(root: Path = ROOT) -> Catalog:
    """Return all messages in code and pages under `root`, each with the files that contain it."""
    catalog = Catalog(fuzzy=False)
    for path in sources(root):
        place = path.relative_to(root).as_posix()
        read = of_module if path.suffix == ".py" else of_template
        for message, context in read(path.read_text(encoding="utf-8"), place):
            catalog.add(message, locations=[(place, 1)], context=context)
    return catalog


def sources(root: Path) -> Iterator[Path]:
    """Yield modules, then templates, sorted by name."""
    for room in ROOMS:
        modules = sorted((root / room).rglob("*.py"))
        yield from (path for path in modules if "migrations" not in path.parts)
    templates = sorted((root / "templates").rglob("*"))
    yield from (path for path in templates if path.suffix in {".html", ".txt"})


def of_template(text: str, place: str) -> Iterator[Message]:
    """Yield the messages of a template, which Django converts to calls between placeholders."""
    # In brackets, the lines of a template may have any indentation.
    source = f"({templatize(text, origin=place)}\n)".encode()
    for _line, message, _comments, context in extract("python", BytesIO(source), FUNCTIONS):
        yield message, context


def of_module(text: str, place: str) -> Iterator[Message]:
    """Yield the messages of a module, also if it imports Django's functions by other names.

    Raises ValueError for a call whose string is not a literal.
    """
    tree = ast.parse(text)
    names = dict(_imported(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            yield _message(node, names[node.func.id], place)


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == TRANSLATION:
            for name in node.names:
                if name.name in FUNCTIONS:
                    yield name.asname or name.name, name.name


def _message(call: ast.Call, function: str, place: str) -> Message:
    strings: list[str] = []
    contexts: list[str] = []
    for wanted in FUNCTIONS[function]:
        position, found = (wanted, strings) if isinstance(wanted, int) else (wanted[0], contexts)
        argument = call.args[position - 1]
        if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
            raise ValueError(f"{place}:{call.lineno}: what is to be translated is not one string")
        found.append(argument.value)
    return strings[0] if len(strings) == 1 else tuple(strings), next(iter(contexts), None)
