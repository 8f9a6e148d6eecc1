"""A restore that is tried: into a database of its own, which is gone afterwards."""

from operations.backups.databases import Database
from operations.backups.folders import Backup
from operations.backups.restore import Restored, refuse_damaged, restore_rows
from operations.backups.sqlite import SqliteDatabase


def drill(backup: Backup, *, beside: Database) -> Restored:
    """Restore into a new database on the server of `beside`, compare all rows, and drop it.

    Files of releases are held against their digests and copied nowhere. A backup of SQLite is
    tried in a temporary file, whatever `beside` is. Raises BackupError where it cannot be restored.
    """
    manifest = backup.manifest()
    refuse_damaged(backup, manifest)
    # Its scratch database is a file of its own, wherever this one is.
    server = SqliteDatabase(backup.folder) if manifest.engine == "sqlite" else beside
    with server.scratch() as empty:
        return restore_rows(backup, manifest, into=empty)
