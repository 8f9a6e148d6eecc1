"""What the cards of all kinds of release share: front matter, licence, citation, files."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from huggingface_hub import DatasetCardData

from common import licences
from releases.dataset.facts import ReleaseFacts
from releases.dataset.files import Table
from releases.dataset.formats import Format
from releases.dataset.metadata import Author, Metadata
from releases.dataset.task import CLASSIFICATION, TAGS

LOADING = """\
```python
from datasets import load_dataset

pairs = load_dataset("path/to/this/folder", "{subset}")
```"""
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
HUGGING_FACE_LICENCE = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+)*")
MODELS_TITLE = "Generator models"
# The place of a key in the line of a model; those of its identity are between.
MODEL_KEYS = {"method": 0, "part": 1, "seed": 3, "settings": 4}
DOCUMENTS = (
    "| `manifest.json`, `croissant.json` | settings, counts and checksums; the Croissant "
    "description |"
)
PAPER_ROW = "| `paper.tex` | methods, tables and agreement for a paper, in LaTeX |"
CITED = "| `CITATION.cff`, `.zenodo.json` | how to cite it, for programs and for Zenodo |"
CITE_PUBLISHERS = "{title} is a copy of a set that others published. Cite them too:"
NO_QUOTING = "TSV files have a header and no quoting: read them with quoting switched off."


def whole_card(
    facts: ReleaseFacts, data: str, top: Iterable[str], sections: Iterable[tuple[str, str]]
) -> str:
    """Return a card with this front matter; what is empty of its top and sections is left out."""
    parts = [f"# {facts.name} {facts.version}", *top]
    parts += [f"## {title}\n\n{text.strip()}" for title, text in sections if text.strip()]
    return f"---\n{data}---\n\n" + "\n\n".join(filter(None, parts)) + "\n"


def loading(subset: str) -> str:
    return LOADING.format(subset=subset)


def citation(facts: ReleaseFacts) -> str:
    """Return the sentence and the entry of the release, then the citation of its publishers."""
    sentence_of_release = facts.metadata.citation if facts.metadata else ""
    published = facts.published.get("citation", "")
    texts = [sentence_of_release, _quoted(facts.citation)]
    texts += (
        [CITE_PUBLISHERS.format(title=facts.published["title"]), _quoted(published)]
        if published
        else []
    )
    return "\n\n".join(filter(None, texts))


def _quoted(text: str) -> str:
    """Return BibTeX as a block of code, and a sentence as it is."""
    return f"```bibtex\n{text}\n```" if text.startswith("@") else text


def author(person: Author) -> str:
    orcid = f"ORCID [{person.orcid}]({person.orcid_address})" if person.orcid else ""
    return "- " + ", ".join(filter(None, (person.spoken, person.affiliation, orcid)))


def licence(metadata: Metadata) -> str:
    """Return a link to the licence of the dataset, empty if none is declared."""
    name = metadata.licence
    return f"[{name}]({licences.address(name)})" if name else ""


def front_matter(
    facts: ReleaseFacts,
    counts: Mapping[str, Any],
    tables: Sequence[Table],
    *,
    tags: Sequence[str] = TAGS,
    **further: Any,
) -> str:
    """Return the YAML front matter; `datasets` loads the first subset unless another is named."""
    metadata = facts.metadata or Metadata()
    data = DatasetCardData(
        pretty_name=facts.name,
        language=language_codes(metadata.languages) or facts.language,
        **hub_licence(metadata.licence, facts.licence),
        task_categories=[facts.task.get("category", CLASSIFICATION)],
        tags=[*facts.task.get("tags", tags)] or None,
        size_categories=size_category(counts),
        configs=list(subset_configs(counts, tables)),
        **further,
    )
    return str(data.to_yaml()) + "\n"


def language_codes(tags: Iterable[str]) -> list[str]:
    """Return the languages of tags, without scripts and regions, which the Hub does not take."""
    return list(dict.fromkeys(tag.partition("-")[0].lower() for tag in tags))


def hub_licence(spdx: str, source_licence: str) -> dict[str, Any]:
    """A licence that the Hub does not know has its name, and its web page if that is known."""
    hub_name = licences.HUB_NAMES.get(spdx)
    if spdx and not hub_name:
        address = licences.address(spdx)
        return {"license": "other", "license_name": spdx.lower(), "license_link": address}
    if not spdx and HUGGING_FACE_LICENCE.fullmatch(source_licence):
        hub_name = source_licence
    return {
        "license": hub_name or "other",
        "license_name": None if hub_name else source_licence or None,
    }


def subset_configs(counts: Mapping[str, Any], tables: Sequence[Table]) -> Iterable[dict[str, Any]]:
    for subset, splits in counts["subsets"].items():
        files = [
            {"split": table.split_name, "path": table.parquet}
            for table in tables
            if table.subset == subset and splits[table.split_name]["pairs"]
        ]
        if files:
            default = {"default": True} if subset == tables[0].subset else {}
            yield {"config_name": subset, "data_files": files, **default}


def size_category(counts: Mapping[str, Any]) -> str:
    pairs = sum(
        split["pairs"] for splits in counts["subsets"].values() for split in splits.values()
    )
    return next((name for bound, name in SIZES if pairs < bound), "1M<n<10M")


def documents(metadata: Metadata, release_format: Format) -> list[str]:
    """Return the rows of the documents that only some releases have."""
    paper = [PAPER_ROW] if release_format.has_paper else []
    return [*paper, *([CITED] if metadata.authors else [])]


def column_rows(table: Table) -> str:
    lines = (f"| `{column.name}` | {column.about} |" for column in table.columns)
    return "\n".join(("| column | what |", "|---|---|", *lines))


def model_lines(identities: Iterable[Mapping[str, str]]) -> Iterable[str]:
    """Yield a line for each model.

    Postgres does not keep the order of stored keys: those in MODEL_KEYS have a fixed place, and the
    others are stored in its order.
    """
    for identity in identities:
        keys = sorted(identity, key=lambda key: MODEL_KEYS.get(key, 2))
        yield "- " + ", ".join(f"{key}: `{identity[key]}`" for key in keys)
