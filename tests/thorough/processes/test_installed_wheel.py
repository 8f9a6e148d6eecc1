"""A wheel in an environment of its own: `pawsmith run`, and a study by commands."""

import os
import signal
import stat
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import psutil
import pytest
import requests

from support.places import ROOT
from support.services.servers import free_port

PATIENCE = 900
RELEASE = "release"


class Place:
    """A user without anything but the wheel, in a folder that has a `config` of its own."""

    def __init__(self, script, folder):
        self.script, self.folder, self.port = script, folder, free_port()
        self.log = folder / "log"
        folder.mkdir()
        (folder / "config.py").write_text("raise AssertionError('this is of another project')")

    @property
    def environment(self):
        variables = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        return variables | {"HOME": str(self.folder), "PORT": str(self.port)}

    @property
    def data(self):
        if sys.platform == "darwin":
            return self.folder / "Library" / "Application Support" / "pawsmith"
        return self.folder / ".local" / "share" / "pawsmith"

    def command(self, *arguments):
        command = [self.script, *arguments]
        ran = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    def start(self):
        with self.log.open("wb") as log:
            return subprocess.Popen(
                [self.script, "run"],
                cwd=self.folder,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def get(self, path, headers=None):
        return requests.get(f"http://127.0.0.1:{self.port}{path}", headers=headers, timeout=60)

    def wait_for(self, text, process):
        until = time.monotonic() + PATIENCE
        while text not in self.log.read_text():
            assert process.poll() is None, self.log.read_text()
            assert time.monotonic() < until, self.log.read_text()
            time.sleep(0.2)


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    """The script of a new environment, which has the wheel, and other packages from this one."""
    folder = tmp_path_factory.mktemp("wheel")
    wheel = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation"]
    subprocess.run([*wheel, "--wheel-dir", folder, ROOT], check=True, capture_output=True)
    venv = [sys.executable, "-m", "venv", "--without-pip", folder / "venv"]
    subprocess.run(venv, check=True)
    install = [sys.executable, "-m", "pip", "--python", folder / "venv", "install", "--no-deps"]
    [built] = folder.glob("*.whl")
    subprocess.run([*install, "--no-index", built], check=True, capture_output=True)
    [packages] = folder.glob("venv/lib/*/site-packages")
    (packages / "others.pth").write_text(sysconfig.get_path("purelib"))
    return folder / "venv" / "bin" / "pawsmith"


@pytest.fixture(scope="module")
def place(script, tmp_path_factory):
    return Place(script, tmp_path_factory.mktemp("user") / "home")


@pytest.fixture
def process(place):
    """`pawsmith run`, whose worker works."""
    process = place.start()
    try:
        place.wait_for("The worker is ready.", process)
        yield process
    finally:
        process.terminate()
        process.wait()


def test_pages_have_templates_styles_languages_documents(place, process):
    page = place.get("/accounts/login/")
    assert page.status_code == 200
    style = page.text.partition('<link rel="stylesheet" href="')[2].partition('"')[0]
    assert place.get(style).status_code == 200
    assert "<h1>Anmelden</h1>" in place.get("/accounts/login/", {"Accept-Language": "de"}).text
    show = "from operations import manual; print(manual.page('annotator'))"
    assert "<h2" in place.command("shell", "--verbosity", "0", "--command", show)


def test_data_lies_in_the_folder_of_the_user_with_a_secret_key_of_their_own(place, process):
    assert {"pawsmith.sqlite3", "releases", "static"} <= {
        path.name for path in place.data.iterdir()
    }
    assert stat.S_IMODE((place.data / "pawsmith.env").stat().st_mode) == 0o600
    installed = Path(place.script).parents[1]
    assert not list(installed.rglob("staticfiles.json"))


def test_a_study_by_commands_ends_in_a_release_that_anyone_can_verify(place, process, tmp_path):
    sentences = (ROOT / "operations/demonstration/sentences.jsonl").read_text().splitlines()
    (place.folder / "sentences.jsonl").write_text("\n".join(sentences[:12]))
    place.command("create_project", "Study", "--preset", "paws")
    place.command("import_sentences", "sentences.jsonl", "--corpus", "mine")
    generate = ["generate", "--corpus", "mine", "--project", "Study", "--method", "word_swap"]
    place.command(*generate, "--wait")
    simulate = ["simulate_annotators", "--project", "Study", "--annotators", "6", "--seed", "1"]
    place.command(*simulate, "--accuracy", "0.95")
    build = ["build_release", "--project", "Study", "--release", "1.0", "--output", RELEASE]
    place.command(*build, "--dev", "0", "--test", "0")

    other = Place(place.script, tmp_path / "home")
    assert "is intact" in other.command("verify_release", place.folder / RELEASE)


def test_all_ends_well_at_control_c(place, process):
    children = psutil.Process(process.pid).children(recursive=True)
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(60) == 0
    assert not any(child.is_running() for child in children)


def test_all_ends_when_the_worker_dies(place, process):
    [worker] = [
        child
        for child in psutil.Process(process.pid).children()
        if child.cmdline()[-1:] == ["worker"]
    ]
    worker.kill()
    assert process.wait(60) == 1
    assert "The worker ended unexpectedly" in place.log.read_text()
    with pytest.raises(requests.ConnectionError):
        place.get("/livez")
