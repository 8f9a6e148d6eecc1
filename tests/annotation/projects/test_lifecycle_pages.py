"""Creating projects from presets, and what is asked before people's work stops."""

import html
import re

import pytest

from annotation.models import Project, Role
from annotation.pairs.labelled_lines import GoldPair
from annotation.people.selectors import workforce
from annotation.projects.labels import GRADES, INFERENCE
from annotation.projects.protocols import PRESETS
from annotation.projects.services import lifecycle
from annotation.projects.settings import SETTINGS
from annotation.quality.services import qualification
from annotation.work import kinds
from tests.annotation import make
from tests.annotation.pages import client_of, form_at, page, signed_in

CREATE = "/projects/new/"


@pytest.fixture
def manager(project):
    return make.person(project, role=Role.MANAGER)


@pytest.fixture
def client(manager):
    return signed_in(manager.user)


@pytest.mark.parametrize("preset", [name for name, card in PRESETS.items() if card.has_labels])
def test_a_manager_creates_a_project_from_a_card_and_needs_only_a_name(client, preset):
    form = form_at(client, f"{CREATE}?preset={preset}", name="New", preset=preset)
    client.post(CREATE, form)
    found, values = Project.objects.get(name="New"), PRESETS[preset].values
    assert {name: getattr(found, name) for name in values} == values
    assert found.label_looks == PRESETS[preset].of_labels["label_looks"]


def test_a_card_that_was_chosen_without_scripts_brings_its_protocol(client):
    form = form_at(client, CREATE, name="New", began_with="paws", preset="graded")
    client.post(CREATE, form)
    found = Project.objects.get(name="New")
    assert (found.judgments_per_pair, found.scheme, found.corrected_methods) == (3, GRADES, [])


def test_the_card_of_own_labels_asks_for_them_and_for_no_correction(client):
    shown = client.get(f"{CREATE}?preset=empty")
    assert "Enter the labels that people choose from" in shown.text
    form = form_at(client, f"{CREATE}?preset=empty", name="Moods", preset="empty")
    names = {f"scheme-name-{row}": name for row, name in enumerate(["glad", "calm", "sad"])}
    client.post(CREATE, form | names | {"scheme-level": "nominal", "scheme-rule": "most"})
    project = Project.objects.get(name="Moods")
    assert [label.value for label in project.scheme.labels] == [0, 1, 2]
    assert kinds.usual(project) == ["judge"]
    assert "to correct" not in client.get(page("overview", project)).text


def test_the_border_of_former_labels_is_ignored_where_there_are_no_sides(client):
    names = {f"scheme-name-{row}": name for row, name in enumerate(["glad", "calm", "sad"])}
    values = {f"scheme-value-{row}": row for row in range(3)}
    form = form_at(client, CREATE, name="Moods", preset="paws", **names, **values)
    client.post(CREATE, form | {"scheme-rule": "most", "scheme-border": "1"})
    assert Project.objects.get(name="Moods").scheme.border is None


def test_labels_are_in_the_quotation_marks_of_the_page(client):
    shown = client.get(f"{CREATE}?preset=paws", headers={"accept-language": "de"})
    assert "„Gleiche Bedeutung“, „Andere Bedeutung“" in shown.text


def test_a_card_keeps_its_labels_through_the_plan(client):
    shown = client.get(f"{CREATE}?preset=nli").text
    [plan] = re.findall(r'href="(/projects/plan/[^"]*)"', shown)
    back = re.findall(r'href="(/projects/new/\?[^"]*judgments[^"]*)"', client.get(plan).text)[0]
    context = client.get(html.unescape(back)).context
    assert context["preset"] == PRESETS["nli"]
    assert context["form"]["scheme"].value() == INFERENCE


def test_closing_and_archiving_name_those_whose_work_stops_first(client, project):
    ada = make.person(project).user.username
    for address in (page("open_project", project), page("archive_project", project)):
        shown = client.post(address) if "open" in address else client.get(address)
        assert ada in shown.text
        project.refresh_from_db()
        assert (project.is_open, project.archived_at) == (True, None)
    client.post(page("open_project", project), {"confirmed": "on"})
    project.refresh_from_db()
    assert not project.is_open


def test_a_setting_that_stops_people_names_them_and_is_saved_once_confirmed(client, project):
    qualification.add(project, [GoldPair("A b.", "B a.", 0, "")])
    ada, ben = make.person(project), make.person(project)
    qualification.let_pass(ben)
    address = page("joining_settings", project)
    form = form_at(client, address, asks_qualification="on")
    reply = client.post(address, form)
    assert reply.status_code == 409
    assert reply.context["stopped"].names == [ada.user.username]
    project.refresh_from_db()
    assert not project.asks_qualification
    client.post(address, form | {"stops": 1})
    project.refresh_from_db()
    assert project.asks_qualification


def test_no_setting_but_the_entitling_ones_decides_who_gets_work(project, monkeypatch):
    make.person(project)
    names, read = set(), Project.__getattribute__

    def note(project, name):
        names.add(name)
        return read(project, name)

    monkeypatch.setattr(Project, "__getattribute__", note)
    assert workforce.people(project)["judge"]
    assert names & {*SETTINGS} <= {*workforce.ENTITLING}


def test_an_archived_project_is_read_but_not_changed_and_listed_apart(client, manager, project):
    lifecycle.archive(project, by=manager.user)
    assert client.get(page("overview", project)).status_code == 200
    for route in ("project_settings", "invite", "open_project"):
        reply = client.post(page(route, project))
        assert reply.status_code == 403
        assert "archived" in reply.text
    home = client.get("/").context
    assert (home["cards"], home["archived"]) == ([], [project])
    assert client_of(project, "annotator").get("/").context["archived"] == []
    client.post(page("restore_project", project))
    project.refresh_from_db()
    assert project.archived_at is None


def test_who_cannot_go_on_is_told_whom_to_ask(project, client):
    Project.objects.update(contact="study@example.org", is_open=False)
    text = client_of(project, "annotator").get("/").text
    assert 'href="mailto:study@example.org"' in text
    assert (
        "study@example.org"
        in client_of(project, "annotator").get(page("work", project, "judge")).text
    )
