"""Counts of a release for its page: PAWS Tables 3, 4 and 5, as in the dataset card."""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.stats.agreement import VoteTable, kept_votes
from annotation.stats.consensus import Protocol
from annotation.stats.report import SplitCounts, identification
from annotation.templatetags import figures
from releases.dataset import card
from releases.dataset.manifest import Manifest, as_json
from releases.dataset.settings import ReleaseSettings
from releases.models import Release
from releases.selectors.releases import settings_of


class Line(NamedTuple):
    """A line of a table: a number of pairs, a share of labels, or a heading if both are None."""

    name: str | Promise
    pairs: int | None = None
    share: float | None = None
    depth: int = 0


class ByMethod(NamedTuple):
    """Table 3 or 4 for one method, with its inter-annotator agreement."""

    method: str
    lines: list[Line]
    agreement: Mapping[str, float | None]


class Subset(NamedTuple):
    """A row of Table 5. `share` is the share of paraphrases."""

    name: str
    sizes: SplitCounts
    share: float | None


class Listed(NamedTuple):
    """A row of the list of releases; the counts are None before it is built."""

    release: Release
    judged: int | None
    labelled: int | None


def listed(release: Release) -> Listed:
    """Return a release with the counts that the list shows."""
    if release.manifest is None:
        return Listed(release, None, None)
    counts = release.manifest["counts"]
    sizes = card.split_counts(counts)
    labelled = sum(of.total for name, of in sizes.items() if name != "unlabeled_final")
    return Listed(release, counts["judged"], labelled)


def chosen(release: Release) -> dict[str, str]:
    """Return the chosen sizes and share of paraphrases as text for a page."""
    settings = settings_of(release)
    share = settings.paraphrase_share
    return {
        "dev": _size(settings.dev),
        "test": _size(settings.test),
        "unlabeled_dev": _size(settings.unlabeled_dev),
        "paraphrases": figures.share(share) if share else "",
    }


def of_manifest(manifest: Manifest) -> dict[str, Any]:
    settings = ReleaseSettings.from_dict(manifest["settings"])
    counts = manifest["counts"]
    sizes = card.split_counts(counts)
    return {
        "counts": counts,
        "manifest_sha256": hashlib.sha256(as_json(manifest).encode()).hexdigest(),
        "is_simulated": manifest["simulated"],
        "methods": list(_by_method(settings, counts)),
        "subsets": [
            Subset(name, of, of.paraphrases / of.total if of.total else None)
            for name, of in sizes.items()
        ],
        "low_agreement": counts["subsets"]["low_agreement"]["train"]["pairs"],
    }


def _size(size: int | float) -> str:
    return figures.share(size) if isinstance(size, float) else figures.number(size)


def _by_method(settings: ReleaseSettings, counts: Mapping[str, Any]) -> Iterator[ByMethod]:
    for method, votes in card.vote_tables(counts).items():
        sides = card.binary(settings)
        lines = list(_judged(votes, sides))
        if method in settings.swap_methods:
            lines = [*_corrected(counts["corrections"]), *lines]
        yield ByMethod(method, lines, counts["agreement"][method])


def _corrected(done: Mapping[str, int]) -> Iterator[Line]:
    yield Line(_("Candidates"), sum(done.values()))
    yield Line(_("Sentence correction"))
    yield Line(_("accepted"), done["accept"], depth=1)
    yield Line(_("fixed"), done["fix"], depth=1)
    yield Line(_("rejected"), done["reject"], depth=1)


def _judged(votes: VoteTable, sides: Protocol) -> Iterator[Line]:
    """Yield the lines that Tables 3 and 4 share, before and after filtering."""
    every = identification(votes, sides)
    kept = identification(kept_votes(votes, sides), sides)
    yield Line(_("Paraphrase identification"))
    yield Line(_("pairs"), every.total, depth=1)
    yield Line(_("paraphrase"), every.paraphrase, depth=2)
    yield Line(_("not a paraphrase"), every.non_paraphrase, depth=2)
    yield Line(_("human agreement"), share=every.agreement, depth=1)
    yield Line(_("After filtering"))
    yield Line(_("kept"), kept.total, depth=1)
    yield Line(_("human agreement"), share=kept.agreement, depth=1)
