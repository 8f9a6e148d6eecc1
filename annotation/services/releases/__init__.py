"""Publishing: drafts, what a release consists of, its files, and how it is withdrawn.

A release goes one way: it is drafted, queued, built by a worker, frozen, and perhaps withdrawn.
"""

from annotation.services.releases.building import build, build_next, claim
from annotation.services.releases.drafting import (
    Unchangeable,
    change,
    discard,
    draft,
    preview,
    queue,
    take_back,
)
from annotation.services.releases.freezing import freeze, freeze_draft
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
    "freeze",
    "freeze_draft",
    "preview",
    "publish",
    "queue",
    "take_back",
    "withdraw",
    "write",
]
