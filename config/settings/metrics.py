"""What a collector of metrics may ask for: nothing, until it has a token."""

import os
import socket

from config.environment import env
from config.settings.installation import DATA_DIR

METRICS_TOKEN = env.str("PAWSMITH_METRICS_TOKEN", default="")
# Each process of the web server writes its own file; another machine has other processes.
METRICS_DIR = DATA_DIR / "metrics" / socket.gethostname()

if METRICS_TOKEN:  # prometheus_client looks for it as soon as it is imported
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(METRICS_DIR)
