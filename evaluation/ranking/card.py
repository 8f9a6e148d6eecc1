"""README.md of a ranking."""

from collections.abc import Mapping
from typing import Any

from common.display import plural
from common.tables import Row, as_markdown, count

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
{appended}{back_translated}
`manifest.json` has the source and its SHA-256, the settings, the models and the SHA-256 of each
file.

## What became of the paraphrases

{outcomes}{overlap}{trips}
## Terms

The texts are those of the source{licence}.
"""
APPENDED = """
`appended.tsv` has each paraphrase with 0, 5, 10, 15, 20, 25 and 30 `words` appended to its first
sentence by a language model. Only without any is its label 1. No quoting; the first line is a
header.
"""
BACK_TRANSLATED = """
`back_translated.jsonl` has texts that replace the candidate of degree 4 of a `pair`'s group, so
that it shares fewer words with the pivot. A machine translated it into another language and back,
which gave `machine`. {checked}
"""
CHECKED = {
    "unchecked": "No person has checked whether `text` still means the same as the pivot.",
    "by_people": "A person compared it with the pivot: `check` says whether they accepted it, or "
    "fixed it, so that `text` differs. What they rejected is not in the file.",
}
TRIPS = """
## What became of back translation

{outcomes}{overlap}"""
OVERLAPS = """
The paraphrases of {groups} share {before:.2f} % of their words before back translation, and
{after:.2f} % after it.
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

SAID_OF_TRIPS = {
    "unchecked": "has a text that no person has checked",
    "accepted": "accepted by a person",
    "fixed": "fixed by a person",
    "rejected": "rejected by a person",
    "repeats": "fixed into a text that the group has",
    "not_drawn": "not drawn",
    "too_long": "too long for the translator",
    "translation_failed": "the translator failed",
    "only_identical": "every text that came back is in the group",
}


def readme(facts: Mapping[str, Any]) -> str:
    """Return the document, given the manifest without its files."""
    counts, source = facts["counts"], facts["source"]
    version = f"{source['name']} {source['version']}" if "version" in source else source["name"]
    overlap, trips = counts["overlap"], counts.get("back_translated")
    return TEXT.format(
        name=version,
        groups=count(counts["groups"]),
        pairs=count(counts["pairs"]),
        origin=f"{version}, {facts['settings']['split']}" if "version" in source else version,
        appended=APPENDED if counts["appended"] else "",
        back_translated=BACK_TRANSLATED.format(checked=CHECKED[trips["check"]]) if trips else "",
        outcomes=_outcomes(counts["outcomes"], SAID, what="paraphrases"),
        trips=_trips(trips) if trips else "",
        overlap="" if overlap is None else OVERLAP.format(overlap=overlap),
        licence=f", under {source['licence']}" if source.get("licence") else "",
    )


def _trips(trips: Mapping[str, Any]) -> str:
    overlaps = (
        OVERLAPS.format(
            groups=plural(trips["rows"], "group"),
            before=trips["overlap_before"],
            after=trips["overlap"],
        )
        if trips["rows"]
        else ""
    )
    return TRIPS.format(
        outcomes=_outcomes(trips["outcomes"], SAID_OF_TRIPS, what="groups"), overlap=overlaps
    )


def _outcomes(outcomes: Mapping[str, int], said: Mapping[str, str], *, what: str) -> str:
    rows: list[Row] = [("outcome", what)]
    return as_markdown([*rows, *((text, count(outcomes[name])) for name, text in said.items())])
