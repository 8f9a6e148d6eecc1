"""Files that only run elsewhere, held against the code that they start."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SETTINGS = {
    name
    for file in (ROOT / "config" / "settings").glob("*.py")
    for name in re.findall(r'env\.\w+\("(\w+)"', file.read_text())
}
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


def test_compose_sets_only_variables_that_somebody_reads() -> None:
    for service in services(built_here=True):
        assert not service["environment"].keys() - SETTINGS - {"WEB_CONCURRENCY"}


def test_what_runs_our_code_has_no_right_that_it_does_not_need() -> None:
    for service in services(built_here=True):
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]


def test_only_the_proxy_is_reached_from_outside() -> None:
    published = {name for name, each in COMPOSE["services"].items() if "ports" in each}

    assert published == {"proxy"}
    assert COMPOSE["networks"]["inside"]["internal"]


def test_everything_but_the_migration_starts_again() -> None:
    for name, service in COMPOSE["services"].items():
        assert service["restart"] == ("no" if name == "migrate" else "unless-stopped")


def test_the_image_has_the_clients_of_the_postgres_that_is_started() -> None:
    [version] = re.findall(r"postgresql-client-(\d+)", DOCKERFILE)

    assert COMPOSE["services"]["postgres"]["image"] == f"postgres:{version}"


def test_the_image_runs_as_somebody_without_rights_and_without_a_compiler() -> None:
    final = DOCKERFILE[DOCKERFILE.rindex("FROM ") :]

    assert "\nUSER pawsmith\n" in final
    assert not re.search(r"gcc|build-essential|pip install|uv ", final)


def test_nothing_secret_has_a_default_in_compose() -> None:
    text = (ROOT / "docker-compose.yml").read_text()

    assert set(re.findall(r"\$\{(\w*(?:KEY|PASSWORD)\w*):-[^}]", text)) == set()


@pytest.mark.parametrize("name", COMPOSE["services"])
def test_a_service_waits_only_for_what_can_become_ready(name: str) -> None:
    for other, wait in COMPOSE["services"][name].get("depends_on", {}).items():
        awaited = COMPOSE["services"][other]
        assert wait["condition"] == (
            "service_healthy" if "healthcheck" in awaited else "service_completed_successfully"
        )


def test_every_named_volume_is_declared() -> None:
    sources = {
        volume.split(":")[0]
        for service in COMPOSE["services"].values()
        for volume in service.get("volumes", [])
    }
    files = {source for source in sources if source.startswith("./")}

    assert sources - files == COMPOSE["volumes"].keys()
    assert all((ROOT / file).exists() for file in files)


def test_the_image_is_made_from_files_that_exist() -> None:
    sources = re.findall(r"^COPY (?!--from)(\S+)", DOCKERFILE, flags=re.MULTILINE)

    assert sources
    assert all((ROOT / source).exists() for source in sources)
