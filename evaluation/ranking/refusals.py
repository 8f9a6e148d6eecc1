"""What `rank` refuses: changed rankings, and sentences that a model was fitted to."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from common.display import plural
from evaluation.data import Pairs, Unusable
from evaluation.experiments.datasets import same, texts
from evaluation.ranking.appended import AppendedRow
from evaluation.ranking.files import APPENDED, BACK_TRANSLATED, FORMAT, GROUPS
from evaluation.ranking.swaps import Group
from releases.dataset.checks import is_as_described
from releases.dataset.manifest import MANIFEST
from releases.dataset.reader import Unreadable, read_manifest

READ = (GROUPS, APPENDED, BACK_TRANSLATED)
NO_RANKING = "{folder} is no ranking: {reason}. Name a folder that make_ranking wrote."
CHANGED = (
    "{folder}: {path} {what}. Make the ranking again, or see what changed: "
    "manage.py verify_release {folder}"
)
SEEN = (
    "{texts} of the ranking, such as “{example}”, {verb} in train or dev of {release}, which "
    "--models are fitted to. They need a ranking of sentences that they did not see: "
    "make_ranking {release} --split test"
)


def refuse_changed(folder: Path) -> None:
    """Raise Unusable for a folder that is no ranking, or whose rows differ from its manifest."""
    if not (folder / MANIFEST).is_file():
        raise Unusable(NO_RANKING.format(folder=folder, reason=f"it has no {MANIFEST}"))
    try:
        described = read_manifest(folder, FORMAT)["files"]
    except Unreadable as error:
        raise Unusable(NO_RANKING.format(folder=folder, reason=error.difference)) from error
    there = {path for path in READ if (folder / path).is_file()}
    for path in READ:
        what = ""
        if path in there and path not in described:
            what = f"is not in {MANIFEST}"
        elif path not in there and (path in described or path == GROUPS):
            what = "is missing"
        elif path in there and not is_as_described(folder / path, described[path]):
            what = f"differs from its checksum or size in {MANIFEST}"
        if what:
            raise Unusable(CHANGED.format(folder=folder, path=path, what=what))


def refuse_seen(
    groups: Iterable[Group], rows: Sequence[AppendedRow], seen: Pairs, *, release: Path
) -> None:
    """Raise Unusable if a model was fitted to, or chosen by, a sentence that groups are made of."""
    own = {
        text
        for group in groups
        for text in (group.pivot, *(each.text for each in group.candidates if not each.swapped))
    }
    own |= {text for row in rows if not row.words for text in (row.sentence1, row.sentence2)}
    known = texts(seen)
    if both := sorted(text for text in own if same(text) in known):
        raise Unusable(
            SEEN.format(
                texts=plural(len(both), "sentence"),
                example=both[0],
                verb="is" if len(both) == 1 else "are",
                release=release,
            )
        )
