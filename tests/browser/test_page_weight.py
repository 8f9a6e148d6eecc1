"""What a page of work weighs over the wire, as gunicorn sends it with the files of production."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import desks
from tests.services.installation import ROOT, Installation

STUDY = """
from pathlib import Path
from django.test import Client
from tests.annotation import cast
guidelines = Path("annotation/demonstration/guidelines.md").read_text() * 4
project = cast.study(guidelines=guidelines)
cast.candidates(project, [(f"One sees {n}.", f"{n} sees one.") for n in range(2)])
cast.pairs(project, 2)
graded = cast.study(protocol="parade", guidelines=guidelines)
cast.pairs(graded, 2)
person = cast.person(project).user
cast.projects.add_member(graded, person)
client = Client()
client.force_login(person)
print(client.cookies["sessionid"].value, project.public_id, graded.public_id)
"""


class Wire:
    """Every reply that came over the wire, and not from a cache: its bytes, headers included."""

    def __init__(self, page: Page) -> None:
        self.bytes: list[float] = []
        network = page.context.new_cdp_session(page)
        network.send("Network.enable")
        network.on("Network.loadingFinished", self._weigh)

    def _weigh(self, reply: dict[str, Any]) -> None:
        if reply["encodedDataLength"]:
            self.bytes.append(reply["encodedDataLength"])


@pytest.fixture(scope="module")
def place(
    migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Installation]:
    """An installation of its own, with the settings of production and its collected files."""
    folder = tmp_path_factory.mktemp("weighed")
    database = folder / "pawsmith.sqlite3"
    database.write_bytes(migrated_sqlite.read_bytes())
    place = Installation(f"sqlite:///{database}", folder)
    place.environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    place.manage("collectstatic", "--noinput")
    yield place
    place.stop()


@pytest.fixture(scope="module")
def study(place: Installation) -> list[str]:
    """A session of somebody, a study for them to judge and correct in, and a graded one."""
    return place.run(STUDY).split()


@pytest.fixture(scope="module")
def address(place: Installation) -> Iterator[str]:
    """Where gunicorn serves it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{free.getsockname()[1]}"
    own = {"DATABASE_URL": place.database_url, "PAWSMITH_DATA_DIR": str(place.data_dir)}
    server = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "config.wsgi", "--bind", host, "--threads", "2"],
        cwd=ROOT,
        env=os.environ | own | place.environment,
        stderr=subprocess.DEVNULL,
    )
    _wait_for(host)
    yield f"http://{host}"
    server.terminate()
    server.wait()


@pytest.fixture
def newcomer(browser: Browser, address: str, study: list[str]) -> Iterator[Page]:
    """Somebody who is signed in and whose browser has never seen a file of ours."""
    context = browser.new_context(base_url=address)
    context.add_cookies([{"name": "sessionid", "value": study[0], "url": address}])
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(("which", "task"), [(1, "correct"), (1, "judge"), (2, "judge")])
def test_a_cold_page_is_six_requests_and_60_kb_at_most(
    newcomer: Page, study: list[str], which: int, task: str
) -> None:
    wire = Wire(newcomer)
    desks.sit_down(newcomer, f"/projects/{study[which]}/{task}/")
    newcomer.wait_for_load_state("networkidle")
    assert 4 <= len(wire.bytes) <= 6
    assert sum(wire.bytes) <= 60_000


def test_one_judgment_is_one_request_of_at_most_4_kb(newcomer: Page, study: list[str]) -> None:
    desks.sit_down(newcomer, f"/projects/{study[2]}/judge/")
    newcomer.wait_for_load_state("networkidle")
    wire = Wire(newcomer)
    desks.press(newcomer, "3")
    newcomer.wait_for_load_state("networkidle")
    assert len(wire.bytes) == 1
    assert wire.bytes[0] <= 4096


def _wait_for(host: str) -> None:
    name, port = host.split(":")
    for _ in range(900):
        try:
            socket.create_connection((name, int(port)), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("gunicorn does not answer")
