"""A release as it was planned, out of the rows in which it was frozen."""

from annotation.dataset.plan import ReleasePlan
from annotation.dataset.rows import ReleasedPair, SilverPair
from annotation.models import Release
from annotation.selectors.releases import entries_of


def plan_of(release: Release) -> ReleasePlan:
    """What is told of a plan that was read from a release: all of it in memory."""
    entries = list(entries_of(release))
    pairs = tuple(entry.pair for entry in entries if isinstance(entry.pair, ReleasedPair))
    silver = tuple(entry.pair for entry in entries if isinstance(entry.pair, SilverPair))
    texts = {entry.pair.sentence1: entry.sentence1 for entry in entries}
    texts |= {entry.pair.sentence2: entry.sentence2 for entry in entries}
    return ReleasePlan(pairs, silver, texts, **release.left_out)
