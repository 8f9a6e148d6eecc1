"""What people declare about a dataset, as sections of its card.

The data statement follows Bender and Friedman, "Data Statements for Natural Language Processing"
(TACL 2018).
"""

from typing import TypeAlias

from releases.dataset.documentation import QUESTIONS, Documentation
from releases.dataset.facts import ReleaseFacts
from releases.dataset.metadata import Metadata

NOT_STATED = "Not stated."
TITLES = {question.name: question.title for question in QUESTIONS}
# Of each section, the fields that it has.
SECTIONS = {
    "Uses": ("uses",),
    "Not for": ("excluded_uses",),
    "Limitations and biases": ("limitations", "biases", "sensitive", "social_impact"),
    "Ethics, recruitment and pay": ("ethics", "recruitment", "training", "pay"),
    "Maintenance": ("maintenance",),
}
# A section has a title and a text.
Section: TypeAlias = tuple[str, str]


def documentation_sections(
    facts: ReleaseFacts, *, people: str = "", provenance: str = ""
) -> list[Section]:
    """Return the sections of the card; none if nothing is declared.

    `people` says how many annotators there were, `provenance` where the texts are from.
    """
    metadata = facts.metadata or Metadata()
    declared = metadata.documentation
    if not declared:
        return []
    statement = _statement(facts, metadata, people=people, provenance=provenance)
    sections = ((title, _section(declared, names)) for title, names in SECTIONS.items())
    return [("Data statement", statement), *((title, text) for title, text in sections if text)]


def _statement(facts: ReleaseFacts, metadata: Metadata, *, people: str, provenance: str) -> str:
    declared = metadata.documentation
    tags = ", ".join(f"`{tag}`" for tag in metadata.languages or (facts.language,))
    parts = {
        "Curation rationale": declared.purpose,
        "Language variety": _join(f"{tags}.", declared.language_variety),
        "Speaker demographic": declared.authors_of_texts,
        "Annotator demographic": _join(people, _as_list(declared.demographics)),
        "Speech situation and text characteristics": declared.text_characteristics,
        "Recording quality": "Not applicable: the dataset has no recordings.",
        "Provenance appendix": provenance,
    }
    return "\n\n".join(_titled(title, text or NOT_STATED) for title, text in parts.items())


def _section(declared: Documentation, names: tuple[str, ...]) -> str:
    texts = {name: _text(getattr(declared, name)) for name in names}
    if len(names) == 1:
        return texts[names[0]]
    return "\n\n".join(_titled(TITLES[name], text) for name, text in texts.items() if text)


def _text(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else _as_list(value)


def _as_list(entries: tuple[str, ...]) -> str:
    return "\n".join(f"- {entry}" for entry in entries)


def _titled(title: str, text: str) -> str:
    """Return a text behind its title, or a list below it."""
    space = "\n\n" if text.startswith("- ") else " "
    return f"**{title}.**{space}{text}"


def _join(*texts: str) -> str:
    return "\n\n".join(filter(None, texts))
