"""What differs between installations, from environment variables: docs/settings.md lists them.

`var/pawsmith.env`, which `scripts/run` writes, is read first; the environment wins.
"""

from pathlib import Path

import environ

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()
env.read_env(BASE_DIR / "var" / "pawsmith.env")
