"""Dockerfile, docker-compose.yml and the documented settings compared with the code."""

import re
from pathlib import Path

import pytest
import yaml
from django.conf import settings

from config import gunicorn

ROOT = Path(__file__).resolve().parents[1]
SPACE = ROOT / "deploy" / "space"
DOCKERFILE = (ROOT / "Dockerfile").read_text()
BASE_STAGE, TRIAL_STAGE, FINAL_STAGE = DOCKERFILE.split("\nFROM ")[2:]
COMPOSE_FILE = (ROOT / "docker-compose.yml").read_text()
COMPOSE = yaml.safe_load(COMPOSE_FILE)
SERVICES = COMPOSE["services"]
IMAGE = "${PAWSMITH_IMAGE:-ghcr.io/pawsmith/pawsmith:0.1.0}"
SETTINGS = {
    name
    for file in (ROOT / "common" / "places.py", *(ROOT / "config" / "settings").glob("*.py"))
    for name in re.findall(r'(?:env|variables)\.\w+\("(\w+)"', file.read_text())
}


# Read by gunicorn and by fetch_models.
OTHERS = {"OMP_NUM_THREADS", "WEB_CONCURRENCY", "HF_ENDPOINT", "HF_TOKEN", "HTTPS_PROXY"}
# For one's own machine, and for programs that the image has on its PATH.
NOT_IN_CONTAINERS = {"PAWSMITH_DEBUG", "PAWSMITH_PG_BIN"}


@pytest.fixture
def own():
    """The services that run Pawsmith's code."""
    return [service for service in SERVICES.values() if service["image"].startswith(IMAGE)]


def variables_in(text):
    return set(re.findall(r"`([A-Z][A-Z_]+)`", text))


def test_the_page_of_settings_lists_what_settings_and_compose_read():
    page = (ROOT / "docs/operator/settings.md").read_text()
    natively, _, with_docker = page.partition("\n## With Docker\n")
    passed_on = {
        name
        for service in SERVICES.values()
        for name, value in service.get("environment", {}).items()
        if value is None
    }
    assert not SETTINGS - variables_in(natively)
    from_env_file = set(re.findall(r"\$\{(\w+)", COMPOSE_FILE)) | passed_on | {"COMPOSE_PROFILES"}
    assert variables_in(with_docker) == from_env_file


def test_every_setting_reaches_the_containers_and_no_secret_has_a_default(own):
    set_by_compose = {name for service in own for name in service["environment"]}
    set_by_image = set(re.findall(r"(PAWSMITH_\w+)=/", BASE_STAGE))
    assert not SETTINGS - set_by_compose - set_by_image - NOT_IN_CONTAINERS
    assert set_by_compose <= SETTINGS | OTHERS
    assert not re.findall(r"\$\{(\w*(?:KEY|PASSWORD)\w*):-[^}]", COMPOSE_FILE)


def test_systemd_starts_what_compose_starts():
    units = " ".join(unit.read_text() for unit in (ROOT / "deploy" / "systemd").iterdir())
    started = " ".join(re.findall(r"^ExecStart=\S+/(.+)$", units, flags=re.MULTILINE))
    [web] = re.findall(r"^CMD (.+)$", FINAL_STAGE, flags=re.MULTILINE)
    commands = [
        " ".join(yaml.safe_load(web)),
        *(SERVICES[s]["command"] for s in ("worker", "scheduler")),
    ]
    for command in commands:
        assert set(command.split()) <= set(started.split()), command


def test_one_service_builds_an_image_that_all_may_pull(own):
    built = [service["image"] for service in own if "build" in service]
    assert sorted(built) == sorted({service["image"] for service in own})
    assert not any("pull_policy" in service for service in SERVICES.values())


def test_only_code_enters_the_image_no_secret_of_the_folder():
    first, *others = [
        line
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if not line.startswith("#")
    ]
    assert first == "*"
    admitted = {line.removeprefix("!") for line in others if line.startswith("!")}
    files = {"manage.py", "requirements-translate.txt", "requirements-neural.txt", "LICENSE"}
    assert admitted == files | {*settings.ROOMS, "config", "common", "pawsmith"} | {
        *("docs", "locale", "static", "templates"),
    }
    ignored = (ROOT / ".gitignore").read_text().split()
    assert {".env", "deploy/own/", "var/"} <= set(ignored)


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
    [client] = re.findall(r"postgresql-client-(\d+)", DOCKERFILE)
    assert sources
    assert all((ROOT / source).exists() for source in sources)
    for stage in (TRIAL_STAGE, FINAL_STAGE):
        assert "\nUSER pawsmith\n" in stage
        assert "USER root" not in stage
    # Inside, the proxy comes from another address; everywhere else nobody does.
    assert "--bind 0.0.0.0:8000" in FINAL_STAGE
    assert (gunicorn.bind, gunicorn.forwarded_allow_ips) == ("127.0.0.1:8000", "")
    assert not re.search(r"gcc|build-essential|pip install|uv ", BASE_STAGE + FINAL_STAGE)
    assert SERVICES["postgres"]["image"] == f"postgres:{client}"


def test_a_space_runs_the_image_of_the_trial_of_this_version():
    [image] = re.findall(r"^FROM (.+)$", (SPACE / "Dockerfile").read_text(), flags=re.MULTILINE)
    about = yaml.safe_load((SPACE / "README.md").read_text().split("---")[1])
    assert image == re.sub(r".*:-(.*)}", r"\1", IMAGE) + "-trial"
    assert image.endswith(f":{settings.VERSION}-trial")
    assert f"EXPOSE {about['app_port']}" in BASE_STAGE
    trial = "manage.py run --host 0.0.0.0"
    assert trial in (SPACE / "Dockerfile").read_text()
    [command] = re.findall(r"^CMD (.+)$", TRIAL_STAGE, flags=re.MULTILINE)
    assert " ".join(yaml.safe_load(command)) == f"python {trial}"
