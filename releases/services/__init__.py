"""Services of releases: draft, preview, build, publish and withdraw.

A release is drafted, queued, built, frozen and possibly withdrawn; once frozen, it stays frozen.
"""

from releases.services.builds import build, build_next, preview_next
from releases.services.drafts import (
    change_draft,
    create_draft,
    discard,
    queue_draft,
    request_preview,
    return_to_draft,
)
from releases.services.frozen import freeze, freeze_draft, propose_release, settings_for
from releases.services.leases import Unchangeable
from releases.services.publication import (
    ChangedRelease,
    Unwritable,
    copy_files,
    publish,
    withdraw,
    write_files,
)

__all__ = [
    "ChangedRelease",
    "Unchangeable",
    "Unwritable",
    "build",
    "build_next",
    "change_draft",
    "copy_files",
    "create_draft",
    "discard",
    "freeze",
    "freeze_draft",
    "preview_next",
    "propose_release",
    "publish",
    "queue_draft",
    "request_preview",
    "return_to_draft",
    "settings_for",
    "withdraw",
    "write_files",
]
