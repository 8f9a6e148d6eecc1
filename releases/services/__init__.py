"""Services of releases: draft, preview, build, publish and withdraw.

A release is drafted, queued, built, frozen and possibly withdrawn; once frozen, it stays frozen.
"""

from releases.services.builds import build, build_next, claim
from releases.services.drafts import Unchangeable, change, discard, draft, look, queue, take_back
from releases.services.files import ChangedRelease, Unwritable, write
from releases.services.frozen import freeze, freeze_draft
from releases.services.previews import fits, preview_next
from releases.services.publication import publish
from releases.services.withdrawal import withdraw

__all__ = [
    "ChangedRelease",
    "Unchangeable",
    "Unwritable",
    "build",
    "build_next",
    "change",
    "claim",
    "discard",
    "draft",
    "fits",
    "freeze",
    "freeze_draft",
    "look",
    "preview_next",
    "publish",
    "queue",
    "take_back",
    "withdraw",
    "write",
]
