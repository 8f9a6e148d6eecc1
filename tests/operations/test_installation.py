"""The pages of an installation: who opens them, what they say, and what staff do there."""

import re

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts.audited_acts import Act
from accounts.models import AuditEntry, User
from annotation.models import Project
from annotation.work import simulation
from tests.annotation import judged, make
from tests.annotation.pages import signed_in, statements

pytestmark = pytest.mark.django_db
FOR_ALL_STAFF = ("installation", "installation_models", "status")
WITH_RIGHTS = (
    *("installation_people", "installation_projects", "installation_events"),
    "installation_log",
)


@pytest.fixture
def root(db):
    return User.objects.create_superuser("root")


@pytest.fixture
def client(root):
    return signed_in(root)


@pytest.fixture
def project(db):
    project = make.study()
    judged.pairs(project, [[1, 1, 1, 1, 0]], by=judged.people(project, 5))
    return project


def rows_at(client, name):
    """The cells of each row of the first table."""
    text = client.get(reverse(name)).text
    rows = re.findall(r"<tr>(.*?)</tr>", text.split("<tbody>")[1].split("</tbody>")[0], re.DOTALL)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    plain = [[re.sub(r"<[^>]+>", " ", cell) for cell in row] for row in cells]
    return [[" ".join(cell.split()) for cell in row] for row in plain]


def test_pages_are_for_staff(project):
    manager = signed_in(make.person(project, role="manager").user)
    helper = signed_in(User.objects.create_user("helper", is_staff=True))
    for name in (*FOR_ALL_STAFF, *WITH_RIGHTS):
        address = reverse(name)
        assert Client().get(address, follow=True).redirect_chain[-1][0].startswith("/accounts/")
        assert manager.get(address, follow=True).status_code == 403, name
        assert helper.get(address).status_code == (200 if name in FOR_ALL_STAFF else 403), name


def test_staff_see_what_their_rights_let_them_read(project):
    helper = User.objects.create_user("helper", is_staff=True)
    helper.user_permissions.set(Permission.objects.filter(codename="view_user"))
    text = signed_in(helper).get(reverse("installation")).text
    assert ("helper" in text, project.name in text) == (True, False)


def test_the_former_address_of_the_status_leads_to_the_new_one(client):
    reply = client.get("/status/")
    assert (reply.status_code, reply.url) == (301, "/installation/status/")


def test_the_overview_says_what_needs_staff(client, settings):
    settings.SENDS_MAIL = False
    text = client.get(reverse("installation")).text
    for said in ("There is no backup yet.", "Pawsmith sends no email.", "No worker is running."):
        assert said in text
    assert "1 problem" in text


def test_simulated_people_are_one_line(client, project):
    simulation.crowd(project, size=3, accuracy=0.9, seed=1)
    *others, last = rows_at(client, "installation_people")
    assert last[:4] == ["3 simulated people", "can’t sign in", "1", "never"]
    assert len(others) == 6
    assert not User.objects.filter(is_simulated=True).first().has_usable_password()


def test_people_are_listed_with_their_rights(client, project):
    name = make.person(project, role="manager").user.username
    rights = {cells[0].split()[0]: cells[1] for cells in rows_at(client, "installation_people")}
    assert (rights["root"], rights[name]) == ("run the installation", "create projects")
    assert set(rights.values()) == {"run the installation", "create projects", "–"}


def test_people_are_found_by_a_part_of_their_name(client):
    User.objects.create_user("quentin", first_name="Ada")
    User.objects.create_user("bo")
    text = client.get(reverse("installation_people"), {"words": "ADA"}).text
    assert ("quentin" in text, ">bo<" in text) == (True, False)


def test_a_project_has_its_managers_answers_and_releases(client, project):
    manager = make.person(project, role="manager").user
    [row] = rows_at(client, "installation_projects")
    assert row[:4] == [project.name, manager.username, "5", "0"]


def test_statements_do_not_grow_with_rows(client, project):
    names = ("installation", *WITH_RIGHTS)
    before = [statements(client, reverse(name)) for name in names]
    for _ in range(3):
        make.person(make.study(), role="manager")
    assert [statements(client, reverse(name)) for name in names] == before


def test_a_password_link_is_shown_once(client, project):
    person = make.person(project).user
    address = reverse("installation_password_link", args=[person.public_id])
    reply = client.post(address, follow=True)
    [link] = re.findall(r'value="http://testserver(/accounts/password/[^"]+)"', reply.text)
    assert Client().get(link, follow=True).status_code == 200
    assert "no-store" in reply.headers["Cache-Control"]
    assert link in client.get(address).text  # reloaded, or in another language
    assert AuditEntry.objects.get(act=Act.PASSWORD_LINK_MADE).public_id == person.public_id
    people = reverse("installation_people")
    assert link not in client.get(people).text + str(dict(client.session))
    assert client.get(address).url == people


def test_only_administrators_create_links_for_administrators(root):
    helper = User.objects.create_user("helper", is_staff=True)
    helper.user_permissions.set(Permission.objects.filter(content_type__model="user"))
    reply = signed_in(helper).post(reverse("installation_password_link", args=[root.public_id]))
    assert reply.status_code == 403


def test_an_invited_person_has_no_password_yet(client):
    sent = {"username": "linda", "creates_projects": "on"}
    reply = client.post(reverse("installation_invite"), sent, follow=True)
    linda = User.objects.get(username="linda")
    assert "/accounts/password/reset/key/" in reply.text
    assert (linda.may_create_projects, linda.has_usable_password()) == (True, False)


def test_an_invitation_without_a_name_is_refused(client):
    assert client.post(reverse("installation_invite"), {}).status_code == 422


def test_a_project_is_archived_after_a_question(client, project):
    address = reverse("installation_archive", args=[project.public_id])
    assert "Archive the project?" in client.get(address).text
    assert Project.objects.get().archived_at is None
    client.post(address)
    assert Project.objects.get().archived_at is not None
    client.post(reverse("installation_restore", args=[project.public_id]))
    assert Project.objects.get().archived_at is None


def test_the_log_names_projects(client, project):
    client.post(reverse("installation_archive", args=[project.public_id]))
    [row] = [row for row in rows_at(client, "installation_log") if row[2] == "Project archived"]
    assert (row[1], row[4]) == ("root", project.name)
