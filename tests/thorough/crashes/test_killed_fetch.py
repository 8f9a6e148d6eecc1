"""What is left when a fetch of a model is killed."""

import os
import subprocess
import sys

from generation import model_sources as source
from tests.generation.commands.hub_server import Hub, fetch, serving

NAME, WEIGHTS = "organisation/tiny", "model.safetensors"
FILES = {"config.json": b'{"model_type": "gpt2"}', WEIGHTS: b"weights" * 1_000}


def test_a_fetch_that_is_killed_half_way_leaves_no_model(tmp_path, settings, monkeypatch):
    settings.DATA_DIR = tmp_path
    hub = Hub(NAME, FILES, stalls_at=WEIGHTS)
    command = [sys.executable, "manage.py", "fetch_models", NAME]
    own = {"PAWSMITH_DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "tests.settings"}
    with serving(hub) as address:
        own["HF_ENDPOINT"] = address
        with subprocess.Popen(command, env=os.environ | own, cwd=settings.BASE_DIR) as process:
            assert hub.stalled.wait(600)
            process.kill()
        assert not (tmp_path / "models" / NAME).exists()
        monkeypatch.setattr(source, "ENDPOINT", address)
        hub.stalls_at = None
        fetch(NAME)
        assert "as recorded" in fetch("--check", NAME)
