"""The short form of `scripts/bench load`: many people, answers sent thrice, pulled plugs."""

import subprocess
import sys

import pytest

from tests.services.installation import ROOT


@pytest.mark.usefixtures("postgres_url")  # marks it as one that needs a Postgres, its own
@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(["repeats", "crashes"], id="postgres"),
        pytest.param(["sqlite"], id="sqlite"),
        pytest.param(["forgetful"], id="what is not on disk is missed"),
    ],
)
def test_every_promise_is_kept_under_load(parts: list[str]) -> None:
    bench = [sys.executable, "-W", "ignore", "-m", "scripts.benchmarks.load", "--short"]
    measured = subprocess.run(
        [*bench, *parts], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )

    assert measured.returncode == 0, measured.stderr
    *_, last = measured.stdout.splitlines()
    met, wanted = (int(word) for word in last.split() if word.isdigit())
    assert met == wanted > 0, measured.stdout
