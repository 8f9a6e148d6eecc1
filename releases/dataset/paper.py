"""paper.tex: the methods, Tables 3 to 5 of PAWS and agreement, to be put into a paper.

Releases that follow Croissant 1.0 have neither what people declared nor references.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.stats import latex
from annotation.stats.labels import Scheme
from common.tables import Row
from releases.dataset import paper_tables, prose
from releases.dataset.facts import CROISSANT_1_0, SIMULATED, ReleaseFacts
from releases.dataset.metadata import Metadata
from releases.dataset.methods import methods
from releases.dataset.paper_tables import outcome_names
from releases.dataset.prose import Paragraphs, sentence, with_full_stop
from releases.dataset.settings import ReleaseSettings
from releases.dataset.statement import TITLES

# Fields of Documentation that a paper tells of.
DECLARED = ("limitations", "biases", "ethics", "recruitment", "training", "pay")
PAWS = """\
@inproceedings{zhang-etal-2019-paws,
  title = {{PAWS}: Paraphrase Adversaries from Word Scrambling},
  author = {Zhang, Yuan and Baldridge, Jason and He, Luheng},
  booktitle = {Proceedings of NAACL-HLT 2019},
  year = {2019},
  pages = {1298--1308},
  url = {https://aclanthology.org/N19-1131},
}"""
PARADE = """\
@inproceedings{he-etal-2020-parade,
  title = {{PARADE}: A New Dataset for Paraphrase Identification Requiring Computer Science Domain
    Knowledge},
  author = {He, Yun and Wang, Zhuoer and Zhang, Yin and Huang, Ruihong and Caverlee, James},
  booktitle = {Proceedings of EMNLP 2020},
  year = {2020},
  pages = {7572--7582},
  url = {https://aclanthology.org/2020.emnlp-main.611},
}"""


def paper(facts: ReleaseFacts, settings: ReleaseSettings, counts: Mapping[str, Any]) -> str:
    tables = _tables(facts, settings, counts)
    references: tuple[str, ...] = ()
    if settings.scheme.is_binary:
        references = (PAWS, PARADE) if settings.scheme.is_graded else (PAWS,)
    return compose(facts, methods(facts, settings, counts), tables, *references)


def compose(
    facts: ReleaseFacts,
    paragraphs: Paragraphs,
    tables: Iterator[tuple[str, str, list[Row]]],
    *references: str,
) -> str:
    """Return the paragraphs, those of what people declared, and the tables, each with its label and
    caption. The references are BibTeX entries, and become comments.
    """
    if facts.croissant == CROISSANT_1_0:
        return _text(facts, paragraphs, tables)
    text = _text(facts, {**paragraphs, **_declared(facts)}, tables)
    entries = "\n".join(("References, in BibTeX:", *references)).splitlines()
    comment = "".join(f"% {line}\n" for line in entries if references)
    # Measured shares have no space there, sentences do.
    return text.replace(" \\%", "\\%") + "\n" + comment


def _declared(facts: ReleaseFacts) -> Paragraphs:
    documentation = (facts.metadata or Metadata()).documentation
    values = {TITLES[name]: getattr(documentation, name) for name in DECLARED}
    return {
        title: [sentence(with_full_stop(text)) for text in texts]
        for title, value in values.items()
        if (texts := [value] if isinstance(value, str) else value) and value
    }


def _text(
    facts: ReleaseFacts, paragraphs: Paragraphs, tables: Iterator[tuple[str, str, list[Row]]]
) -> str:
    title = f"% {' '.join(facts.name.split())} {facts.version}\n{latex.PACKAGES}"
    trial = f"\n\\textbf{{{SIMULATED}}}\n" if facts.simulated_people else ""
    return "\n".join(
        (
            f"{title}{trial}",
            f"{prose.as_latex(paragraphs)}\n",
            *(
                latex.as_latex(rows, caption=caption, label=label)
                for label, caption, rows in tables
            ),
        )
    )


def sizes_caption(scheme: Scheme, parts: str = "subset") -> str:
    if scheme.is_binary:
        return f"Pairs of each {parts}, and the share of paraphrases."
    shares = ", and the share of each label" if scheme.decides else ""
    return f"Pairs of each {parts}{shares}."


def _tables(
    facts: ReleaseFacts, settings: ReleaseSettings, counts: Mapping[str, Any]
) -> Iterator[tuple[str, str, list[Row]]]:
    corrected_methods = facts.corrected_methods
    if corrected_methods is None:  # older releases do not say
        corrected_methods = settings.swap_methods
    for method, rows in paper_tables.method_tables(
        settings, counts, corrected_methods=corrected_methods
    ):
        pairs = method.replace("_", " ").capitalize()
        corrected = method in settings.swap_methods and method in corrected_methods
        yield method, f"{pairs}: {'correction and ' if corrected else ''}judging.", rows
    sizes = paper_tables.sizes(counts, outcome_names(settings.scheme))
    yield "sizes", sizes_caption(settings.scheme), sizes
    (_, *names), *rows = paper_tables.agreement_by_method(settings, counts)
    rows = [(row[0].replace("_", " "), *row[1:]) for row in rows]
    what = " on paraphrase or not" if settings.scheme.is_binary else ""
    caption = f"Agreement{what}, with 95 % intervals."
    yield "agreement", caption, [("", *names), *rows]
