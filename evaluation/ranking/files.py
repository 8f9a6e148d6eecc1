"""The files of a ranking: groups.jsonl, appended.tsv, README.md and manifest.json."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluation.ranking.appended import AppendedRow
from evaluation.ranking.card import readme
from evaluation.ranking.scorers import jaccard
from evaluation.ranking.swaps import Candidate, Exchange, Group, Outcome
from releases.dataset.manifest import MANIFEST, Manifest, as_json, described
from releases.dataset.reader import Unreadable, read_text_lines

FORMAT = "pawsmith-ranking/1"
GROUPS, APPENDED, README = "groups.jsonl", "appended.tsv", "README.md"
KNOWN = (GROUPS, APPENDED, README)
COLUMNS = ("id", "words", "sentence1", "sentence2", "label")


@dataclass(frozen=True)
class Ranking:
    """What was made of the paraphrases of a release.

    `models` has the identity of each model by its role: tagger, and writer if text was appended.
    """

    results: Sequence[Group | Outcome]
    source: Mapping[str, str]
    settings: Mapping[str, Any]
    models: Mapping[str, Mapping[str, str]]
    software_version: str
    appended: Sequence[AppendedRow] = field(default=())

    @property
    def groups(self) -> list[Group]:
        return [result for result in self.results if isinstance(result, Group)]

    @property
    def outcomes(self) -> dict[str, int]:
        """Return how many paraphrases had each outcome."""
        counted = Counter(
            Outcome.RANKED if isinstance(result, Group) else result for result in self.results
        )
        return {str(outcome): counted[outcome] for outcome in Outcome}


def write(ranking: Ranking, folder: Path) -> None:
    """Write the files into an empty folder; the same ranking always gives the same bytes."""
    rows: dict[str, int | None] = {GROUPS: len(ranking.groups), README: None}
    _write(folder / GROUPS, map(group_line, ranking.groups))
    if ranking.appended:
        rows[APPENDED] = len(ranking.appended)
        _write(folder / APPENDED, appended_lines(ranking.appended))
    _write(folder / README, [readme(_facts(ranking))])
    document = {**_facts(ranking), "files": described(folder, rows)}
    _write(folder / MANIFEST, [as_json(document)])


def _write(path: Path, parts: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(parts)


def _facts(ranking: Ranking) -> Manifest:
    return {
        "format": FORMAT,
        "source": dict(ranking.source),
        "seed": ranking.settings["seed"],
        "settings": dict(ranking.settings),
        **{role: dict(identity) for role, identity in ranking.models.items()},
        "software_version": ranking.software_version,
        "counts": counts(ranking.groups, ranking.outcomes, len(ranking.appended)),
    }


def counts(groups: Sequence[Group], outcomes: Mapping[str, int], rows: int) -> dict[str, Any]:
    """Return the counts of the manifest.

    `overlap` is the mean Jaccard similarity of the paraphrases that have groups, times 100.
    """
    shared = [jaccard(group.candidates[0].text, group.pivot) for group in groups]
    overlap = round(100 * sum(shared) / len(shared), 4) if shared else None
    return {
        "pairs": sum(outcomes.values()),
        "groups": len(groups),
        "outcomes": dict(outcomes),
        "appended": rows,
        "overlap": overlap,
    }


def group_line(group: Group) -> str:
    """Return a group as a line of JSON."""
    candidates = [
        {"text": each.text, "degree": each.degree, "swapped": _swapped(each.swapped)}
        for each in group.candidates
    ]
    row = {"pair": group.pair, "pivot": group.pivot, "candidates": candidates}
    return json.dumps(row, ensure_ascii=False) + "\n"


def _swapped(exchange: Exchange | None) -> list[str] | None:
    return [exchange.group, exchange.one, exchange.other] if exchange else None


def read_groups(folder: Path) -> Iterator[Group]:
    """Yield the groups of groups.jsonl. Raises Unreadable for a line of another form."""
    for number, line in read_text_lines(folder, GROUPS):
        try:
            group = _group(json.loads(line))
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise Unreadable(GROUPS, f"not a group: {error}", number) from error
        if group_line(group) != f"{line}\n":
            raise Unreadable(GROUPS, "not written as the format writes it", number)
        yield group


def _group(row: Mapping[str, Any]) -> Group:
    candidates = (
        Candidate(each["text"], each["degree"], each["swapped"] and Exchange(*each["swapped"]))
        for each in row["candidates"]
    )
    return Group(row["pair"], row["pivot"], tuple(candidates))


def appended_lines(rows: Iterable[AppendedRow]) -> Iterator[str]:
    yield "\t".join(COLUMNS) + "\n"
    for row in rows:
        cells = (row.id, str(row.words), row.sentence1, row.sentence2, str(row.label))
        yield "\t".join(cells) + "\n"


def read_appended(folder: Path) -> Iterator[AppendedRow]:
    """Yield the rows of appended.tsv; none if there is no such file. Raises Unreadable."""
    if not (folder / APPENDED).exists():
        return
    lines = read_text_lines(folder, APPENDED)
    if next(lines, (1, ""))[1] != "\t".join(COLUMNS):
        raise Unreadable(APPENDED, f"the header is not {', '.join(COLUMNS)}", 1)
    for number, line in lines:
        cells = line.split("\t")
        if len(cells) != len(COLUMNS) or not cells[1].isdecimal() or cells[4] not in ("0", "1"):
            raise Unreadable(APPENDED, f"not {', '.join(COLUMNS)}", number)
        yield AppendedRow(cells[0], int(cells[1]), cells[2], cells[3], int(cells[4]))
