"""Jupyter notebooks of the documentation as Markdown, for Help and the documentation site."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

SUFFIX = ".ipynb"


def as_markdown(notebook: str) -> str:
    """Return the cells of a notebook, given as JSON: text, code, and what the code printed."""
    return "\n\n".join(part for cell in json.loads(notebook)["cells"] for part in _parts(cell))


def texts_of(cell: Mapping[str, Any]) -> list[str]:
    """Return the outputs of a cell as plain texts."""
    contents = (output.get("text") or output["data"]["text/plain"] for output in cell["outputs"])
    return ["".join(content) for content in contents]


def _parts(cell: Mapping[str, Any]) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
    else:
        yield f"```python\n{source}\n```"
        for text in texts_of(cell):
            yield f"```\n{text.rstrip()}\n```"
