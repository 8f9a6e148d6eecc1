"""A small set that was published elsewhere, imported by the command."""

import io
from pathlib import Path

from django.core.management import call_command

from releases.models import Release
from tests.releases.dataset.published.sets import SETS

STATED = ("--name=Trial", "--licence=cc by 4.0", "--language=en", "--citation=Doe (2020).")
PIT = SETS["PIT-2015"]


def import_trial(folder: Path, *arguments: str) -> Release | None:
    """Import a set with votes, whose files lie in "published"; return the newest release."""
    source = folder / "published"
    source.mkdir(exist_ok=True)
    for name, content in PIT.files.items():
        (source / name).write_bytes(content)
    votes = f"--votes={','.join(map(str, PIT.choices.votes))}"
    address = "--address=https://example.org/trial"
    call_command(
        "import_release", str(source), *STATED, address, votes, *arguments, stdout=io.StringIO()
    )
    return Release.objects.first()
