"""Metrics for a collector, disabled unless a token is set."""

import os
import socket

from config.environment import env
from config.settings.installation import DATA_DIR

METRICS_TOKEN = env.str("PAWSMITH_METRICS_TOKEN", default="")
# Each web server process writes its own file, named by its id on this machine.
METRICS_DIR = DATA_DIR / "metrics" / socket.gethostname()

if METRICS_TOKEN:  # prometheus_client reads this on import
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(METRICS_DIR)
