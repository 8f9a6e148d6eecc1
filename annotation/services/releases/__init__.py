"""Publishing: drafts, what a release consists of, its files, and how it is withdrawn.

A release goes one way: it is drafted, queued, built by a worker, frozen, and perhaps withdrawn.
"""

from annotation.services.releases.building import build, build_next, claim
from annotation.services.releases.drafting import (
    Unchangeable,
    change,
    discard,
    draft,
    look,
    queue,
    take_back,
)
from annotation.services.releases.freezing import freeze, freeze_draft
from annotation.services.releases.previewing import fits, preview_next
from annotation.services.releases.publishing import publish
from annotation.services.releases.withdrawing import withdraw
from annotation.services.releases.writing import ChangedRelease, Unwritable, write

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
