"""Verifies the files of a ranking: against each other, and against the release they are made of."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from evaluation.data import Unusable
from evaluation.ranking.appended import CUTS, JOINT, AppendedRow, opening
from evaluation.ranking.card import readme
from evaluation.ranking.files import (
    APPENDED,
    FORMAT,
    GROUPS,
    KNOWN,
    README,
    counts,
    read_appended,
    read_groups,
)
from evaluation.ranking.sources import Source, read_source
from evaluation.ranking.swaps import DEGREES, Candidate, Exchange, Group
from releases.dataset.checks import FIRST_ROW, is_as_described, part_differences
from releases.dataset.manifest import MANIFEST, Manifest
from releases.dataset.reader import Difference, Unreadable, first_differences, read_manifest

Pair = tuple[str, str]
WORD = re.compile(r"\w+")


def differences(folder: Path, source: Path | None) -> Iterator[Difference]:
    """Yield the differences in a ranking, and from its source release if that is given."""
    try:
        manifest = read_manifest(folder, FORMAT)
        yield from first_differences(_of_files(folder, manifest))
        groups, rows = list(read_groups(folder)), list(read_appended(folder))
        origin = _read(source, manifest) if source else None
        known = _known(origin) if origin else None
        yield from first_differences(_of_groups(groups, known))
        yield from first_differences(_of_appended(rows, known))
        yield from _of_manifest(folder, manifest, groups, rows)
        if origin and manifest.get("source") != origin.identity:
            yield Difference(MANIFEST, "names another source, or another state of it")
    except Unreadable as error:
        yield error.difference
    except Unusable as error:
        yield Difference(str(source), str(error))


def _of_files(folder: Path, manifest: Manifest) -> Iterator[Difference]:
    there = {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}
    needed = {*KNOWN} - {APPENDED}
    for path in sorted((there | needed | manifest["files"].keys()) - {MANIFEST}):
        if path not in KNOWN:
            yield Difference(path, "is no file of a ranking")
        elif path not in there:
            yield Difference(path, "is missing")
        elif path not in manifest["files"]:
            yield Difference(path, "is not in the manifest")
        elif not is_as_described(folder / path, manifest["files"][path]):
            yield Difference(path, "has another checksum or size than in the manifest")


def _of_groups(groups: list[Group], known: Mapping[str, Pair] | None) -> Iterator[Difference]:
    seen: set[str] = set()
    for line, group in enumerate(groups, start=1):
        wrong = list(_faults(group))
        if group.pair in seen:
            wrong.append(f"{group.pair} has two groups")
        if known is not None and known.get(group.pair) != (_first(group), group.pivot):
            wrong.append(f"{group.pair} is no paraphrase of the source with these sentences")
        seen.add(group.pair)
        yield from (Difference(GROUPS, what, line) for what in wrong)


def _first(group: Group) -> str:
    return group.candidates[0].text if group.candidates else ""


def _faults(group: Group) -> Iterator[str]:
    """Yield what is wrong in a group, whatever its source."""
    candidates = group.candidates
    if tuple(candidate.degree for candidate in candidates) != DEGREES:
        yield f"the degrees of {group.pair} are not 4, 3, 2, 1"
        return
    if len({group.pivot, *(each.text for each in candidates)}) <= len(candidates):
        yield f"two texts of {group.pair} are equal"
    swapped = [candidate.swapped for candidate in candidates]
    if swapped[0] is not None:
        yield f"the first candidate of {group.pair} is the paraphrase, and names an exchange"
    if len({each.group for each in swapped if each}) < len(DEGREES) - 1:
        yield f"{group.pair} does not name exchanges in three different classes"
        return
    before = group.pivot
    for candidate in candidates[1:]:
        yield from _step_faults(group.pair, before, candidate)
        before = candidate.text


def _step_faults(pair: str, before: str, after: Candidate) -> Iterator[str]:
    if bag(before) != bag(after.text):
        yield f"degree {after.degree} of {pair} has other words than the candidate before"
    elif after.swapped and not is_exchange(before, after.text, after.swapped):
        yield (
            f"degree {after.degree} of {pair} is not the candidate before with "
            f"{after.swapped.one!r} and {after.swapped.other!r} exchanged"
        )


def bag(text: str) -> list[str]:
    """Return the words of a text without case, in order of the alphabet."""
    return sorted(WORD.findall(text.casefold()))


def is_exchange(before: str, after: str, exchange: Exchange) -> bool:
    """Whether `after` is `before` with one place of each phrase exchanged, whatever their case.

    >>> is_exchange("Cats see old dogs.", "Dogs see old cats.", Exchange("noun", "cats", "dogs"))
    True
    """
    text, wanted = before.casefold(), after.casefold()
    one, other = exchange.one.casefold(), exchange.other.casefold()
    return one != other and any(
        text[:start] + other + text[start + len(one) : place] + one + text[place + len(other) :]
        == wanted
        for start in _places(text, one)
        for place in _places(text, other)
        if start + len(one) <= place
    )


def _places(text: str, phrase: str) -> list[int]:
    """Return where a phrase is in a text, as whole words."""
    return [found.start() for found in re.finditer(rf"(?<!\w){re.escape(phrase)}(?!\w)", text)]


def _of_appended(rows: list[AppendedRow], known: Mapping[str, Pair] | None) -> Iterator[Difference]:
    """Check that each pair comes as it is, then with 5, 10, ... 30 words, which begin alike."""
    size = 1 + len(CUTS)
    for at in range(0, len(rows), size):
        plain, *further = rows[at : at + size]
        wrong = list(_appended_faults(plain, further))
        if known is not None and known.get(plain.id) != (plain.sentence1, plain.sentence2):
            wrong.append(f"{plain.id} is no paraphrase of the source with these sentences")
        yield from (Difference(APPENDED, what, at + FIRST_ROW) for what in wrong)


def _appended_faults(plain: AppendedRow, further: list[AppendedRow]) -> Iterator[str]:
    """Yield what is wrong in the rows of one pair, without and with further words."""
    rows = [plain, *further]
    if [(row.words, row.label) for row in rows] != [(0, 1), *((cut, 0) for cut in CUTS)]:
        yield f"the rows of {plain.id} do not have 0, 5, ... 30 words, and label 1 at 0 words"
    if {(row.id, row.sentence2) for row in rows} != {(plain.id, plain.sentence2)}:
        yield f"the rows after {plain.id} are not of this pair"
    context = text = opening(plain.sentence1)
    for row in further:
        if not _continues(row, context, text):
            yield f"{row.id} is not its first sentence with {JOINT!r} and {row.words} words"
        text = row.sentence1[:-1]


def _continues(row: AppendedRow, context: str, text: str) -> bool:
    """Whether a row begins with a shorter text, and has so many words after the context."""
    begins = row.sentence1.startswith(f"{text} ") and row.sentence1.endswith(".")
    return begins and len(row.sentence1[len(context) : -1].split()) == row.words


def _of_manifest(
    folder: Path, manifest: Manifest, groups: list[Group], rows: list[AppendedRow]
) -> Iterator[Difference]:
    outcomes = manifest["counts"].get("outcomes")
    if not isinstance(outcomes, dict) or outcomes.get("ranked") != len(groups):
        yield Difference(MANIFEST, f"the outcomes do not name {len(groups)} as ranked")
        return
    yield from part_differences(manifest["counts"], counts(groups, outcomes, len(rows)))
    due = {GROUPS: len(groups), README: None} | ({APPENDED: len(rows)} if rows else {})
    given = {path: described["rows"] for path, described in manifest["files"].items()}
    yield from part_differences(given, due)
    written = folder / README
    if written.exists() and written.read_text(encoding="utf-8") != _document(manifest):
        yield Difference(README, "is not the document of this manifest")


def _document(manifest: Manifest) -> str | None:
    """Return the README of a manifest; None if the manifest lacks what it says."""
    try:
        return readme(manifest)
    except (KeyError, TypeError, ValueError):
        return None


def _known(source: Source) -> dict[str, Pair]:
    return {pair: (first, second) for pair, first, second in source.positives}


def _read(source: Path, manifest: Manifest) -> Source:
    return read_source(source, split=str(manifest["settings"].get("split")))
