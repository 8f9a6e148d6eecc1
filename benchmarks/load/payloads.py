"""Five hundred script payloads in every text, on every page, in Chromium.

The crawl is that of tests/thorough/pages/test_payloads.py, in as many rounds as it takes: in each,
every text of the database holds all payloads of the round, however short its column is.
"""

import os
import re
import subprocess
import sys

from benchmarks.table import Figure, at_least, at_most
from support.places import ROOT

CRAWL = "tests/thorough/pages/test_payloads.py"


def figures(_on: None, *, short: bool) -> list[Figure]:
    """Of the rounds: how many there were, and in how many nothing ran and nothing was reported."""
    payload_setting = {} if short else {"PAWSMITH_TEST_PAYLOADS": "all"}
    # The suite makes a database of its own.
    own_settings = {"DATABASE_URL", "DJANGO_SETTINGS_MODULE", "PAWSMITH_DATA_DIR"}
    environment = {name: value for name, value in os.environ.items() if name not in own_settings}
    command = [sys.executable, "-m", "pytest", "-q", CRAWL]
    process = subprocess.run(
        command,
        cwd=ROOT,
        env=environment | payload_setting,
        capture_output=True,
        text=True,
        check=False,
    )
    outcomes = {
        word: int(number)
        for number, word in re.findall(r"(\d+) (passed|failed|error)", _last(process))
    }
    failures = outcomes.get("failed", 0) + outcomes.get("error", 0)
    if failures:
        print(process.stdout)
    return [
        Figure(
            "rounds and controls as they should be", outcomes.get("passed", 0), goal=at_least(1)
        ),
        Figure(
            "rounds in which something ran, or a control found nothing", failures, goal=at_most(0)
        ),
    ]


def _last(crawled: "subprocess.CompletedProcess[str]") -> str:
    return crawled.stdout.rstrip().rpartition("\n")[2]
