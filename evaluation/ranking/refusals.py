"""What `rank` refuses: changed rankings, and sentences that a model was fitted to."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from common.display import plural
from common.program import PROGRAM
from evaluation.data import Pairs, Unusable
from evaluation.experiments.sets import texts
from evaluation.ranking.appended import AppendedRow
from evaluation.ranking.files import APPENDED, BACK_TRANSLATED, FORMAT, GROUPS, KNOWN
from evaluation.ranking.swaps import Group
from releases.dataset.checks import file_differences
from releases.dataset.manifest import MANIFEST, Manifest
from releases.dataset.reader import Unreadable, read_manifest
from releases.dataset.texts import same

READ = (GROUPS, APPENDED, BACK_TRANSLATED)
NO_RANKING = "{folder} is no ranking: {reason}. Name a folder that make_ranking wrote."
CHANGED = (
    "{folder}: {path} {what}. Make the ranking again, or see what changed: "
    f"{PROGRAM} verify_release {{folder}}"
)
SEEN = (
    "{texts} of the ranking, such as “{example}”, {verb} in train or dev of {release}, which "
    "--models are fitted to. They need a ranking of sentences that they did not see: "
    "make_ranking {release} --split test"
)


def manifest_of(folder: Path) -> Manifest:
    """Return the manifest of a ranking. Raises Unusable for anything else."""
    if not (folder / MANIFEST).is_file():
        raise Unusable(NO_RANKING.format(folder=folder, reason=f"it has no {MANIFEST}"))
    try:
        return read_manifest(folder, FORMAT)
    except Unreadable as error:
        raise Unusable(NO_RANKING.format(folder=folder, reason=error.difference)) from error


def refuse_changed(folder: Path) -> None:
    """Raise Unusable for a folder that is no ranking, or whose rows differ from its manifest."""
    manifest = manifest_of(folder)
    for difference in file_differences(folder, manifest, required=[GROUPS], known=KNOWN):
        if difference.path in READ:
            what = {"path": difference.path, "what": difference.what}
            raise Unusable(CHANGED.format(folder=folder, **what))


def refuse_seen(
    groups: Iterable[Group], rows: Sequence[AppendedRow], seen: Pairs, *, release: Path
) -> None:
    """Raise Unusable if a model was fitted to, or chosen by, a sentence that groups are made of."""
    sentences = set[str]()
    for group in groups:
        sentences.add(group.pivot)
        sentences |= {candidate.text for candidate in group.candidates if not candidate.swapped}
    for row in rows:
        if not row.words:
            sentences |= {row.sentence1, row.sentence2}
    seen_texts = texts(seen)
    if shared := sorted(text for text in sentences if same(text) in seen_texts):
        raise Unusable(
            SEEN.format(
                texts=plural(len(shared), "sentence"),
                example=shared[0],
                verb="is" if len(shared) == 1 else "are",
                release=release,
            )
        )
