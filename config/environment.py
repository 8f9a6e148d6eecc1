"""Settings from environment variables; docs/operator/settings.md lists them.

They take precedence over `var/pawsmith.env`, which `scripts/run` writes.
"""

from pathlib import Path

import environ

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()
env.read_env(BASE_DIR / "var" / "pawsmith.env")
