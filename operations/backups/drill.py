"""A restore drill: a trial restore into a temporary database."""

from operations.backups.databases import Database
from operations.backups.folders import Backup
from operations.backups.restore import Restored, refuse_damaged, restore_rows
from operations.backups.sqlite import SqliteDatabase


def drill(backup: Backup, *, beside: Database) -> Restored:
    """Restore into a new database on the server of `beside`, compare all rows, and drop it.

    Release files are checked against their digests but not copied. A backup of SQLite is restored
    into a temporary file, whatever `beside` is. Raises BackupError if it cannot be restored.
    """
    manifest = backup.manifest()
    refuse_damaged(backup, manifest)
    # The scratch database is a temporary file, whatever this path is.
    server = SqliteDatabase(backup.folder) if manifest.engine == "sqlite" else beside
    with server.scratch() as empty:
        return restore_rows(backup, manifest, into=empty)
