"""The rail: which pages a reader finds, which of them is marked, and what waits beside them."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Role
from annotation.projects.selectors import rail
from tests.annotation import make
from tests.annotation.pages import client_of, page, signed_in

pytestmark = pytest.mark.django_db
MATERIAL = ["Sentences", "Runs", "Candidates", "Pairs"]
FOR_READERS = ["Overview", *MATERIAL, "People", "Notes", "Agreement", "Releases", "Guidelines"]
FOR_MANAGERS = [
    *("Overview", *MATERIAL, "People", "Invitations", "Tests", "Notes"),
    *("Agreement", "Releases", "Guidelines", "Settings", "History"),
]


def rail_of(text):
    return text.split('<nav class="rail"')[1].split("</nav>")[0]


def lines_of(text):
    """Return the names of the lines, without what stands beside them."""
    return [name.strip() for name in re.findall(r"</svg><[^>]+>([^<]+)", rail_of(text))]


def marked_in(text):
    marked = re.findall(r'aria-current="(\w+)"><svg.*?</svg><[^>]+>([^<]+)', rail_of(text))
    return [(current, name.strip()) for current, name in marked]


def test_readers_find_the_pages_that_they_may_open():
    study = make.study()
    assert lines_of(client_of(study).get(page("overview", study)).text) == FOR_MANAGERS
    reader = client_of(study, role=Role.RESEARCHER)
    assert lines_of(reader.get(page("overview", study)).text) == FOR_READERS


def test_a_study_that_corrects_nothing_has_no_page_of_candidates():
    study = make.study(corrected_methods=[])
    assert "Candidates" not in lines_of(client_of(study).get(page("overview", study)).text)


def test_the_line_of_a_page_is_marked_on_the_pages_that_it_leads_to():
    study = make.study()
    client = client_of(study)
    for route, more, expected in (
        ("overview", [], ("page", "Overview")),
        ("data", [], ("page", "Sentences")),
        ("new_run", [], ("true", "Runs")),
        ("answers", ["correct"], ("page", "Candidates")),
        ("skips", [], ("true", "People")),
        ("gold_pairs", [], ("true", "Tests")),
        ("models", [], ("true", "Agreement")),
        ("project_actions", [], ("true", "Settings")),
    ):
        assert marked_in(client.get(page(route, study, *more)).text) == [expected], route


def test_counts_are_read_in_one_statement_that_stops_at_the_limit(monkeypatch):
    study = make.study()
    make.candidates(study, [(f"S{n} sees.", f"Sees s{n}.") for n in range(4)])
    with CaptureQueriesContext(connection) as queries:
        counts = rail.counts(study, ["correct"])
    assert (len(queries), counts["left:correct"], counts["version"]) == (1, 4, None)
    monkeypatch.setattr(rail, "MOST", 2)
    assert rail.counts(study, ["correct"])["left:correct"] == 3
    assert "2+ left" in client_of(study).get(page("overview", study)).text


def test_the_project_that_was_opened_last_is_the_first_of_the_switcher():
    user = make.person(make.study(), role="manager").user
    studies = [make.study(), make.study()]
    for study in studies:
        study.memberships.create(user=user, role=Role.MANAGER)
    client = signed_in(user)
    for study in (*studies, studies[0]):
        text = client.get(page("overview", study)).text
    names = re.findall(r"<bdi>([^<]+)</bdi>", text.split('id="projects"')[1].split("</div>")[0])
    # A further look within the hour is not noted.
    assert names[:2] == [study.name for study in studies[::-1]]
