"""What the documents show is run here, as it stands there: against a server, and on a release."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import get_commands, load_command_class
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from accounts import tokens
from accounts.models import User
from annotation.api import projects, releases
from annotation.dataset.plan import plan
from annotation.dataset.settings import ReleaseSettings
from annotation.dataset.verification import verify
from annotation.dataset.writers import write_release
from annotation.models import Membership
from annotation.selectors import published
from annotation.services import generating
from annotation.services.releases import publishing
from generation.api import runs
from generation.models import Corpus, GenerationRun, Sentence
from generation.services.sentences import digest_of
from tests import curl, documents
from tests.annotation import cast, judged
from tests.annotation.dataset.studies import FACTS, study
from tests.annotation.filled import Filled, filled

SERVER = "https://pawsmith.example.org"
OURS = shlex.join([sys.executable, "-I", "-S", curl.__file__])
# curl's own where there is one.
CURL = shutil.which("curl") or OURS


def run(document: str, replaced: dict[str, str] | None = None) -> dict[str, Any]:
    """All Python examples of a document, one after the other; what they leave behind."""
    left: dict[str, Any] = {}
    for code in documents.examples(document, "python"):
        exec(compile(filled_in(code, replaced or {}), document, "exec"), left)
    return left


def filled_in(code: str, replaced: dict[str, str]) -> str:
    for shown, meant in replaced.items():
        code = code.replace(shown, meant)
    return code


@pytest.mark.parametrize(
    ("document", "name", "arguments"),
    [pytest.param(*each, id=" ".join([each[0], each[1]])) for each in documents.commands()],
)
def test_a_command_that_is_shown_is_there_with_its_options(
    document: str, name: str, arguments: list[str]
) -> None:
    known = get_commands()
    assert name in known
    parser = load_command_class(known[name], name).create_parser("manage.py", name)
    if arguments:  # a name alone is a mention
        parser.parse_args(["7" if each == "RUN" else each for each in arguments])


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a release that is large enough for all files to have rows."""
    folder = tmp_path_factory.mktemp("releases") / "release"
    some, settings = study(families=100), ReleaseSettings(seed=7)
    write_release(
        folder,
        plan(some.sentences, some.pairs, some.candidates, settings=settings),
        sentences=some.sentences,
        judgments=some.judgments,
        facts=FACTS,
        settings=settings,
    )
    return folder


@pytest.fixture
def beside_release(release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the examples find it."""
    (tmp_path / "release").symlink_to(release)
    monkeypatch.chdir(tmp_path)


# mlcroissant warns of what pandas is going to change under it.
@pytest.mark.filterwarnings("ignore")
def test_a_release_is_used_as_it_is_shown(
    beside_release: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")

    left = run("releases.md", {"path/to/release": "release"})

    assert {*left["pairs"]} == {"train", "dev", "test"}
    assert left["votes"].sum().sum() == len(left["judgments"]) == len(left["answers"])


def test_agreement_is_measured_as_it_is_shown(beside_release: None) -> None:
    left = run("agreement.md")

    assert left["found"].before.human.value < left["found"].after.human.value


def test_a_dataset_is_planned_as_it_is_shown() -> None:
    left = run("dataset.md")

    assert [(pair.label, pair.origin) for pair in left["planned"].pairs].count((0, "recombined"))


@pytest.fixture
def served(settings: Settings, tmp_path: Path, live_server: LiveServer) -> Filled:
    """A study with a published release, whose files a server sends."""
    settings.RELEASES_DIR = tmp_path / "releases"
    made = filled()
    judged.pairs(made.project, [[1] * 5, [0] * 5, [0, 1, 0, 0, 0]], by=made.judges)
    publishing.publish(made.release)
    return made


@pytest.fixture
def manager(served: Filled) -> User:
    return cast.person(served.project, role=Membership.Role.MANAGER).user


@pytest.fixture
def started(served: Filled, manager: User) -> GenerationRun:
    """A run that can be steered; and what the examples start others over."""
    for name in ("rivers", "towns"):
        corpus = Corpus.objects.create(name=name)
        text = f"The boats sail from Bristol to the {name}."
        Sentence.objects.create(corpus=corpus, text=text, digest=digest_of(text))
    [run] = generating.start(served.project, [corpus], method="word_swap", started_by=manager)
    return run


@pytest.fixture
def meant(served: Filled, started: GenerationRun, live_server: LiveServer) -> dict[str, str]:
    """What stands here for what the examples name."""
    return {
        SERVER: live_server.url,
        projects.ROW["id"]: str(served.project.public_id),
        releases.ROW["id"]: str(served.release.public_id),
        runs.SUMMARY["id"]: str(started.public_id),
    }


def test_a_study_is_read_over_rest_as_it_is_shown(
    meant: dict[str, str], manager: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN", tokens.create(user=manager))
    monkeypatch.setenv("no_proxy", "*")

    left = run("api.md", meant)

    assert left["kappa"] == pytest.approx(left["told"]["value"])
    assert len(left["judgments"]) == 20
    assert set(left["pairs"]["id"])


def shell(code: str, *, folder: Path, token: str, program: str = CURL) -> str:
    """Run an example in a folder, with a program for curl; what it prints."""
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    (programs / "curl").write_text(f'#!/bin/sh\nexec {program} "$@"\n')
    (programs / "curl").chmod(0o755)
    own = {"PATH": f"{programs}:{os.environ['PATH']}", "TOKEN": token, "no_proxy": "*"}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", code],
        cwd=folder,
        env=os.environ | own,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, '"errors"' in done.stdout) == (0, False), done.stderr + done.stdout
    return done.stdout


def test_a_shell_does_over_rest_what_is_shown(
    meant: dict[str, str], manager: User, served: Filled, started: GenerationRun, tmp_path: Path
) -> None:
    archive = published.archive_of(served.release).read_bytes()
    broken_off = tmp_path / "my-study-1.0.tar.gz"
    broken_off.write_bytes(archive[:100])

    told = [
        shell(
            filled_in(code, meant),
            folder=tmp_path,
            token=tokens.create(user=manager, scope="manage"),  # for one example revokes it
        )
        for code in documents.examples("api.md", "bash")
    ]

    assert str(served.project.public_id) in told[0]
    assert GenerationRun.objects.filter(preview=True).count() == 2
    started.refresh_from_db()
    assert started.state == GenerationRun.State.PAUSED
    assert told[-1] == "as it was published\n"
    assert verify(tmp_path / "my-study-1.0") == []
    assert broken_off.read_bytes() == archive


def test_where_there_is_no_curl_ours_does_the_same(
    manager: User, served: Filled, live_server: LiveServer, tmp_path: Path
) -> None:
    address = f"{live_server.url}/api/releases/{served.release.public_id}/archive/"
    shell(
        f'curl --fail -H "Authorization: Token $TOKEN" --create-dirs -o a/whole {address}\n'
        f"head -c 100 a/whole > part\n"
        f'curl --fail -H "Authorization: Token $TOKEN" -C - -o part {address}\n',
        folder=tmp_path,
        token=tokens.create(user=manager, scope="releases"),
        program=OURS,
    )

    archive = published.archive_of(served.release).read_bytes()
    assert (tmp_path / "a" / "whole").read_bytes() == archive
    assert (tmp_path / "part").read_bytes() == archive
