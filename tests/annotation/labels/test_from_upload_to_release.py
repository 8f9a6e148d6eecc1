"""Studies of the cards for means and opinions, from an upload to a release that verifies."""

import csv

import pytest

from annotation.imports.services.work import IMPORTS
from annotation.models import Import, Project
from annotation.pairs.services import intake
from common import leases
from releases.dataset.verification import verify
from releases.selectors.releases import folder_of
from releases.services import publication
from support.studies import freeze_version
from tests.annotation import make, pages
from tests.annotation.pages import client_of, form_at, page

pytestmark = pytest.mark.django_db
TEXT = "sentence1\tsentence2\n" + "".join(
    f"Ada {n} rowed home at dawn.\tEarly in the morning Ada {n} rowed home.\n" for n in range(6)
)


@pytest.fixture
def study(settings, tmp_path, monkeypatch):
    """Return a function that creates a study from a card and uploads pairs by the pages."""
    settings.IMPORTS_DIR = tmp_path / "imports"
    monkeypatch.setattr(leases, "BEAT_SECONDS", 600.0)

    def from_card(card):
        client = client_of(make.study())
        address = f"/projects/new/?preset={card}"
        client.post(address, form_at(client, address, name="Rated", preset=card))
        project = Project.objects.get(name="Rated")
        client.post(page("upload", project), {"kind": "pairs", "text": TEXT})
        assert IMPORTS.do_next()
        address = page("import", project, Import.objects.get().public_id)
        form = form_at(client, address, start="yes", corpus_name="Rowing", language="en")
        client.post(address, form)
        assert IMPORTS.do_next()
        assert intake.take_in(project) == 6
        return project

    with pages.release_folder(tmp_path / "releases"):
        yield from_card


def released(project, answers, **answer):
    """Rows of the labelled tables after people have given each pair these labels."""
    for label in answers:
        assert make.judge_all(make.person(project), label, **answer) == 6
    release = freeze_version(project, version="1.0", dev=0.2, test=0.2)
    publication.publish(release)
    folder = folder_of(release)
    assert verify(folder) == []
    tables = [path.read_text().splitlines() for path in folder.glob("labeled_final/*.tsv")]
    return [row for lines in tables for row in csv.DictReader(lines, delimiter="\t")]


def test_a_study_of_similarity(study):
    rows = released(study("sts"), (2, 3, 3, 4, 5))
    assert len(rows) == 6
    assert {(row["mean"], row["votes"]) for row in rows} == {("3.4", "0 0 1 2 1 1")}
    assert {row["soft_label"] for row in rows} == {"0.0 0.0 0.2 0.4 0.2 0.2"}


def test_a_study_of_opinions(study):
    rows = released(study("opinions"), (0, 10, 7, 7), reason="Both ask when.")
    assert {row["votes"] for row in rows} == {"1 0 0 0 0 0 0 2 0 0 1"}
    assert not any("mean" in row for row in rows)
