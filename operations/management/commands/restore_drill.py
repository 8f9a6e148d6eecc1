"""manage.py restore_drill: test whether a backup can be restored."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from operations import backups, databases
from operations.backups import Backup, Restored
from operations.databases import BackupError
from operations.management.commands import restore


class Command(restore.Command):
    """The exit status is 1 if it cannot, or if a row differs. Live data stays unchanged."""

    help = "Restore a backup into a temporary database, compare every row, and drop it."
    success = "Every row is equal."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "backup", nargs="?", type=Path, help="the folder of one backup; default: the newest"
        )
        parser.add_argument(
            "--into",
            metavar="URL",
            help="another server, by a database there; default: the server of this installation",
        )

    def restored(self, *, backup: Any, **options: Any) -> Restored:
        found = Backup(backup.absolute()) if backup else backups.newest()
        if found is None:
            raise BackupError("There is no backup: name one, or set PAWSMITH_BACKUP_DIR.")
        self.stdout.write(f"{found.folder}, made {found.made_at:%Y-%m-%d %H:%M} UTC")
        url = options["into"]
        server = databases.at(url) if url else databases.installed()
        return backups.drill(found, server=server)
