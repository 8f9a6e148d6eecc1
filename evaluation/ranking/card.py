"""README.md of a ranking."""

from collections.abc import Mapping
from typing import Any

from annotation.stats.report import Row, as_markdown, count

TEXT = """\
# Partial paraphrases of {name}

{groups} groups to rank, made of the {pairs} paraphrases of {origin}. No person has read the
candidates: some make no sense, above all after three exchanges.

## Files

`groups.jsonl` has a group a line: the id of its `pair` in the source, the `pivot` (the pair's
second sentence) and four `candidates`. The candidate of degree 4 is the pair's first sentence, a
paraphrase of the pivot. Those of degree 3, 2 and 1 are the pivot after one, two and three
exchanges, each on top of those before. `swapped` names the class and the two words or names that
changed places. A model should give a candidate of a higher degree a higher score.
{appended}
`manifest.json` has the source and its SHA-256, the settings, the models and the SHA-256 of each
file.

## What became of the paraphrases

{outcomes}{overlap}
## Terms

The texts are those of the source{licence}.
"""
APPENDED = """
`appended.tsv` has each paraphrase with 0, 5, 10, 15, 20, 25 and 30 `words` appended to its first
sentence by a language model. Only without any is its label 1. No quoting; the first line is a
header.
"""
OVERLAP = """
The paraphrases with groups share {overlap:.2f} % of their words: mean Jaccard similarity of words
between spaces, with their case.
"""
SAID = {
    "ranked": "ranked: has a group",
    "equal_sentences": "both sentences are equal",
    "too_few_groups": "fewer than three classes with two words or names",
    "repeats": "an exchange gave a text that was there before",
}


def readme(facts: Mapping[str, Any]) -> str:
    """Return the document, given the manifest without its files."""
    counts, source = facts["counts"], facts["source"]
    version = f"{source['name']} {source['version']}" if "version" in source else source["name"]
    overlap = counts["overlap"]
    return TEXT.format(
        name=version,
        groups=count(counts["groups"]),
        pairs=count(counts["pairs"]),
        origin=f"{version}, {facts['settings']['split']}" if "version" in source else version,
        appended=APPENDED if counts["appended"] else "",
        outcomes=_outcomes(counts["outcomes"]),
        overlap="" if overlap is None else OVERLAP.format(overlap=overlap),
        licence=f", under {source['licence']}" if source.get("licence") else "",
    )


def _outcomes(outcomes: Mapping[str, int]) -> str:
    rows: list[Row] = [("outcome", "paraphrases")]
    return as_markdown([*rows, *((said, count(outcomes[name])) for name, said in SAID.items())])
