"""A fetch of a model that is killed half-way."""

import os
import signal
import subprocess
import sys
from io import StringIO

from django.core.management import call_command

from generation.fetching import hub as source
from tests.generation.fetching.hub_server import Hub, serving

NAME = "organisation/tiny"
WEIGHTS = "model.safetensors"
FILES = {"config.json": b'{"model_type": "gpt2"}', WEIGHTS: b"weights" * 1_000}


def fetch(*arguments):
    output = StringIO()
    call_command("fetch_models", *arguments, stdout=output)
    return output.getvalue()


def test_a_fetch_that_is_killed_half_way_leaves_no_model(tmp_path, settings, monkeypatch):
    settings.DATA_DIR = tmp_path / "data"
    hub = Hub(NAME, FILES, stalls_at=WEIGHTS)
    command = [sys.executable, "manage.py", "fetch_models", NAME]
    with serving(hub) as address:
        environment = os.environ | {
            "HF_ENDPOINT": address,
            "PAWSMITH_DATA_DIR": str(tmp_path / "data"),
            "DJANGO_SETTINGS_MODULE": "tests.settings",
        }
        with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
            assert hub.stalled.wait(600)
            process.send_signal(signal.SIGKILL)
        assert not (tmp_path / "data" / "models" / NAME).exists()
        monkeypatch.setattr(source, "ENDPOINT", address)
        assert NAME not in fetch()
        hub.stalls_at = ""
        fetch(NAME)
        assert fetch("--check", NAME) == f"{NAME}: as recorded.\n"
