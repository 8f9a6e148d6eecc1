"""python -m tests.services.beside_postgres [--suite] ARGUMENTS: pytest, with one Postgres for all.

Each process of the run finds it. With --suite, the suite's own database is there as well.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from support.services import servers
from tests.services import migrated


def main(arguments: list[str]) -> int:
    """Run pytest in a process of its own; returns its exit code."""
    with servers.postgres() as url, tempfile.TemporaryDirectory() as folder:
        own = {servers.FOUND: url}
        if "--suite" in arguments:
            arguments.remove("--suite")
            database = migrated.postgres_database(url, Path(folder))
            own["DATABASE_URL"] = migrated.url_of(url, database)
        command = [sys.executable, "-m", "pytest", *arguments]
        process = subprocess.Popen(command, env=os.environ | own)
        try:
            return process.wait()
        except KeyboardInterrupt:  # pytest receives it too, and reports what it has found so far
            return process.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
