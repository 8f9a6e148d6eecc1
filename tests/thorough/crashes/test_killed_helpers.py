"""What is left when a fetch of a model, or a process that lets pairs be measured, is killed."""

import os
import select
import subprocess
import sys

from django.core.management import call_command

from generation.model_sources import sources as source
from generation.nlp.likeness_process import ROOT
from tests.generation.fetching.hub_server import Hub, serving

NAME, WEIGHTS = "organisation/tiny", "model.safetensors"
FILES = {"config.json": b'{"model_type": "gpt2"}', WEIGHTS: b"weights" * 1_000}
ASKS_AND_WAITS = """\
import sys
from generation.nlp.likeness_process import Assistant
with Assistant() as assistant:
    print(assistant._process.pid, flush=True)
    sys.stdin.read()
"""


def test_a_fetch_that_is_killed_half_way_leaves_no_model(tmp_path, settings, monkeypatch, capsys):
    settings.DATA_DIR = tmp_path
    hub = Hub(NAME, FILES, stalls_at=WEIGHTS)
    command = [sys.executable, "manage.py", "fetch_models", NAME]
    own = {"PAWSMITH_DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "tests.settings"}
    with serving(hub) as address:
        own["HF_ENDPOINT"] = address
        with subprocess.Popen(command, env=os.environ | own, cwd=ROOT) as process:
            assert hub.stalled.wait(600)
            process.kill()
        assert not (tmp_path / "models" / NAME).exists()
        monkeypatch.setattr(source, "ENDPOINT", address)
        hub.stalls_at = None
        call_command("fetch_models", NAME)
        call_command("fetch_models", "--check", NAME)
    assert "as recorded" in capsys.readouterr().out


def test_the_process_that_measures_ends_when_the_one_that_asked_is_killed():
    command, pipe = [sys.executable, "-c", ASKS_AND_WAITS], subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as asks:
        assistant = os.pidfd_open(int(asks.stdout.readline()))
        asks.kill()
    ended, _, _ = select.select([assistant], [], [], 300)
    os.close(assistant)
    assert ended
