"""Compares the card of a release of translations with what its rows and its manifest say."""

import re
from collections.abc import Iterator

from releases.dataset.manifest import MANIFEST, Manifest, ReleaseFacts
from releases.dataset.metadata import Metadata
from releases.dataset.models import CARD
from releases.dataset.reader import Difference
from releases.dataset.translated.card import card
from releases.dataset.translated.figures import Figures
from releases.dataset.translated.plan import PairsOfSplits
from releases.dataset.translated.reader import ReadTranslations

# Stands for a text that only the card has.
FREE = "\0"


def card_differences(
    release: ReadTranslations, figures: Figures, collapsed: PairsOfSplits
) -> Iterator[Difference]:
    """Check all of the card but the description, the guidelines and the citation of the release.

    The models are checked by `releases.dataset.models`.
    """
    try:
        pieces = due(release, figures, collapsed)
        there = (release.folder / CARD).read_text(encoding="utf-8")
    except (TypeError, KeyError, AttributeError) as error:
        yield Difference(MANIFEST, f"no card can be made from it: {error!r}")
        return
    except (OSError, UnicodeDecodeError) as error:
        yield Difference(CARD, str(error))
        return
    end = 0
    for number, piece in enumerate(pieces):
        at = there.find(piece, end)
        if at < 0 or (number == 0 and at > 0):
            yield Difference(CARD, _missing(piece, there))
            return
        end = at + len(piece)
    if end < len(there):
        yield Difference(CARD, "has more after its end")


def due(release: ReadTranslations, figures: Figures, collapsed: PairsOfSplits) -> list[str]:
    """Return the pieces of the card between the texts that only the card has."""
    manifest = release.manifest
    text = card(
        facts(manifest),
        release.settings,
        figures.counts(manifest["left_out"]),
        {"collapsed": collapsed, "word_errors": figures.word_errors()},
        paths=manifest["files"],
        simulated=figures.is_simulated,
    )
    return re.split(rf"\n\n(?:## Guidelines\n\n)?{FREE}", text)


def facts(manifest: Manifest) -> ReleaseFacts:
    """Return what a manifest says, with marks for what it does not. Raises KeyError, TypeError."""
    declared = manifest.get("metadata")
    names = ("name", "version", "created", "software_version", "language", "licence")
    return ReleaseFacts(
        **{name: manifest[name] for name in names},
        metadata=Metadata.from_dict(declared) if declared else None,
        description=FREE,
        guidelines=FREE,
        citation=FREE,
    )


def _missing(piece: str, there: str) -> str:
    """Say which line of a piece a card lacks."""
    known = set(there.splitlines())
    lacking = [line for line in piece.splitlines() if line not in known]
    if not lacking:
        return "has its lines in another order than the rows and the manifest give"
    return f"lacks a line that the rows and the manifest give: {lacking[0]}"
