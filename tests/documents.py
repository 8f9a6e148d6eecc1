"""What the documents show: their fenced examples, and the commands that stand anywhere in them."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"

_FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# In code alone: indented, fenced or between backticks. What may be left out stands in brackets.
_COMMAND = re.compile(r"(?:^ {4,}|^\$ |`)[^`\n]*?manage\.py +(\w+)([^`\n]*)", re.MULTILINE)


def examples(name: str, language: str) -> list[str]:
    """The fenced examples of one document in one language, in order."""
    found = _FENCED.findall((DOCS / name).read_text(encoding="utf-8"))
    return [code for told, code in found if told == language]


def commands() -> Iterator[tuple[str, str, list[str]]]:
    """Document, name and arguments of every command of manage.py that a document shows."""
    for document in (ROOT / "README.md", *sorted(DOCS.glob("*.md"))):
        text = document.read_text(encoding="utf-8").replace("\\\n", " ")
        for name, arguments in _COMMAND.findall(text):
            plain = arguments.translate({ord("["): " ", ord("]"): " "})
            yield document.name, name, shlex.split(plain, comments=True)
