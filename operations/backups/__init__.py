"""Backups of the database and the release files, and the proof that they can be restored.

A backup is a folder that appears only when it is complete. Its manifest has the row count and the
digest of every table, so a restore can verify that no row is missing or changed.
"""

from operations.backups.creation import make
from operations.backups.drill import drill
from operations.backups.folders import Backup, all_in, newest
from operations.backups.manifest import BackupError, Manifest
from operations.backups.nightly import back_up_when_due, folder, is_due, is_late
from operations.backups.restore import restore

__all__ = [
    "Backup",
    "BackupError",
    "Manifest",
    "all_in",
    "back_up_when_due",
    "drill",
    "folder",
    "is_due",
    "is_late",
    "make",
    "newest",
    "restore",
]
