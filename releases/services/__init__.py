"""Services of releases: draft, preview, build, publish and withdraw.

A release is drafted, queued, built, frozen and possibly withdrawn; once frozen, it stays frozen.
"""

from releases.services.builds import build, build_next, preview_next
from releases.services.drafts import change, discard, draft, queue, request_preview, take_back
from releases.services.frozen import freeze, freeze_draft, proposed, settings_for
from releases.services.hub import start_next_upload, upload_next
from releases.services.leases import Unchangeable
from releases.services.publication import ChangedRelease, Unwritable, copy, publish, withdraw, write

__all__ = [
    "ChangedRelease",
    "Unchangeable",
    "Unwritable",
    "build",
    "build_next",
    "change",
    "copy",
    "discard",
    "draft",
    "freeze",
    "freeze_draft",
    "preview_next",
    "proposed",
    "publish",
    "queue",
    "request_preview",
    "settings_for",
    "start_next_upload",
    "take_back",
    "upload_next",
    "withdraw",
    "write",
]
