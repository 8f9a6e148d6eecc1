"""Verifies the files of a ranking: against each other, and against the release they are made of."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from evaluation.data import Unusable
from evaluation.ranking.appended import CUTS, JOINT, AppendedRow, opening
from evaluation.ranking.back_translated import AFTER_CHECK, WITH_ROW, BackTranslatedRow, Check
from evaluation.ranking.card import readme
from evaluation.ranking.files import (
    APPENDED,
    BACK_TRANSLATED,
    FORMAT,
    GROUPS,
    KNOWN,
    NEEDED,
    README,
    counts,
    read_appended,
    read_back_translated,
    read_groups,
)
from evaluation.ranking.sources import Source, read_source
from evaluation.ranking.swaps import DEGREES, Candidate, Exchange, Group
from generation.nlp.words import words
from releases.dataset.checks import file_differences, part_differences
from releases.dataset.manifest import MANIFEST, Manifest
from releases.dataset.reader import (
    FIRST_ROW,
    Difference,
    Unreadable,
    first_differences,
    read_manifest,
)

Pair = tuple[str, str]


def differences(folder: Path, source: Path | None, *, version: str) -> Iterator[Difference]:
    """Yield the differences in a ranking, and from its source release if that is given.

    `version` is that of this software: another one may have worded the README in another way.
    """
    try:
        manifest = read_manifest(folder, FORMAT)
        files = file_differences(folder, manifest, required=NEEDED, known=KNOWN, kind="a ranking")
        yield from first_differences(files)
        groups, rows = list(read_groups(folder)), list(read_appended(folder))
        back_translated_rows = list(read_back_translated(folder))
        origin = _read_origin(source, manifest) if source else None
        positives = _pairs_by_id(origin) if origin else None
        yield from first_differences(_check_groups(groups, positives))
        yield from first_differences(_check_pairs(rows, positives))
        yield from first_differences(_check_round_trips(back_translated_rows, groups))
        yield from _check_manifest(folder, manifest, groups, rows, back_translated_rows)
        if manifest.get("software_version") == version:
            yield from _check_readme(folder, manifest)
        if origin and manifest.get("source") != origin.identity:
            yield Difference(MANIFEST, "names another source, or another state of it")
    except Unreadable as error:
        yield error.difference
    except Unusable as error:
        yield Difference(str(source), str(error))


def _check_groups(
    groups: list[Group], positives: Mapping[str, Pair] | None
) -> Iterator[Difference]:
    pairs: set[str] = set()
    for line, group in enumerate(groups, start=1):
        faults = list(_group_faults(group))
        if group.pair in pairs:
            faults.append(f"{group.pair} has two groups")
        if positives is not None and positives.get(group.pair) != (_first_text(group), group.pivot):
            faults.append(f"{group.pair} is no paraphrase of the source with these sentences")
        pairs.add(group.pair)
        yield from (Difference(GROUPS, what, line) for what in faults)


def _first_text(group: Group) -> str:
    return group.candidates[0].text if group.candidates else ""


def _group_faults(group: Group) -> Iterator[str]:
    """Yield what is wrong in a group, whatever its source."""
    candidates = group.candidates
    if tuple(candidate.degree for candidate in candidates) != DEGREES:
        yield f"the degrees of {group.pair} are not 4, 3, 2, 1"
        return
    if len({group.pivot, *(candidate.text for candidate in candidates)}) <= len(candidates):
        yield f"two texts of {group.pair} are equal"
    exchanges = [candidate.swapped for candidate in candidates]
    if exchanges[0] is not None:
        yield f"the first candidate of {group.pair} is the paraphrase, and names an exchange"
    if len({exchange.group for exchange in exchanges if exchange}) < len(DEGREES) - 1:
        yield f"{group.pair} does not name exchanges in three different classes"
        return
    text_before = group.pivot
    for candidate in candidates[1:]:
        yield from _step_faults(group.pair, text_before, candidate)
        text_before = candidate.text


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
    return sorted(words(text.casefold()))


def is_exchange(before: str, after: str, exchange: Exchange) -> bool:
    """Whether `after` is `before` with one place of each phrase exchanged, whatever their case.

    >>> is_exchange("Cats see old dogs.", "Dogs see old cats.", Exchange("noun", "cats", "dogs"))
    True
    """
    text, target = before.casefold(), after.casefold()
    phrase1, phrase2 = exchange.one.casefold(), exchange.other.casefold()
    return phrase1 != phrase2 and any(
        text[:start]
        + phrase2
        + text[start + len(phrase1) : place]
        + phrase1
        + text[place + len(phrase2) :]
        == target
        for start in _starts(text, phrase1)
        for place in _starts(text, phrase2)
        if start + len(phrase1) <= place
    )


def _starts(text: str, phrase: str) -> list[int]:
    return [match.start() for match in re.finditer(rf"(?<!\w){re.escape(phrase)}(?!\w)", text)]


def _check_pairs(
    rows: list[AppendedRow], positives: Mapping[str, Pair] | None
) -> Iterator[Difference]:
    """Check that each pair comes as it is, then with 5, 10, ... 30 words, which begin alike."""
    size = 1 + len(CUTS)
    for start in range(0, len(rows), size):
        plain, *longer = rows[start : start + size]
        faults = list(_appended_faults(plain, longer))
        if positives is not None and positives.get(plain.id) != (plain.sentence1, plain.sentence2):
            faults.append(f"{plain.id} is no paraphrase of the source with these sentences")
        yield from (Difference(APPENDED, what, start + FIRST_ROW) for what in faults)


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
    """Whether a row begins with a shorter text, and has its number of words after the context."""
    begins = row.sentence1.startswith(f"{text} ") and row.sentence1.endswith(".")
    return begins and len(row.sentence1[len(context) : -1].split()) == row.words


def _check_round_trips(rows: list[BackTranslatedRow], groups: list[Group]) -> Iterator[Difference]:
    """Check that each row is of another group, in their order, and says what its text is."""
    places = {group.pair: place for place, group in enumerate(groups)}
    place_before = -1
    for line, row in enumerate(rows, start=1):
        place = places.get(row.pair, -1)
        if place < 0:
            yield Difference(BACK_TRANSLATED, f"{row.pair} has no group", line)
            continue
        if place <= place_before:
            yield Difference(BACK_TRANSLATED, f"{row.pair} is not in the order of groups", line)
        yield from (
            Difference(BACK_TRANSLATED, what, line) for what in _row_faults(row, groups[place])
        )
        place_before = place


def _row_faults(row: BackTranslatedRow, group: Group) -> Iterator[str]:
    if (row.text != row.machine) != (row.check is Check.FIXED):
        yield f"{row.pair} is {row.check}, but its text says otherwise"
    texts = {group.pivot, *(candidate.text for candidate in group.candidates[1:])}
    if not texts.isdisjoint((row.text, row.machine)):
        yield f"two texts of {row.pair} are equal"


def _check_manifest(
    folder: Path,
    manifest: Manifest,
    groups: list[Group],
    rows: list[AppendedRow],
    back_translated_rows: list[BackTranslatedRow],
) -> Iterator[Difference]:
    outcomes = manifest["counts"].get("outcomes")
    if not isinstance(outcomes, dict) or outcomes.get("ranked") != len(groups):
        yield Difference(MANIFEST, f"the outcomes do not name {len(groups)} as ranked")
        return
    checks = _read_checks(folder, manifest)
    if checks is not None and (
        fault := _checks_fault(checks, len(groups), back_translated_rows, manifest)
    ):
        yield Difference(MANIFEST, fault)
        return
    expected = counts(groups, outcomes, len(rows), rows=back_translated_rows, checks=checks)
    yield from part_differences(manifest["counts"], expected)
    expected_rows = {GROUPS: len(groups), README: None} | ({APPENDED: len(rows)} if rows else {})
    expected_rows |= {BACK_TRANSLATED: len(back_translated_rows)} if checks is not None else {}
    stated_rows = {path: described["rows"] for path, described in manifest["files"].items()}
    yield from part_differences(stated_rows, expected_rows)


def _check_readme(folder: Path, manifest: Manifest) -> Iterator[Difference]:
    written = folder / README
    if written.exists() and written.read_text(encoding="utf-8") != _expected_readme(manifest):
        yield Difference(README, "is not the document of this manifest")


def _read_checks(folder: Path, manifest: Manifest) -> dict[str, Any] | None:
    """Return the outcomes of back translation; None if neither manifest nor files have any."""
    counts = manifest["counts"].get("back_translated")
    if counts is None and not (folder / BACK_TRANSLATED).exists():
        return None
    checks = counts.get("outcomes") if isinstance(counts, dict) else None
    return checks if isinstance(checks, dict) else {}


def _checks_fault(
    checks: Mapping[str, Any], groups: int, rows: list[BackTranslatedRow], manifest: Manifest
) -> str | None:
    """Say what is wrong with the outcomes: each group has one, and rows have that of their check.

    Groups beyond the sample are not drawn. People check all sentences of a ranking, or none.
    """
    if checks.keys() != {*Check} or not all(
        type(number) is int and number >= 0 for number in checks.values()
    ):
        return f"the outcomes of back translation are not {', '.join(Check)}"
    if sum(checks.values()) != groups:
        return f"the outcomes of back translation are not those of {groups} groups"
    sample = _sample(manifest)
    if checks[Check.NOT_DRAWN] != max(0, groups - (groups if sample is None else sample)):
        return "the outcomes of back translation are not those of the sample"
    counted = Counter(row.check for row in rows)
    if any(checks[check] != counted[check] for check in WITH_ROW):
        return f"the outcomes of back translation are not those of {BACK_TRANSLATED}"
    if checks[Check.UNCHECKED] and any(checks[check] for check in AFTER_CHECK):
        return "some back-translated sentences are unchecked, and others are checked"
    return None


def _sample(manifest: Manifest) -> int | None:
    settings = manifest["settings"].get("back_translated")
    sample = settings.get("sample") if isinstance(settings, dict) else None
    return sample if isinstance(sample, int) else None


def _expected_readme(manifest: Manifest) -> str | None:
    """Return the README of a manifest; None if the manifest lacks what it says."""
    try:
        return readme(manifest)
    except (KeyError, TypeError, ValueError):
        return None


def _pairs_by_id(source: Source) -> dict[str, Pair]:
    return {pair: (text1, second) for pair, text1, second in source.positives}


def _read_origin(source: Path, manifest: Manifest) -> Source:
    return read_source(source, split=str(manifest["settings"].get("split")))
