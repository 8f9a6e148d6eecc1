"""python -m tests.services.on_postgres ARGUMENTS: pytest with Postgres as the suite's database."""

import os
import subprocess
import sys

from tests.services import servers

if __name__ == "__main__":
    with servers.postgres() as url:
        command = [sys.executable, "-m", "pytest", *sys.argv[1:]]
        code = subprocess.call(command, env=os.environ | {"DATABASE_URL": url})
    sys.exit(code)
