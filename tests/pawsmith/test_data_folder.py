"""Which settings and secret keys belong to an installation, and when a key is written."""

import os
import runpy

import pytest

from pawsmith import __main__ as program
from support.places import ROOT

NAME = "PAWSMITH_WEBHOOKS"


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """The default folder and another, each with a file of settings."""
    monkeypatch.setattr("common.program.CODE_DIR", tmp_path)
    monkeypatch.setattr("os.environ", {})
    monkeypatch.setattr("environ.Env.ENVIRON", os.environ)
    usual, other = tmp_path / "var", tmp_path / "other"
    for folder in (usual, other):
        folder.mkdir()
        (folder / "pawsmith.env").write_text(f"{NAME}=/{folder.name}\n")
    return usual, other


def places():
    return runpy.run_path(str(ROOT / "common/places.py"))


def test_only_the_file_of_the_folder_that_the_environment_names_counts(folders):
    usual, other = folders
    (usual / "pawsmith.env").write_text(f"{NAME}=/usual\nPAWSMITH_SECRET_KEY=of-the-default\n")
    os.environ["PAWSMITH_DATA_DIR"] = str(other)
    places()
    assert os.environ[NAME] == "/other"
    assert "PAWSMITH_SECRET_KEY" not in os.environ


def test_the_file_of_the_default_folder_may_move_the_data(folders):
    usual, other = folders
    (usual / "pawsmith.env").write_text(f"PAWSMITH_DATA_DIR={other}\n")
    assert places()["DATA_DIR"] == other
    assert os.environ[NAME] == "/other"


@pytest.mark.parametrize(
    "arguments",
    [[], ["--help"], ["--version"], ["migrate", "--help"], ["check"], ["verify_release", "none"]],
)
def test_commands_that_need_no_data_write_nothing(tmp_path, monkeypatch, arguments):
    monkeypatch.setattr("pawsmith.run.DATA_DIR", tmp_path / "data")
    monkeypatch.setattr(program, "IS_CHECKOUT", False)
    monkeypatch.setattr("sys.argv", ["pawsmith", *arguments])
    monkeypatch.delenv("PAWSMITH_SECRET_KEY", raising=False)
    monkeypatch.setattr(program, "execute_from_command_line", lambda _arguments: None)
    program.main()
    assert "PAWSMITH_SECRET_KEY" in os.environ
    assert not (tmp_path / "data").exists()
