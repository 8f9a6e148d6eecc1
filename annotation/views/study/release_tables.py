"""The counts of a release as its page shows them: Tables 3, 4 and 5 of PAWS, as in the card."""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from annotation.dataset import card
from annotation.dataset.manifest import Manifest, as_json
from annotation.dataset.settings import ReleaseSettings
from annotation.models import Release
from annotation.selectors.releases import settings_of
from annotation.stats.report import Correction, Row, SplitCounts, table3, table4
from annotation.templatetags import figures

# The rows have the paper’s names, which the card repeats in English whatever page it stands on.
NAMES: dict[str, str | Promise] = {
    "# Raw pairs": _("Candidates"),
    "Sentence correction": _("Sentence correction"),
    "# Accepted pairs": _("accepted"),
    "# Fixed pairs": _("fixed"),
    "# Rejected pairs": _("rejected"),
    "Paraphrase identification": _("Paraphrase identification"),
    "Total # pairs": _("pairs"),
    "Total # back translation pairs": _("pairs"),
    "paraphrase": _("paraphrase"),
    "non-paraphrase": _("not a paraphrase"),
    "Human agreement": _("human agreement"),
    "After post-filtering": _("After the filter"),
}


class Line(NamedTuple):
    """A line of a table: a heading where it has no number."""

    name: str | Promise
    number: str
    depth: int


class ByMethod(NamedTuple):
    """Table 3 or 4 of one method, and how far its judges agree."""

    method: str
    lines: list[Line]
    agreement: Mapping[str, float | None]


class Subset(NamedTuple):
    """A row of Table 5. `share` is that of paraphrases."""

    name: str
    sizes: SplitCounts
    share: float | None


class Listed(NamedTuple):
    """A line of the list of releases; None for what is not known before it is built."""

    release: Release
    judged: int | None
    labelled: int | None


def listed(release: Release) -> Listed:
    """A release with the numbers by which people tell it from others."""
    if release.manifest is None:
        return Listed(release, None, None)
    counts = release.manifest["counts"]
    sizes = card.split_counts(counts)
    labelled = sum(of.total for name, of in sizes.items() if name != "unlabeled_final")
    return Listed(release, counts["judged"], labelled)


def chosen(release: Release) -> dict[str, str]:
    """Sizes and the share of paraphrases as the settings say them, in words of a page."""
    settings = settings_of(release)
    share = settings.paraphrase_share
    return {
        "dev": _size(settings.dev),
        "test": _size(settings.test),
        "unlabeled_dev": _size(settings.unlabeled_dev),
        "paraphrases": figures.share(share) if share else "",
    }


def of_manifest(manifest: Manifest) -> dict[str, Any]:
    """Context of the tables."""
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
        if method in settings.swap_methods:
            done = (counts["corrections"][each] for each in ("accept", "fix", "reject"))
            accepted, fixed, rejected = done
            raw = accepted + fixed + rejected
            rows = table3(Correction(raw, accepted, fixed, rejected), votes, sides)
        else:
            rows = table4(votes, sides)
        yield ByMethod(method, [_line(row) for row in rows], counts["agreement"][method])


def _line(row: Row) -> Line:
    name = row[0].strip()
    return Line(NAMES.get(name, name), row[1], (len(row[0]) - len(row[0].lstrip())) // 2)
