"""The record of a project: for its managers, filtered, page by page, and as a file."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts import audit
from accounts.acts import Act
from accounts.models import AuditEntry, User
from annotation.models import Membership, Project
from annotation.selectors import history
from annotation.services import projects
from generation.services import steering
from generation.services.steering import Action
from tests.annotation import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return cast.study()


@pytest.fixture
def ada(project: Project) -> User:
    return cast.person(project, role=Membership.Role.MANAGER).user


def read(user: User, project: Project, **asked: object):
    client = Client()
    client.force_login(user)
    return client.get(reverse("history", args=[project.public_id]), asked)


def acts(reply) -> list[str]:
    return [line.entry.act for line in reply.context["lines"]]


def test_the_latest_stands_first_with_who_and_what(project, ada):
    audit.record(Act.PROJECT_CHANGED, by=ada, on=project, values={"lease_minutes": [15, 30]})
    reply = read(ada, project)
    assert acts(reply)[0] == Act.PROJECT_CHANGED
    assert "Held for, in minutes: 15 → 30" in reply.text
    assert "Settings changed" in reply.text


def test_what_was_done_elsewhere_is_not_shown(project, ada):
    audit.record(Act.REOPENED, by=ada, on=cast.study())
    assert Act.REOPENED not in acts(read(ada, project))


def test_what_was_asked_of_the_runs_of_a_project_is_shown(project, ada):
    cast.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
    run = project.runs.get()
    run.state = run.State.RUNNING
    run.save()
    steering.steer(run, Action.PAUSE, by=ada)
    assert acts(read(ada, project))[0] == Act.RUN_STEERED


def test_it_is_filtered_by_act_and_by_person(project, ada):
    ben = cast.person(project, role=Membership.Role.MANAGER).user
    for by in (ada, ben):
        audit.record(Act.REOPENED, by=by, on=project)
        audit.record(Act.PUT_BACK, by=by, on=project)
    assert acts(read(ada, project, act=Act.REOPENED)) == [Act.REOPENED] * 2
    [line] = read(ada, project, act=Act.REOPENED, by=ben.public_id).context["lines"]
    assert line.entry.by == ben


@pytest.mark.parametrize("asked", [{"act": "nothing"}, {"by": "nobody"}, {"after": "x"}])
def test_what_cannot_be_asked_for_is_refused(project, ada, asked):
    assert read(ada, project, **asked).status_code == 400


def test_a_page_goes_on_where_the_one_before_ends(project, ada):
    for _ in range(history.PAGE + 1):
        audit.record(Act.REOPENED, by=ada, on=project)
    first = read(ada, project, act=Act.REOPENED)
    assert len(first.context["lines"]) == history.PAGE
    after = first.context["links"].after.rpartition("=")[2]
    assert len(acts(read(ada, project, act=Act.REOPENED, after=after))) == 1


@pytest.mark.parametrize("role", [Membership.Role.ANNOTATOR, Membership.Role.RESEARCHER])
@pytest.mark.parametrize("name", ["history", "history_file"])
def test_only_managers_read_it(project, role, name):
    client = Client()
    client.force_login(cast.person(project, role=role).user)
    assert client.get(reverse(name, args=[project.public_id])).status_code == 404


def test_it_is_taken_away_as_a_file_under_the_same_filters(project, ada):
    audit.record(Act.REOPENED, by=ada, on=project, pairs=3)
    client = Client()
    client.force_login(ada)
    address = reverse("history_file", args=[project.public_id])
    reply = client.get(address, {"act": Act.REOPENED})
    header, row = b"".join(reply.streaming_content).decode().split("\r\n")[:2]
    assert header.endswith("at,by,act,kind,id,details")
    assert ada.username in row
    assert client.get(address, {"act": "nothing"}).status_code == 404


def test_an_erased_person_stays_on_record_by_their_new_name(project, ada):
    audit.record(Act.REOPENED, by=ada, on=project)
    User.objects.filter(pk=ada.pk).update(username="erased-1")
    ben = cast.person(project, role=Membership.Role.MANAGER).user
    assert "erased-1" in read(ben, project).text


def test_whoever_downloads_a_table_is_on_record(project, ada):
    client = Client()
    client.force_login(ada)
    client.get(reverse("table", args=[project.public_id, "annotators"]))
    entry = AuditEntry.objects.get(act=Act.TABLE_EXPORTED)
    assert (entry.by, entry.details) == (ada, {"table": "annotators"})


def test_nobody_is_on_record_for_a_table_that_is_not_there(project, ada):
    client = Client()
    client.force_login(ada)
    client.get(reverse("table", args=[project.public_id, "nothing"]))
    assert not AuditEntry.objects.filter(act=Act.TABLE_EXPORTED).exists()


def test_the_founding_of_a_project_is_where_its_record_begins(ada):
    project = projects.create("Rivers", by=ada)
    assert [entry.act for entry in history.of_project(project)] == [Act.PROJECT_MADE]
