"""Commands whose surroundings fail end with a message that says why, not with a traceback."""

import errno
import os
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import InternalError, OperationalError

from annotation.models import Project
from tests.annotation import make

pytestmark = pytest.mark.django_db
NO_SPACE = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/data/releases")


@pytest.mark.parametrize(
    ("failure", "message"),
    [
        (NO_SPACE, "/data/releases: No space left on device"),
        (InternalError("cannot execute INSERT in a read-only transaction\nCONTEXT"), "read-only"),
        (OperationalError("attempt to write a readonly database"), "did not carry this out: att"),
        (OperationalError("unable to open database file"), "Make its folder, or let this user wr"),
        (OperationalError("no such table: accounts_user"), "Run the command `migrate` first"),
    ],
)
def test_a_full_disk_or_a_read_only_database_is_a_message(monkeypatch, failure, message):
    def fail(*_arguments, **_options):
        raise failure

    monkeypatch.setattr("annotation.projects.services.projects.create", fail)
    with pytest.raises(CommandError, match=message) as raised:
        call_command("create_project", "Study")
    assert "CONTEXT" not in str(raised.value)


def test_a_data_folder_that_does_not_exist_is_a_sentence_at_the_first_command(tmp_path):
    environment = os.environ | {"PAWSMITH_DATA_DIR": str(tmp_path / "missing")}
    environment |= {"PAWSMITH_SECRET_KEY": "x", "DJANGO_SETTINGS_MODULE": "config.settings"}
    environment.pop("DATABASE_URL", None)
    command = [sys.executable, "manage.py", "migrate"]
    ran = subprocess.run(
        command, env=environment, cwd=settings.BASE_DIR, capture_output=True, text=True
    )
    assert (ran.returncode, "Traceback" in ran.stderr) == (1, False), ran.stderr
    assert "PAWSMITH_DATA_DIR names the folder" in ran.stderr


@pytest.mark.parametrize("arguments", [["check"], ["run", "--port", "0"]])
def test_a_wrong_setting_is_one_line(tmp_path, arguments):
    environment = os.environ | {"PAWSMITH_DATA_DIR": str(tmp_path), "PAWSMITH_PASSWORDS": "off"}
    environment |= {"PAWSMITH_SECRET_KEY": "x", "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "manage.py", *arguments]
    ran = subprocess.run(
        command, env=environment, cwd=settings.BASE_DIR, capture_output=True, text=True
    )
    assert (ran.returncode, len(ran.stderr.splitlines())) == (1, 1), ran.stderr
    assert "set PAWSMITH_OIDC_SERVER" in ran.stderr


def test_bytes_that_are_no_text_are_a_message():
    with pytest.raises(CommandError, match="not valid Unicode"):
        call_command("create_project", os.fsdecode(b"Stud\xff"))
    assert not Project.objects.exists()


@pytest.mark.parametrize(
    "command",
    [
        ["generate", "--corpus", "c", "--project", "p"],
        ["build_release", "--project", "p", "--release", "1.0"],
        ["create_project", "p"],
    ],
)
@pytest.mark.parametrize("seed", ["1" + "0" * 30, "-1", "x"])
def test_seeds_that_the_database_cannot_store_are_refused(command, seed):
    with pytest.raises(CommandError, match="is not a whole number from 0 to 9223372036854775807"):
        call_command(*command, f"--seed={seed}")


def test_reasons_for_refused_lines_are_words(tmp_path, capsys):
    project, lines = make.study(), tmp_path / "gold.tsv"
    lines.write_bytes(b"sentence1\tsentence2\tlabel\nA.\tB.\n")
    call_command("import_gold_pairs", str(lines), project=project.name)
    out = capsys.readouterr().out
    assert ("other number of columns" in out, "_" in out) == (True, False)


def test_an_option_of_translations_is_refused_for_judged_pairs():
    project = make.study()
    options = {"project": project.name, "release": "1.0", "accepts_errors": True}
    with pytest.raises(CommandError, match="Only a release of translations"):
        call_command("build_release", **options)
