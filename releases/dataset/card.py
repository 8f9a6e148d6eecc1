"""README.md: the dataset card, whose front matter tells `datasets.load_dataset` what lies where.

https://huggingface.co/docs/hub/datasets-cards
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from huggingface_hub import DatasetCardData

from annotation.stats import measures
from annotation.stats.agreement import VoteTable
from annotation.stats.consensus import Protocol
from annotation.stats.measures import Agreement, Estimate
from annotation.stats.report import (
    Correction,
    Row,
    SplitCounts,
    as_markdown,
    count,
    table3,
    table4,
    table5,
)
from releases.dataset.manifest import ReleaseFacts
from releases.dataset.settings import ReleaseSettings
from releases.dataset.tables import TABLES

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
| `adjudications.jsonl` | what experts say of pairs on which too few agreed; in no label |
| `guests.jsonl` | what models say of judged pairs; in no label and no figure |

TSV files have a header and no quoting: read them with quoting switched off."""
EARLY = (
    "Nobody was asked any more once so many agreed, so a kept pair may have fewer judgments, and "
    "the agreement on it is higher than that of full panels."
)
AGREEMENT_NOTE = """\
Human agreement is the share of labels that equal the majority of their pair. In brackets stand
intervals at 95 %, from 1,000 samples of the pairs with replacement. Any other measure can be
computed from `judgments.jsonl`."""


def card(
    facts: ReleaseFacts, settings: ReleaseSettings, counts: Mapping[str, Any], *, simulated: bool
) -> str:
    """The whole document. `counts` are those of manifest.json.

    Its tables are those of the dashboard and of `manage.py report`, made by the same code.
    """
    sections = (
        ("Load", LOADING),
        ("Files", files(counts)),
        ("Counts", "\n".join(count_tables(settings, counts))),
        ("Agreement", agreement(settings, counts)),
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
    two_sided = binary(settings)
    corrections = counts["corrections"]
    accepted, fixed, rejected = (corrections[key] for key in ("accept", "fix", "reject"))
    for method, votes in vote_tables(counts).items():
        if method in settings.swap_methods:
            correction = Correction(accepted + fixed + rejected, accepted, fixed, rejected)
            rows = table3(correction, votes, two_sided)
        else:
            rows = table4(votes, two_sided)
        yield as_markdown([(f"`{method}`", ""), *rows])
    yield as_markdown(table5(split_counts(counts)))


def binary(settings: ReleaseSettings) -> Protocol:
    """The protocol for votes, which have two sides whatever the scale."""
    return replace(settings.protocol, max_label=1, paraphrase_from=1)


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


def files(counts: Mapping[str, Any]) -> str:
    """What lies where; files that this release does not have are not named."""
    missing = [name for name in ("adjudications", "guests") if name not in counts]
    lines = FILES.split("\n")
    return "\n".join(
        line for line in lines if not line.startswith(tuple(f"| `{m}" for m in missing))
    )


def agreement(settings: ReleaseSettings, counts: Mapping[str, Any]) -> str:
    """Measures by method, before and after the filter, each with its interval."""
    rows: list[Row] = [
        ("Method", "Pairs", "Human agreement", "Fleiss' kappa", "Krippendorff's alpha")
    ]
    for method, votes in vote_tables(counts).items():
        both = measures.filtered(votes, binary(settings))
        rows += [
            measured(f"`{method}`", both.before),
            measured(f"`{method}`, kept pairs", both.after),
        ]
    return f"{as_markdown(rows)}\n{AGREEMENT_NOTE}"


def measured(name: str, of: Agreement) -> Row:
    """A row of the table of agreement."""
    return (name, count(of.pairs), *(in_words(each) for each in (of.human, of.fleiss, of.alpha)))


def in_words(estimate: Estimate) -> str:
    """A measure and its interval; "-" where it is undefined."""
    if estimate.value is None:
        return "-"
    if estimate.interval is None:
        return f"{estimate.value:.3f}"
    low, high = estimate.interval
    return f"{estimate.value:.3f} ({low:.3f} to {high:.3f})"


def protocol(settings: ReleaseSettings, counts: Mapping[str, Any]) -> str:
    """How labels came about, in sentences."""
    scale = (
        "as having the same meaning or not"
        if settings.max_label == 1
        else f"on a scale from 0 to {settings.max_label}, "
        f"where {settings.paraphrase_from} and above mean paraphrase"
    )
    pace = counts["seconds"] / (counts["judgments"] or 1)
    sentences = [
        f"{settings.annotators_per_pair} people judged each pair, each alone, {scale}.",
        f"A pair is kept when at least {settings.consensus_min_votes} of them agree.",
        EARLY if settings.decides_early else "",
        again(counts),
        f"{count(counts['annotators'])} annotators gave {count(counts['judgments'])} judgments"
        + (f" and took {pace:.1f} seconds for each." if pace else "."),
        others(counts),
    ]
    return " ".join(filter(None, sentences))


def again(counts: Mapping[str, Any]) -> str:
    """How many pairs came to a further round."""
    if not (pairs := counts.get("reopened")):
        return ""
    return (
        f"{count(pairs)} pairs on which too few agreed were asked of as many other people anew; "
        "their votes are those of the last round alone."
    )


def others(counts: Mapping[str, Any]) -> str:
    """Whose labels stand beside those of the judges."""
    sentences = []
    if pairs := counts.get("adjudications"):
        sentences.append(f"An expert looked at {count(pairs)} pairs that are not kept.")
    for guest in counts.get("guests", ()):
        name = f"{guest['guest']} {guest['revision']}".strip()
        sentences.append(f"The model {name} labelled {count(guest['labels'])} pairs.")
    return " ".join(sentences)


def models(identities: Iterable[Mapping[str, str]]) -> Iterable[str]:
    """A line for each model."""
    for identity in identities:
        yield "- " + ", ".join(f"{key}: `{value}`" for key, value in identity.items())
