"""The examples in the documents work: commands, Python, a shell's requests over REST, and links."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from accounts import tokens
from annotation.models import Membership
from annotation.projects import api
from annotation.runs import services as generating
from generation.api import runs
from generation.endpoints import config as endpoints
from generation.models import Corpus, GenerationRun, Sentence
from generation.services.sentences import digest_of
from releases.api import releases
from releases.dataset.plan import plan
from releases.dataset.settings import ReleaseSettings
from releases.dataset.verification import verify
from releases.dataset.writers import Content, write_release
from releases.selectors import releases as published
from releases.services import publication
from tests.annotation import judged, make
from tests.annotation.filled import filled
from tests.releases.dataset.studies import FACTS, study
from tests.releases.dataset.test_definitions import definitions, written
from tests.releases.dataset.translated import translations
from tests.releases.dataset.translated.test_verification import Forger

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
SERVER = "https://pawsmith.example.org"
FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# In code only: indented, fenced or between backticks. What is optional is in brackets.
PROGRAM = r"(?:[^`\n]*?manage\.py|pawsmith) +"
COMMAND = re.compile(rf"(?:^ {{4,}}|^\$ |`){PROGRAM}(?!run\b)(\w+)([^`\n]*)", re.MULTILINE)
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]*)#?([^)\s]*)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def examples(document, language, replaced=()):
    """The fenced examples of a document in one language, in order, with values of this test."""
    text = (DOCS / document).read_text(encoding="utf-8")
    for shown, meant in dict(replaced).items():
        text = text.replace(shown, meant)
    return [code for written_in, code in FENCED.findall(text) if written_in == language]


def run(document, replaced=()):
    """Run all Python examples of a document, one after the other; returns their variables."""
    variables = {}
    for code in examples(document, "python", replaced):
        exec(compile(code, document, "exec"), variables)
    return variables


def test_files_of_endpoints_are_valid(tmp_path):
    path = tmp_path / "endpoints.toml"
    for text in examples("operator/endpoints.md", "toml"):
        path.write_text(text)
        assert endpoints.read(path).models
        assert not endpoints.read(path).problems


def test_every_command_in_the_documents_exists_with_its_options(subtests):
    known, shown = get_commands(), 0
    for document in (ROOT / "README.md", *sorted(DOCS.rglob("*.md"))):
        text = document.read_text(encoding="utf-8").replace("\\\n", " ")
        for name, line in COMMAND.findall(text):
            shown += 1
            with subtests.test(document=document.name, command=name + line):
                assert name in known
                arguments = shlex.split(re.sub(r"[][]", " ", line), comments=True)
                parser = load_command_class(known[name], name).create_parser("manage.py", name)
                if arguments:  # a name alone is a mention
                    parser.parse_args(["7" if each == "RUN" else each for each in arguments])
    assert shown > 50


def test_every_link_between_the_documents_leads_to_a_file_and_a_heading():
    for document in (*ROOT.glob("*.md"), *DOCS.rglob("*.md")):
        for path, anchor in LINK.findall(FENCED.sub("", document.read_text(encoding="utf-8"))):
            target = document.parent / path if path else document
            assert target.exists(), (document.name, path)
            headings = HEADING.findall(target.read_text(encoding="utf-8")) if anchor else ()
            anchors = [re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings]
            assert not anchor or anchor in anchors, (document.name, path, anchor)


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    """The folder of a release that is large enough for all files to have rows."""
    folder = tmp_path_factory.mktemp("releases") / "release"
    some, settings = study(families=100), ReleaseSettings(seed=7)
    made = plan(some.sentences, some.pairs, some.candidates, settings=settings)
    pairs = [*made.pairs, *made.silver]
    content = Content(pairs, some.sentences, some.judgments, **made.totals)
    write_release(folder, content, facts=FACTS, settings=settings)
    return folder


@pytest.fixture
def folder_with_release(release, tmp_path, monkeypatch):
    (tmp_path / "release").symlink_to(release)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.filterwarnings("ignore")  # mlcroissant uses what pandas is going to change
def test_examples_that_use_a_release_work(folder_with_release, monkeypatch):
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", folder_with_release / "cache")
    variables = run("researcher/releases.md", {"path/to/release": "release"})
    assert {*variables["pairs"]} == {"train", "dev", "test"}
    votes = variables["votes"].sum().sum()
    assert votes == len(variables["judgments"]) == len(variables["answers"])


@pytest.mark.filterwarnings("ignore")
def test_examples_that_use_translations_work_for_a_graded_release(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")
    written(Path("paws"), *definitions())
    made = translations.translations(Path("paws"))
    translations.validate(made)
    translations.write(Path("de"), Path("paws"), made)
    shutil.copytree("de", "fr")
    Forger(Path("fr")).manifest("settings", "language", value="fr")
    places = {"path/to/release": "de", "release/validations": "de/validations"}
    variables = run("researcher/translations.md", places)
    assert len(variables["both"]) == variables["german"]["dev"].num_rows
    assert variables["regime"].language == "fr"


@pytest.fixture
def served(settings, tmp_path, live_server):
    """A study with a published release, on a server."""
    settings.RELEASES_DIR = tmp_path / "releases"
    made = filled()
    judged.pairs(made.project, [[1] * 5, [0] * 5, [0, 1, 0, 0, 0]], by=made.judges)
    publication.publish(made.release)
    return made


@pytest.fixture
def manager(served):
    return make.person(served.project, role=Membership.Role.MANAGER).user


@pytest.fixture
def started(served, manager):
    """A run that can be steered, and the corpora over which the examples start others."""
    for name in ("rivers", "towns"):
        corpus = Corpus.objects.create(name=name)
        text = f"The boats sail from Bristol to the {name}."
        Sentence.objects.create(corpus=corpus, text=text, digest=digest_of(text))
        [run] = generating.start(served.project, [corpus], method="word_swap", started_by=manager)
    return run


@pytest.fixture
def replaced(served, started, live_server):
    """Names in the examples, and what they are called here."""
    return {
        SERVER: live_server.url,
        api.ROW["id"]: str(served.project.public_id),
        releases.ROW["id"]: str(served.release.public_id),
        runs.SUMMARY["id"]: str(started.public_id),
    }


def test_python_examples_that_read_a_study_over_rest_work(replaced, manager, monkeypatch):
    monkeypatch.setenv("TOKEN", tokens.create(user=manager))
    monkeypatch.setenv("no_proxy", "*")
    variables = run("researcher/rest.md", replaced)
    assert variables["votes"].to_numpy().sum() == 20
    assert len(variables["judgments"]) == 20


@pytest.fixture
def curl():
    """The examples use it; tests/conftest.py leaves out what needs it where there is none."""


@pytest.mark.usefixtures("curl")
def test_shell_examples_that_use_rest_work(replaced, manager, served, started, tmp_path):
    archive = published.archive_of(served.release).read_bytes()
    partial = tmp_path / "my-study-1.0.tar.gz"
    partial.write_bytes(archive[:100])
    printed = [
        shell(code, folder=tmp_path, token=tokens.create(user=manager, scope="manage"))
        for code in examples("researcher/rest.md", "bash", replaced)
    ]
    assert str(served.project.public_id) in printed[0]
    assert GenerationRun.objects.filter(preview=True).count() == 2
    started.refresh_from_db()
    assert started.state == GenerationRun.State.PAUSED
    assert printed[-1] == "as it was published\n"
    assert verify(tmp_path / "my-study-1.0") == []
    assert partial.read_bytes() == archive


def shell(code, *, folder, token):
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", code],
        cwd=folder,
        env=os.environ | {"TOKEN": token, "no_proxy": "*"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, '"errors":[' in done.stdout) == (0, False), done.stderr + done.stdout
    return done.stdout
