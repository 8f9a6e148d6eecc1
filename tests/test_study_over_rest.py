"""The script in the documents runs a whole study over REST, on a live server."""

import importlib.util
import sys
from pathlib import Path

import pytest

from accounts import tokens
from accounts.models import User
from annotation.models import Judgment, Project
from annotation.pairs.services import intake
from releases.dataset.verification import verify
from releases.services.builds import BUILDS, PREVIEWS

SCRIPT = Path(__file__).parent.parent / "docs" / "researcher" / "study.py"


def work_that_waits(_seconds):
    """Does what a worker would do while the script sleeps."""
    for project in Project.objects.all():
        intake.take_in(project)
    PREVIEWS.do_next()
    BUILDS.do_next()


@pytest.fixture
def script(live_server, settings, tmp_path, monkeypatch):
    """The script with its server, in a folder of its own."""
    settings.RELEASES_DIR = tmp_path / "releases"
    creator = User.objects.create_user("ada", may_create_projects=True)
    monkeypatch.setenv("TOKEN", tokens.create(user=creator, scope="manage"))
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr(sys, "argv", [SCRIPT.name, live_server.url])
    monkeypatch.chdir(tmp_path)
    spec = importlib.util.spec_from_file_location("study", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "sleep", work_that_waits)
    return module


def test_the_script_runs_a_whole_study(script, tmp_path, capsys):
    script.main()
    project = Project.objects.get()
    release = project.releases.get()
    answered = Judgment.objects.filter(project=project, submitted_at__isnull=False)
    assert answered.filter(item__gold_label=None).count() == script.PEOPLE * len(script.PAIRS)
    assert project.pairs.exclude(excluded_by=None).get().candidate.external_id == "7"
    assert (release.state, project.is_open) == ("frozen", False)
    [folder] = (path for path in tmp_path.glob("study-*-1.0") if path.is_dir())
    assert verify(folder) == []
    files = len(release.manifest["files"]) + 1  # and the manifest itself
    assert capsys.readouterr().out.endswith(f"has {files} files, as published\n")


def test_the_script_runs_twice(script, capsys):
    script.main()
    script.main()
    assert Project.objects.filter(releases__state="frozen").count() == 2
    assert capsys.readouterr().out.count("files, as published") == 2


def test_the_script_says_what_it_waited_for(script, monkeypatch):
    monkeypatch.setattr(script, "MOST_SECONDS", 2)
    monkeypatch.setattr(script, "sleep", lambda _seconds: None)
    with pytest.raises(SystemExit, match="Waited 2 seconds for 8 pairs in the project"):
        script.main()
