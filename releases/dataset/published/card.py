"""README.md of a release of a published set: the dataset card."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from annotation.stats.paws_tables import table5
from common import licences
from common.tables import Row, as_markdown, count
from releases.dataset.card_parts import (
    DOCUMENTS,
    NO_QUOTING,
    citation,
    column_rows,
    front_matter,
    loading,
    whole_card,
)
from releases.dataset.facts import CROISSANT_1_0, ReleaseFacts
from releases.dataset.metadata import Metadata
from releases.dataset.paper_tables import split_counts
from releases.dataset.prose import amount, as_text
from releases.dataset.published.files import tables
from releases.dataset.published.settings import PublishedSettings
from releases.dataset.rows import SPLITS
from releases.dataset.shared_words import shared_words
from releases.dataset.statement import documentation_sections

ELSEWHERE = (
    "**Published elsewhere.** Pawsmith copied this set with its labels and judged nothing. Cite "
    "the set as its publishers ask, not this copy."
)
FOLDERS = {
    "labeled_final/": "pairs with a label",
    "low_agreement": "pairs on which too few people agreed, with their votes",
}
COPIED = "Order, split and texts are those of the publishers, but for what is stated below."
# Of releases that follow Croissant 1.0, which have no table of columns.
IDS = (
    "`id` is of this copy. `published_id` and `published_label` are as published; `label` follows "
    f"from them. {COPIED}"
)
LOW = "Too few people agreed on {pairs}, which `low_agreement` has."
FORMS = {
    "sides": "{column} says whether a pair is a paraphrase.",
    "names": "{column} has names. Paraphrases are: {ones}; other pairs are: {zeros}.",
    "votes": (
        "{column} has votes. At least {yes} for a paraphrase make one, at least {no} against make "
        "none; other pairs are in `low_agreement`."
    ),
    "grades": "{column} has grades; from {least} on a pair is a paraphrase.",
    "scores": "{column} has scores; from {least} on a pair is a paraphrase.",
    "annotations": (
        "{column} has the answers of people; with a mean from {least} on a pair is a paraphrase."
    ),
}
AGREES = "Grades or scores from {least} on are paraphrases, and no label contradicts its own."
DRAWN = (
    "The publishers have no {splits}: {sizes} were drawn out of train, in whole families of "
    "connected sentences, with seed {seed}."
)
FINDINGS = {
    "equal": "Pairs of two equal sentences",
    "repeated": "Repeated pairs",
    "contradicting": "Repeated pairs with another label",
}
COMPARED = "Repeats and shared sentences are found without case, spaces and quotation marks."


def card(
    facts: ReleaseFacts,
    settings: PublishedSettings,
    counts: Mapping[str, Any],
    *,
    source: Mapping[str, str],
) -> str:
    """Return the whole card. `counts` and `source` are parts of manifest.json."""
    is_older = facts.croissant == CROISSANT_1_0
    address = f"Published at <{source['address']}>" if source["address"] else ""
    sections = (
        ("Load", loading("labeled_final")),
        ("Files", _files(counts, IDS if is_older else COPIED)),
        ("Columns", "" if is_older else column_rows(tables(settings.further)[0])),
        ("Counts", as_markdown(table5(split_counts(counts))) + ("" if is_older else _low(counts))),
        ("Labels", " ".join(label_sentences(settings))),
        ("Published files", _published_files(settings)),
        (
            "Changed and left out",
            "\n".join(f"- {title}: {text}" for title, text in changes(counts)),
        ),
        ("Findings", _findings(counts)),
        ("Shared words", shared_words(counts, facts.language)),
        *documentation_sections(facts, provenance=address),
        ("Licence", source["licence"]),
        ("Citation", citation(facts)),
    )
    top = (ELSEWHERE, facts.description, address)
    return whole_card(facts, _front_matter(facts, counts), top, sections)


def _front_matter(facts: ReleaseFacts, counts: Mapping[str, Any]) -> str:
    if facts.licence in licences.HUB_NAMES:
        facts = replace(facts, metadata=Metadata(licence=facts.licence))
    return front_matter(facts, counts, tables(), tags=["paraphrase-identification"])


def _files(counts: Mapping[str, Any], note: str) -> str:
    lines = [f"| `labeled_final/` | {FOLDERS['labeled_final/']} |"]
    if _low_agreement(counts):
        lines.append(f"| `low_agreement.tsv` | {FOLDERS['low_agreement']} |")
    rows = ("| file | what |", "|---|---|", *lines, "| `parquet/` | the same tables, typed |")
    return "\n".join((*rows, DOCUMENTS, "", note, "", NO_QUOTING))


def _low(counts: Mapping[str, Any]) -> str:
    """Return how many pairs are in low_agreement, which is one table for all splits."""
    pairs = _low_agreement(counts)
    return f"\n{LOW.format(pairs=as_text([amount(pairs, 'pair')]))}" if pairs else ""


def _low_agreement(counts: Mapping[str, Any]) -> int:
    return sum(split["pairs"] for split in counts["subsets"]["low_agreement"].values())


def label_sentences(settings: PublishedSettings) -> Iterator[str]:
    names: dict[int, list[str]] = {0: [], 1: []}
    for name, side in sorted(settings.labels.items()):
        names[side].append(name)
    yes, no = settings.votes or (0, 0)
    least = "" if settings.paraphrase_from is None else f"{settings.paraphrase_from:g}"
    yield FORMS[settings.form].format(
        column=f"The column `{settings.columns.get(settings.decides, settings.decides)}`",
        ones=", ".join(names[1]) or "none",
        zeros=", ".join(names[0]) or "none",
        yes=yes,
        no=no,
        least=least,
    )
    if settings.decides == "label" and settings.form in ("sides", "names") and least:
        yield AGREES.format(least=least)
    if settings.draw:
        sizes = ", ".join(f"{split} {size}" for split, size in sorted(settings.draw.items()))
        splits = " and no ".join(sorted(settings.draw))
        yield DRAWN.format(splits=splits, sizes=sizes, seed=settings.seed)


def _published_files(settings: PublishedSettings) -> str:
    files: list[Row] = [
        (f"`{file.name}`", file.split or "-", count(file.rows), f"`{file.sha256}`")
        for file in settings.files
    ]
    columns = ", ".join(f"{role} = `{name}`" for role, name in settings.columns.items())
    table = as_markdown([("File", "Split", "Rows", "SHA-256"), *files])
    return f"{table}\nColumns: {columns}."


def changes(counts: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what was changed or left out, and how often."""
    for title, part in (
        ("Changed texts", counts["changed"]),
        ("Refused lines", counts["refused"]),
        ("Rows left out", counts["left_out"]),
    ):
        if part:
            numbers = (f"{name.replace('_', ' ')} {count(n)}" for name, n in part.items())
            yield title, ", ".join(numbers)
    if splits := counts["splits_without_labels"]:
        yield "Splits whose labels were not published", ", ".join(splits)


def _findings(counts: Mapping[str, Any]) -> str:
    findings, splits = counts["findings"], SPLITS
    rows: list[Row] = [("", *splits)]
    for name, title in FINDINGS.items():
        rows.append((title, *(count(findings[name].get(split, 0)) for split in splits)))
    shared = "; ".join(f"{name}: {count(number)}" for name, number in findings["shared"].items())
    sentences = f"Sentences in two splits: {shared or 'none'}. {COMPARED}"
    return f"{as_markdown(rows)}\n{sentences}"
