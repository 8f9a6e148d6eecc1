"""paper.tex: the methods, Tables 3 to 5 of PAWS and agreement, to be put into a paper."""

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.stats import latex
from annotation.stats.report import Row
from releases.dataset import paper_tables, prose
from releases.dataset.manifest import ReleaseFacts
from releases.dataset.methods import methods
from releases.dataset.prose import Paragraphs
from releases.dataset.settings import ReleaseSettings


def paper(facts: ReleaseFacts, settings: ReleaseSettings, counts: Mapping[str, Any]) -> str:
    tables = _tables(settings, counts)
    return compose(facts, methods(facts, settings, counts), tables)


def compose(
    facts: ReleaseFacts, paragraphs: Paragraphs, tables: Iterator[tuple[str, str, list[Row]]]
) -> str:
    """Return the paragraphs and the tables, each with its label and caption."""
    title = f"% {' '.join(facts.name.split())} {facts.version}\n{latex.PACKAGES}"
    return "\n".join(
        (
            title,
            f"{prose.as_latex(paragraphs)}\n",
            *(
                latex.as_latex(rows, caption=caption, label=label)
                for label, caption, rows in tables
            ),
        )
    )


def _tables(
    settings: ReleaseSettings, counts: Mapping[str, Any]
) -> Iterator[tuple[str, str, list[Row]]]:
    for method, rows in paper_tables.method_tables(settings, counts):
        pairs = method.replace("_", " ").capitalize()
        corrected = method in settings.swap_methods
        yield method, f"{pairs}: {'correction and ' if corrected else ''}judging.", rows
    yield "sizes", "Pairs of each subset, and the share of paraphrases.", paper_tables.sizes(counts)
    (_, *names), *rows = paper_tables.agreement_on_sides(settings, counts)
    rows = [(row[0].replace("_", " "), *row[1:]) for row in rows]
    caption = "Agreement on paraphrase or not, with 95 % intervals."
    yield "agreement", caption, [("", *names), *rows]
