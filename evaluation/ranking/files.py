"""The files of a ranking, and what the manifest counts in them."""

import json
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from itertools import repeat
from pathlib import Path
from typing import Any, TypeVar

from evaluation.ranking.appended import AppendedRow
from evaluation.ranking.back_translated import (
    AFTER_CHECK,
    WITH_ROW,
    BackTranslatedRow,
    Check,
    replace_paraphrases,
)
from evaluation.ranking.card import readme
from evaluation.ranking.scorers import jaccard
from evaluation.ranking.swaps import Candidate, Exchange, Group, Outcome
from releases.dataset.manifest import MANIFEST, Manifest, as_json, describe_files
from releases.dataset.reader import Unreadable, read_manifest, read_text_lines

FORMAT = "pawsmith-ranking/1"
GROUPS, APPENDED, README = "groups.jsonl", "appended.tsv", "README.md"
BACK_TRANSLATED = "back_translated.jsonl"
NEEDED = (GROUPS, README)
KNOWN = (*NEEDED, APPENDED, BACK_TRANSLATED)
# Of models, by which the manifest names them.
ROLES = ("tagger", "writer", "forward", "backward")
RowT = TypeVar("RowT")
OutcomeT = TypeVar("OutcomeT", bound=StrEnum)
COLUMNS = ("id", "words", "sentence1", "sentence2", "label")


@dataclass(frozen=True)
class Ranking:
    """What was made of the paraphrases of a release.

    `models` has the identity of each model by its role: tagger, writer if text was appended, and
    forward and backward if first sentences were back-translated. `back_translated` has a row for
    each group, or why there is none; it is None if that was not asked for.
    """

    results: Sequence[Group | Outcome]
    source: Mapping[str, str]
    settings: Mapping[str, Any]
    models: Mapping[str, Mapping[str, str]]
    software_version: str
    appended: Sequence[AppendedRow] = field(default=())
    back_translated: Sequence[BackTranslatedRow | Check] | None = None

    @property
    def groups(self) -> list[Group]:
        return [result for result in self.results if isinstance(result, Group)]

    @property
    def outcomes(self) -> dict[str, int]:
        counted = Counter(
            Outcome.RANKED if isinstance(result, Group) else result for result in self.results
        )
        return {str(outcome): counted[outcome] for outcome in Outcome}

    @property
    def rows(self) -> list[BackTranslatedRow]:
        return [row for row in self.back_translated or () if isinstance(row, BackTranslatedRow)]

    @property
    def checks(self) -> dict[str, int] | None:
        """Return of how many groups the first sentence had each outcome of back translation."""
        if self.back_translated is None:
            return None
        number_of_check = Counter(
            row.check if isinstance(row, BackTranslatedRow) else row for row in self.back_translated
        )
        return {str(check): number_of_check[check] for check in Check}


def write_ranking(ranking: Ranking, folder: Path) -> None:
    """Write the files into an empty folder; the same ranking always gives the same bytes."""
    rows: dict[str, int | None] = {GROUPS: len(ranking.groups), README: None}
    _write_lines(folder / GROUPS, map(group_line, ranking.groups))
    if ranking.appended:
        rows[APPENDED] = len(ranking.appended)
        _write_lines(folder / APPENDED, appended_lines(ranking.appended))
    if ranking.back_translated is not None:
        rows[BACK_TRANSLATED] = len(ranking.rows)
        _write_lines(folder / BACK_TRANSLATED, map(back_translated_line, ranking.rows))
    _write_lines(folder / README, [readme(_facts(ranking))])
    document = {**_facts(ranking), "files": describe_files(folder, rows)}
    _write_lines(folder / MANIFEST, [as_json(document)])


def _write_lines(path: Path, parts: Iterable[str]) -> None:
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
        "counts": counts(
            ranking.groups,
            ranking.outcomes,
            len(ranking.appended),
            rows=ranking.rows,
            checks=ranking.checks,
        ),
    }


def counts(
    groups: Sequence[Group],
    outcomes: Mapping[str, int],
    appended: int,
    *,
    rows: Sequence[BackTranslatedRow] = (),
    checks: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """Return the counts of the manifest; `checks` is None without back translation."""
    numbers = {
        "pairs": sum(outcomes.values()),
        "groups": len(groups),
        "outcomes": dict(outcomes),
        "appended": appended,
        "overlap": overlap(groups),
    }
    return (
        numbers
        if checks is None
        else {**numbers, "back_translated": _back_translation_counts(groups, rows, checks)}
    )


def _back_translation_counts(
    groups: Sequence[Group], rows: Sequence[BackTranslatedRow], checks: Mapping[str, int]
) -> dict[str, Any]:
    """Return the counts of back translation; the overlaps are those of the groups with a row."""
    pairs = {row.pair for row in rows}
    is_checked = any(checks[check] for check in AFTER_CHECK)
    return {
        "rows": len(rows),
        "check": "by_people" if is_checked else "unchecked",
        "outcomes": dict(checks),
        "overlap_before": overlap([group for group in groups if group.pair in pairs]),
        "overlap": overlap(replace_paraphrases(groups, rows)),
    }


def overlap(groups: Sequence[Group]) -> float | None:
    shared = [jaccard(group.candidates[0].text, group.pivot) for group in groups]
    return round(100 * sum(shared) / len(shared), 4) if shared else None


def group_line(group: Group) -> str:
    candidates = [
        {"text": candidate.text, "degree": candidate.degree, "swapped": _as_list(candidate.swapped)}
        for candidate in group.candidates
    ]
    row = {"pair": group.pair, "pivot": group.pivot, "candidates": candidates}
    return json.dumps(row, ensure_ascii=False) + "\n"


def _as_list(exchange: Exchange | None) -> list[str] | None:
    return [exchange.group, exchange.one, exchange.other] if exchange else None


def read_ranking(folder: Path) -> Ranking:
    """Return a ranking whose files verification finds intact. Raises Unreadable."""
    manifest = read_manifest(folder, FORMAT)
    counts = manifest["counts"]
    trips = counts.get("back_translated")
    return Ranking(
        results=(
            *read_groups(folder),
            *_outcomes_without_row(counts["outcomes"], Outcome, {Outcome.RANKED}),
        ),
        source=manifest["source"],
        settings=manifest["settings"],
        models={role: manifest[role] for role in ROLES if role in manifest},
        software_version=manifest["software_version"],
        appended=tuple(read_appended(folder)),
        back_translated=(
            *read_back_translated(folder),
            *_outcomes_without_row(trips["outcomes"], Check, {*WITH_ROW}),
        )
        if trips
        else None,
    )


def _outcomes_without_row(
    counts: Mapping[str, int], outcomes: type[OutcomeT], outcomes_with_row: Container[OutcomeT]
) -> Iterator[OutcomeT]:
    """Yield the outcomes that lead to no row, as often as they were counted."""
    for outcome in outcomes:
        if outcome not in outcomes_with_row:
            yield from repeat(outcome, counts[outcome])


def back_translated_line(row: BackTranslatedRow) -> str:
    return json.dumps(asdict(row), ensure_ascii=False) + "\n"


def read_groups(folder: Path) -> Iterator[Group]:
    """Yield the groups of groups.jsonl. Raises Unreadable for a line of another form."""
    return _read_lines(folder, GROUPS, _parse_group, group_line)


def read_back_translated(folder: Path) -> Iterator[BackTranslatedRow]:
    """Yield the back-translated sentences; none if there is no such file. Raises Unreadable."""
    if (folder / BACK_TRANSLATED).exists():
        yield from _read_lines(folder, BACK_TRANSLATED, _row, back_translated_line)


def _read_lines(
    folder: Path, name: str, parse: Callable[[Any], RowT], render: Callable[[RowT], str]
) -> Iterator[RowT]:
    for number, line in read_text_lines(folder, name):
        try:
            row = parse(json.loads(line))
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise Unreadable(name, f"not a row of this file: {error}", number) from error
        if render(row) != f"{line}\n":
            raise Unreadable(name, "not written as the format writes it", number)
        yield row


def _row(row: Mapping[str, Any]) -> BackTranslatedRow:
    pair, text, machine = (row[key] for key in ("pair", "text", "machine"))
    if not all(isinstance(each, str) for each in (pair, text, machine)):
        raise ValueError("a text is no string")
    return BackTranslatedRow(pair, text, machine, WITH_ROW[WITH_ROW.index(row["check"])])


def _parse_group(row: Mapping[str, Any]) -> Group:
    candidates = (
        Candidate(
            candidate["text"],
            candidate["degree"],
            candidate["swapped"] and Exchange(*candidate["swapped"]),
        )
        for candidate in row["candidates"]
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
