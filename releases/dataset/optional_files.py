"""Checks files that only some releases have: expert decisions and model judgments."""

from collections import defaultdict
from collections.abc import Iterator

from releases.dataset.differences import Difference
from releases.dataset.reader import ReadRelease, read_adjudications, read_guests


def adjudications_are_of_open_pairs(release: ReadRelease) -> Iterator[Difference]:
    """Check that experts decided judged pairs that are not kept, once each, as 0, 1 or null."""
    path = "adjudications.jsonl"
    if not (release.folder / path).exists():
        return
    due = {pair.id for pair in release.pairs if pair.origin == "judged" and not pair.kept}
    rows = release.passing.count_adjudications(read_adjudications(release.folder))
    for line, row in enumerate(rows, start=1):
        if row.pair not in due:
            what = f"{row.pair} is no judged pair without a label, or comes twice"
            yield Difference(path, what, line)
        if row.label not in {0, 1, None}:
            yield Difference(path, f"{row.pair} has the label {row.label}", line)
        due.discard(row.pair)


def guests_label_judged_pairs(release: ReadRelease) -> Iterator[Difference]:
    """Check that a model labels a judged pair once, on the scale, with a score from 0 to 1."""
    path = "guests.jsonl"
    if not (release.folder / path).exists():
        return
    given: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    rows = release.passing.count_guests(read_guests(release.folder))
    for line, row in enumerate(rows, start=1):
        labelled = given[row.guest, row.revision]
        if row.pair not in release.tallies or row.pair in labelled:
            yield Difference(path, f"{row.pair} is no judged pair, or comes twice", line)
        if not 0 <= row.label <= release.settings.max_label:
            yield Difference(path, f"{row.pair} has the label {row.label}", line)
        if row.score is not None and not 0 <= row.score <= 1:
            yield Difference(path, f"{row.pair} has the score {row.score}", line)
        labelled.add(row.pair)
