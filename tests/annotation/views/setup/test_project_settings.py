"""The settings page: for managers, one form, and nothing is overwritten unseen."""

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotation.known_lines import KnownPair
from annotation.models import Membership, Project, QualificationPair
from annotation.services import known_pairs, projects
from generation.models import GenerationRun
from tests.annotation import cast

ROUTES = ["project_settings", "open_project", "let_run_in"]
Role = Membership.Role


def signed_in(membership: Membership) -> Client:
    client = Client()
    client.force_login(membership.user)
    return client


@pytest.fixture
def address(project: Project) -> str:
    return reverse("project_settings", args=[project.public_id])


@pytest.fixture
def manager(project: Project) -> Membership:
    return cast.person(project, role=Role.MANAGER)


@pytest.fixture
def client(manager: Membership) -> Client:
    return signed_in(manager)


def filled_in(client: Client, address: str, **changes: Any) -> dict[str, Any]:
    """The address's form as the browser would send it."""
    context = client.get(address).context
    form = context["form"]
    sent = {name: form[name].value() for name in form.fields} | {"read": context["read"]} | changes
    return {name: value for name, value in sent.items() if value is not None and value is not False}


def routes(project: Project) -> list[str]:
    addresses = [reverse(name, args=[project.public_id]) for name in ROUTES]
    return [*addresses, reverse("keep_run_out", args=[project.public_id, uuid.uuid4()])]


@pytest.mark.parametrize("method", ["get", "post", "put", "delete"])
def test_nobody_but_managers_finds_the_settings(project, method):
    people = [
        cast.person(project),
        cast.person(project, role=Role.RESEARCHER),
        cast.person(cast.study(), role=Role.MANAGER),
    ]
    for person in people:
        for address in routes(project):
            status = getattr(signed_in(person), method)(address).status_code
            assert status in (404, 405)
            assert (status == 405) <= (method != "post"), "a refused method says nothing"
    for address in routes(project):
        assert Client().post(address).url.startswith("/accounts/login/")


def test_nothing_happens_on_a_get(client, project):
    for address in routes(project)[1:]:
        assert client.get(address).status_code == 405


def test_settings_are_saved(client, address, project):
    reply = client.post(address, filled_in(client, address, lease_minutes=5, most_judgments=200))
    assert reply.status_code == 302
    project.refresh_from_db()
    assert (project.lease_minutes, project.most_judgments) == (5, 200)
    assert project.guidelines == "Judge *fairly*."


def test_a_mistake_keeps_what_was_typed_and_changes_nothing(client, address, project):
    reply = client.post(address, filled_in(client, address, pass_mark=101, description="Typed."))
    assert reply.status_code == 422
    assert "pass_mark" in reply.context["form"].errors
    assert "Typed." in reply.text
    project.refresh_from_db()
    assert project.description == "About towns."


def test_mistakes_are_listed_above_with_links_to_their_fields(client, address):
    sent = filled_in(client, address, name="", pass_mark="101")
    text = client.post(address, sent).text
    assert '<li><a href="#id_name">Name</a></li>' in text
    assert '<li><a href="#id_pass_mark">Pass mark, in percent</a></li>' in text
    assert text.count('<li><a href="#id_') == 2


def test_a_refused_name_does_not_become_the_title_of_the_page(client, address, project):
    other = cast.study()
    reply = client.post(address, filled_in(client, address, name=other.name))
    assert f"<h1><bdi>{project.name}</bdi></h1>" in reply.text


def test_the_second_of_two_managers_is_told_and_may_then_decide(client, address, project):
    theirs = signed_in(cast.person(project, role=Role.MANAGER))
    mine = filled_in(client, address, attempts=4)
    theirs.post(address, filled_in(theirs, address, guidelines="Judge *kindly*.", attempts=3))

    reply = client.post(address, mine)
    assert reply.status_code == 409
    assert [str(each["label"]) for each in reply.context["stale"]] == ["Guidelines", "Attempts"]
    assert "Judge *kindly*." in reply.text
    project.refresh_from_db()
    assert (project.guidelines, project.attempts) == ("Judge *kindly*.", 3)

    client.post(address, mine | {"read": reply.context["read"]})
    project.refresh_from_db()
    assert (project.guidelines, project.attempts) == ("Judge *fairly*.", 4)


def test_a_mistake_in_a_stale_form_does_not_make_it_fresh(client, address, project):
    mine = filled_in(client, address, pass_mark=101)
    theirs = signed_in(cast.person(project, role=Role.MANAGER))
    theirs.post(address, filled_in(theirs, address, attempts=3))

    shown = client.post(address, mine)
    assert (
        client.post(address, mine | {"pass_mark": 90, "read": shown.context["read"]}).status_code
        == 409
    )


def test_the_protocol_can_be_changed_until_there_are_pairs(client, address, project):
    changes = {"judgments_per_pair": 3, "consensus_min_votes": 2, "order": "breadth"}
    client.post(address, filled_in(client, address, **changes))
    project.refresh_from_db()
    assert {name: getattr(project, name) for name in changes} == changes


def test_the_protocol_stands_once_there_are_pairs_and_the_page_says_why(client, address, project):
    cast.pairs(project, 1)
    assert "This stands since the project has pairs" in client.get(address).text
    sent = filled_in(client, address, judgments_per_pair=3, order="breadth", attempts=3)
    assert client.post(address, sent).status_code == 302
    project.refresh_from_db()
    assert (project.judgments_per_pair, project.order, project.attempts) == (5, "depth", 3)


def test_a_new_consent_text_says_how_many_are_asked(client, address, project):
    cast.person(project)
    cast.person(project, may_correct=False, may_judge=False)
    reply = client.post(address, filled_in(client, address, consent="I\r\nagree."), follow=True)
    assert "2 people are asked to agree" in reply.text
    project.refresh_from_db()
    assert project.consent == "I\nagree."


def test_saving_a_text_of_several_lines_unchanged_asks_nobody_again(client, address, project):
    client.post(address, filled_in(client, address, consent="I\r\nagree."))
    project.refresh_from_db()
    dated = project.consent_changed_at
    reply = client.post(address, filled_in(client, address, consent="I\r\nagree."), follow=True)
    assert "Nothing was changed." in reply.text
    project.refresh_from_db()
    assert project.consent_changed_at == dated


def test_an_empty_qualification_set_lets_nobody_be_asked(client, address, project):
    sent = filled_in(client, address, asks_qualification="on")
    assert "asks_qualification" in client.post(address, sent).context["form"].errors
    QualificationPair.objects.create(
        project=project, position=1, sentence1="A", sentence2="B", label=1
    )
    assert client.post(address, sent).status_code == 302


def test_the_scale_does_not_shrink_below_the_qualification_set(client, address, project):
    graded = {"max_label": 3, "paraphrase_from": 2}
    client.post(address, filled_in(client, address, **graded))
    QualificationPair.objects.create(
        project=project, position=1, sentence1="A", sentence2="B", label=3
    )
    reply = client.post(address, filled_in(client, address, max_label=2))
    assert "max_label" in reply.context["form"].errors


def test_a_project_is_closed_and_opened(client, project):
    address = reverse("open_project", args=[project.public_id])
    client.post(address)
    project.refresh_from_db()
    assert not project.is_open
    client.post(address, {"is_open": "on"})
    project.refresh_from_db()
    assert project.is_open


def test_a_run_enters_that_the_manager_may_see(client, manager, project):
    other = cast.study()
    cast.pairs(other, 1)
    run = other.runs.get()
    address = reverse("let_run_in", args=[project.public_id])

    client.post(address, {"run": run.pk})
    assert not project.runs.exists()

    Membership.objects.create(project=other, user=manager.user, role=Role.MANAGER)
    client.post(address, {"run": run.pk})
    assert project.runs.get() == run


def test_a_run_of_another_project_is_not_taken_out_here(client, project):
    other = cast.study()
    cast.pairs(other, 1)
    run = other.runs.get()
    address = reverse("keep_run_out", args=[project.public_id, run.public_id])
    assert client.post(address).status_code == 404


def test_the_record_shows_what_was_changed_by_whom(client, manager, address):
    client.post(address, filled_in(client, address, order="breadth", guidelines="New."))
    text = client.get(address).text
    assert "Pair by pair: each is finished before the next is begun → Round by round" in text
    assert "Guidelines: changed" in text


def test_a_run_of_hidden_pairs_is_no_choice(project):
    root = User.objects.create_superuser("root")
    projects.add_member(project, root, role=Role.MANAGER)
    lines = [KnownPair("Ada saw Bo.", "Bo saw Ada.", 0)]
    known_pairs.add(project, lines)
    hidden = GenerationRun.objects.get()
    client = Client()
    client.force_login(root)

    client.post(reverse("let_run_in", args=[project.public_id]), {"run": hidden.pk})

    assert not project.runs.exists()
