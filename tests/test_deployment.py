"""Dockerfile, docker-compose.yml and the documented settings compared with the code."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE_FILE = (ROOT / "docker-compose.yml").read_text()
COMPOSE = yaml.safe_load(COMPOSE_FILE)
SERVICES = COMPOSE["services"]
SETTINGS = {
    name
    for file in (ROOT / "config" / "settings").glob("*.py")
    for name in re.findall(r'env\.\w+\("(\w+)"', file.read_text())
}


@pytest.fixture
def own():
    """The services that run Pawsmith's code."""
    return [service for service in SERVICES.values() if "build" in service]


def test_every_variable_that_settings_or_compose_read_is_documented():
    documented = set(
        re.findall(r"`([A-Z][A-Z_]+)`", (ROOT / "docs/operator/settings.md").read_text())
    )
    in_compose = set(re.findall(r"\$\{(\w+)", COMPOSE_FILE))
    assert "PAWSMITH_SECRET_KEY" in SETTINGS & in_compose
    assert not (SETTINGS | in_compose) - documented


def test_compose_sets_only_variables_that_settings_read_and_no_secret_by_default(own):
    for service in own:
        assert not service["environment"].keys() - SETTINGS - {"WEB_CONCURRENCY"}
    assert not re.findall(r"\$\{(\w*(?:KEY|PASSWORD)\w*):-[^}]", COMPOSE_FILE)


def test_systemd_starts_what_compose_starts():
    units = " ".join(unit.read_text() for unit in (ROOT / "deploy" / "systemd").iterdir())
    started = " ".join(re.findall(r"^ExecStart=\S+/(.+)$", units, flags=re.MULTILINE))
    [web] = re.findall(r"^CMD (.+)$", DOCKERFILE, flags=re.MULTILINE)
    commands = [
        " ".join(yaml.safe_load(web)),
        *(SERVICES[s]["command"] for s in ("worker", "scheduler")),
    ]
    for command in commands:
        assert set(command.split()) <= set(started.split()), command


def test_services_have_no_right_that_they_do_not_need(own):
    for service in own:
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
    assert {name for name, service in SERVICES.items() if "ports" in service} == {"proxy"}
    assert COMPOSE["networks"]["inside"]["internal"]


def test_services_start_again_and_wait_only_for_what_can_become_ready():
    for name, service in SERVICES.items():
        assert service["restart"] == ("no" if name == "migrate" else "unless-stopped")
        for other, wait in service.get("depends_on", {}).items():
            ready = "healthy" if "healthcheck" in SERVICES[other] else "completed_successfully"
            assert wait["condition"] == f"service_{ready}", (name, other)


def test_every_volume_is_declared_and_every_file_exists():
    volumes = [v for service in SERVICES.values() for v in service.get("volumes", [])]
    sources = {volume.split(":")[0] for volume in volumes}
    files = {source for source in sources if source.startswith("./")}
    assert sources - files == COMPOSE["volumes"].keys()
    assert all((ROOT / file).exists() for file in files)


def test_the_image_is_built_from_files_that_exist_and_runs_without_rights_or_a_compiler():
    sources = re.findall(r"^COPY (?!--from)(\S+)", DOCKERFILE, flags=re.MULTILINE)
    final = DOCKERFILE[DOCKERFILE.rindex("FROM ") :]
    [client] = re.findall(r"postgresql-client-(\d+)", DOCKERFILE)
    assert sources
    assert all((ROOT / source).exists() for source in sources)
    assert "\nUSER pawsmith\n" in final
    assert not re.search(r"gcc|build-essential|pip install|uv ", final)
    assert SERVICES["postgres"]["image"] == f"postgres:{client}"
