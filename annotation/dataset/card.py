"""README.md: the dataset card, whose front matter tells `datasets.load_dataset` what lies where.

https://huggingface.co/docs/hub/datasets-cards
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from huggingface_hub import DatasetCardData

from annotation.dataset.manifest import ReleaseFacts
from annotation.dataset.settings import ReleaseSettings
from annotation.dataset.tables import TABLES
from annotation.stats.agreement import VoteTable
from annotation.stats.consensus import Protocol
from annotation.stats.report import (
    Correction,
    Row,
    SplitCounts,
    as_markdown,
    count,
    percent,
    table3,
    table4,
    table5,
)

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
HUGGING_FACE_LICENCE = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+)*")
SIMULATED = "**Some judgments come from simulated annotators. This release is a trial, not data.**"
LOADING = """\
```python
from datasets import load_dataset

pairs = load_dataset("path/to/this/folder", "labeled_final")
```"""
FILES = """\
| file | what |
|---|---|
| `labeled_final/` | pairs with a label that people agree on, or that follows from such labels |
| `labeled_swap/` | further judged word swaps, for training |
| `unlabeled_final/` | pairs that nobody judged, with the label that their method suggests |
| `low_agreement.tsv` | judged pairs on which too few agreed, with their votes |
| `parquet/` | the same tables, typed |
| `pairs.jsonl` | every pair with its origin, votes and place |
| `sentences.jsonl` | every sentence with its source |
| `judgments.jsonl` | every answer |
| `manifest.json`, `croissant.json` | settings, counts and checksums; the Croissant description |

TSV files have a header and no quoting: read them with quoting switched off."""


def card(
    facts: ReleaseFacts, settings: ReleaseSettings, counts: Mapping[str, Any], *, simulated: bool
) -> str:
    """The whole document. `counts` are those of manifest.json."""
    sections = (
        ("Load", LOADING),
        ("Files", FILES),
        ("Counts", "\n".join(count_tables(settings, counts))),
        ("Agreement", as_markdown(agreement_rows(counts))),
        ("Protocol", protocol(settings, counts)),
        ("Guidelines", facts.guidelines),
        ("Generator models", "\n".join(models(facts.models))),
        ("Licence of the source text", facts.licence or "Not stated."),
        ("Citation", facts.citation),
    )
    body = [f"# {facts.name} {facts.version}", facts.description, SIMULATED if simulated else ""]
    body += [f"## {title}\n\n{text.strip()}" for title, text in sections if text.strip()]
    return f"---\n{front_matter(facts, counts)}---\n\n" + "\n\n".join(filter(None, body)) + "\n"


def front_matter(facts: ReleaseFacts, counts: Mapping[str, Any]) -> str:
    """The YAML head of the card: tables that have rows, read from Parquet."""
    known = HUGGING_FACE_LICENCE.fullmatch(facts.licence)
    data = DatasetCardData(
        pretty_name=facts.name,
        language=facts.language,
        license=facts.licence if known else "other",
        license_name=None if known else facts.licence or None,
        task_categories=["text-classification"],
        tags=["paraphrase-identification", "adversarial"],
        size_categories=size_category(counts),
        configs=list(configs(counts)),
    )
    return str(data.to_yaml()) + "\n"


def configs(counts: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """A configuration for each subset, with the splits that have rows."""
    for subset, splits in counts["subsets"].items():
        files = [
            {"split": table.split, "path": table.parquet}
            for table in TABLES
            if table.subset == subset and splits[table.split]["pairs"]
        ]
        if files:
            default = {"default": True} if subset == "labeled_final" else {}
            yield {"config_name": subset, "data_files": files, **default}


def size_category(counts: Mapping[str, Any]) -> str:
    """The bracket in which the number of pairs falls."""
    pairs = sum(
        split["pairs"] for splits in counts["subsets"].values() for split in splits.values()
    )
    return next((name for bound, name in SIZES if pairs < bound), "1M<n<10M")


def count_tables(settings: ReleaseSettings, counts: Mapping[str, Any]) -> Iterable[str]:
    """PAWS Tables 3 (each word swap), 4 (each other method) and 5."""
    binary = Protocol(settings.annotators_per_pair, settings.consensus_min_votes)
    corrections = counts["corrections"]
    accepted, fixed, rejected = (corrections[key] for key in ("accept", "fix", "reject"))
    for method, votes in vote_tables(counts).items():
        if method in settings.swap_methods:
            correction = Correction(accepted + fixed + rejected, accepted, fixed, rejected)
            rows = table3(correction, votes, binary)
        else:
            rows = table4(votes, binary)
        yield as_markdown([(f"`{method}`", ""), *rows])
    yield as_markdown(table5(split_counts(counts)))


def vote_tables(counts: Mapping[str, Any]) -> dict[str, VoteTable]:
    """The votes of each method, as the statistics take them."""
    return {
        method: {(against, for_): pairs for against, for_, pairs in rows}
        for method, rows in counts["votes"].items()
    }


def split_counts(counts: Mapping[str, Any]) -> dict[str, SplitCounts]:
    """The rows of Table 5: subsets whose pairs have a label."""
    return {
        subset: SplitCounts(
            train=splits["train"]["pairs"],
            dev=splits.get("dev", {}).get("pairs"),
            test=splits.get("test", {}).get("pairs"),
            paraphrases=sum(split["paraphrases"] for split in splits.values()),
        )
        for subset, splits in counts["subsets"].items()
        if subset != "low_agreement"
    }


def agreement_rows(counts: Mapping[str, Any]) -> list[Row]:
    """Measures of agreement by method."""
    rows: list[Row] = [("Method", "Human agreement", "Fleiss' kappa", "Krippendorff's alpha")]
    for method, measures in counts["agreement"].items():
        human, *others = measures.values()
        rows.append((f"`{method}`", percent(human), *map(coefficient, others)))
    return rows


def coefficient(value: float | None) -> str:
    """A kappa or alpha; "-" where it is undefined."""
    return "-" if value is None else f"{value:.3f}"


def protocol(settings: ReleaseSettings, counts: Mapping[str, Any]) -> str:
    """How labels came about, in sentences."""
    scale = (
        "as having the same meaning or not"
        if settings.max_label == 1
        else f"on a scale from 0 to {settings.max_label}, "
        f"where {settings.paraphrase_from} and above mean paraphrase"
    )
    pace = counts["seconds"] / (counts["judgments"] or 1)
    return (
        f"{settings.annotators_per_pair} people judged each pair, each alone, {scale}. "
        f"A pair is kept when at least {settings.consensus_min_votes} of them agree. "
        f"{count(counts['annotators'])} annotators gave {count(counts['judgments'])} judgments"
        + (f" and took {pace:.1f} seconds for each." if pace else ".")
    )


def models(identities: Iterable[Mapping[str, str]]) -> Iterable[str]:
    """A line for each model."""
    for identity in identities:
        yield "- " + ", ".join(f"{key}: `{value}`" for key, value in identity.items())
