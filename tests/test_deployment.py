"""Files that only run elsewhere, held against the code that they start."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SETTINGS = set(re.findall(r'env\.\w+\("(\w+)"', (ROOT / "config" / "settings.py").read_text()))
DOCUMENTED = set(re.findall(r"`([A-Z][A-Z_]+)`", (ROOT / "docs" / "settings.md").read_text()))


def services(*, built_here: bool) -> list[dict[str, Any]]:
    return [each for each in COMPOSE["services"].values() if ("build" in each) is built_here]


def test_every_variable_that_settings_read_is_documented() -> None:
    assert "PAWSMITH_SECRET_KEY" in SETTINGS
    assert not SETTINGS - DOCUMENTED


def test_every_variable_that_compose_reads_is_documented() -> None:
    wanted = set(re.findall(r"\$\{(\w+)", (ROOT / "docker-compose.yml").read_text()))

    assert wanted
    assert not wanted - DOCUMENTED


def test_compose_sets_only_variables_that_settings_read() -> None:
    for service in services(built_here=True):
        assert not service["environment"].keys() - SETTINGS


def test_nothing_secret_has_a_default_in_compose() -> None:
    text = (ROOT / "docker-compose.yml").read_text()

    assert set(re.findall(r"\$\{(\w*(?:KEY|PASSWORD)\w*):-", text)) == set()


@pytest.mark.parametrize("name", COMPOSE["services"])
def test_a_service_waits_only_for_what_can_become_ready(name: str) -> None:
    for other, wait in COMPOSE["services"][name].get("depends_on", {}).items():
        awaited = COMPOSE["services"][other]
        assert wait["condition"] == (
            "service_healthy" if "healthcheck" in awaited else "service_completed_successfully"
        )


def test_every_named_volume_is_declared() -> None:
    mounted = {
        volume.split(":")[0]
        for service in COMPOSE["services"].values()
        for volume in service.get("volumes", [])
    }

    assert mounted == COMPOSE["volumes"].keys()


def test_the_image_is_made_from_files_that_exist() -> None:
    sources = re.findall(r"^COPY (\S+)", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE)

    assert sources
    assert all((ROOT / source).exists() for source in sources)
