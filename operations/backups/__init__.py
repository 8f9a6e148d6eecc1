"""Backups: the whole database and the files of releases, and the proof that they can be restored.

A backup is a folder that appears at once and whole. Its manifest says of every table how many rows
it held and their digest, so whoever restores it sees that no row is lost or other than it was.
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
