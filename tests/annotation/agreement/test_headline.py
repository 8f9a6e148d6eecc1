"""Page, report, files and REST name the same headline measure of agreement."""

import csv
import html
import json
from io import StringIO

import pytest
from django.urls import reverse

from annotation.stats.agreement_tables import HEADLINES
from annotation.stats.labels import Level
from tests.annotation import judged, make
from tests.annotation.rest import client_of

pytestmark = pytest.mark.django_db
SENTENCE = HEADLINES[Level.ORDINAL]


@pytest.fixture
def project():
    project = make.study(protocol="parade")
    judged.pairs(project, [[3, 3, 2], [0, 0, 1], [1, 1, 1]], by=judged.people(project, 3))
    return project


@pytest.fixture
def manager(project):
    return make.person(project, role="manager").user


def test_pages_files_and_rest_name_the_headline(project, manager, client):
    client.force_login(manager)
    page = client.get(reverse("agreement", args=[project.public_id])).content.decode()
    assert SENTENCE in html.unescape(page)
    assert "<strong>Ordinal alpha</strong>" in page
    table = client.get(reverse("table", args=[project.public_id, "agreement"])).getvalue()
    rows = list(csv.DictReader(StringIO(table.decode())))
    assert {row["headline"] for row in rows} == {"ordinal_alpha"}
    figures = client_of(manager).get(f"/api/projects/{project.public_id}/agreement/").json()
    assert figures["headline"] == "ordinal_alpha"
    assert figures["overall"]["before_filter"]["interval_alpha"]["value"] is None
    value = figures["overall"]["before_filter"]["ordinal_alpha"]["value"]
    assert float(rows[0]["ordinal_alpha"]) == pytest.approx(value)


def test_reports_name_the_headline(project, printed, tmp_path):
    name = project.name
    assert f"\n\n{SENTENCE}\n\n" in printed("report", project=name)
    assert json.loads(printed("report", project=name, json=True))["headline"] == SENTENCE
    printed("report", project=name, latex=tmp_path / "tables.tex")
    text = (tmp_path / "tables.tex").read_text(encoding="utf-8")
    assert f"\\caption{{Agreement. {SENTENCE}}}" in text
