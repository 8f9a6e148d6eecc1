"""The documentation site, built by scripts/docs from the pages and notebooks that Help shows too.

The source folder is the repository, so that links from pages to README.md and others resolve.
"""

import re
import sys
from pathlib import Path

import drf_spectacular_sidecar
from sphinx.application import Sphinx

ROOT = Path(__file__).parents[1]
SIDECAR = Path(drf_spectacular_sidecar.__path__[0]) / "static/drf_spectacular_sidecar"
sys.path.insert(0, str(ROOT))

from operations import notebooks  # noqa: E402

project = "Pawsmith"
root_doc = "README"
include_patterns = ["*.md", "docs/**", "generation/nlp/embedded/MODEL_CARD.md"]
exclude_patterns = [".*", "var"]
extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {
    ".md": "markdown",
    ".rst": "restructuredtext",
    notebooks.SUFFIX: "markdown",  # after show_notebook
}
highlight_language = "none"
default_role = "literal"  # docstrings quote names as Markdown does
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
myst_heading_anchors = 4

html_theme = "furo"
html_title = project
html_favicon = "../static/pawsmith/favicon.svg"
html_static_path = [
    str(SIDECAR / "swagger-ui-dist" / name)
    for name in ("swagger-ui.css", "swagger-ui-bundle.js", "swagger-ui-bundle.js.LICENSE.txt")
]
html_copy_source = False
html_show_copyright = html_show_sphinx = False

# Pages to which no list of an index links, by the part of the navigation that has them.
FURTHER_PAGES = {
    "Annotators": ["docs/de/annotator"],
    "Researchers": ["docs/researcher/rest_reference", "docs/researcher/python"],
    "Contributors": ["CHANGELOG", "SECURITY", "generation/nlp/embedded/MODEL_CARD"],
}


def add_navigation(_app: Sphinx, name: str, source: list[str]) -> None:
    """Put what the indexes of docs list into the navigation, in their order."""
    if name == root_doc:
        index = (ROOT / "docs/README.md").read_text("utf-8")
        trees = [_tree("", ["docs/README"])]
        for part in re.split(r"^(?=\*\*)", index, flags=re.MULTILINE)[1:]:
            title = part.split("**")[1]
            pages = [page.removeprefix("docs/../") for page in _linked(part, "docs/")]
            trees.append(_tree(title, [*pages, *FURTHER_PAGES.get(title, [])]))
        source[0] += "".join(trees)
    elif name == "docs/decisions/README":
        source[0] += _tree("", _linked(source[0], ""))


def show_notebook(app: Sphinx, name: str, source: list[str]) -> None:
    """Turn a notebook into the Markdown of its page, with a link to the file."""
    path = Path(app.env.doc2path(name))
    if path.suffix == notebooks.SUFFIX:
        title, _line, rest = notebooks.as_markdown(source[0]).partition("\n")
        source[0] = f"{title}\n\n[Download this notebook](path:{path.name})\n{rest}"


def _linked(text: str, folder: str) -> list[str]:
    return [f"{folder}{page}" for page in re.findall(r"\]\(([^):]+)\.(?:md|ipynb)\)", text)]


def _tree(caption: str, pages: list[str]) -> str:
    title = [f":caption: {caption}"] if caption else []
    return "\n".join(["", "```{toctree}", ":hidden:", *title, "", *pages, "```", ""])


def setup(app: Sphinx) -> None:
    app.connect("source-read", add_navigation)
    app.connect("source-read", show_notebook)
