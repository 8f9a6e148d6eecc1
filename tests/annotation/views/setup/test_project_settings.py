"""Creating a project and changing its settings: one form, and nothing is overwritten unseen."""

import pytest

from accounts.models import User
from annotation.known_lines import KnownPair
from annotation.models import Membership, Project
from annotation.services import known_pairs
from tests.annotation import cast
from tests.annotation.views.pages import client_of, form_at, page, signed_in

pytestmark = pytest.mark.django_db
CREATE = "/projects/new/"
FORM = {"name": "Towns", "description": "About towns.", "guidelines": "# Read\r\nslowly"}
FORM |= {"judgments_per_pair": 3, "consensus_min_votes": 2, "max_label": 3, "paraphrase_from": 2}
FORM |= {"corrected_methods": ["word_swap", "imported"], "order": "breadth", "seed": 7}


@pytest.fixture
def root():
    return signed_in(User.objects.create_superuser("root"))


def test_a_project_has_what_was_entered_and_its_creator_as_manager(root):
    form = root.get(CREATE).context["form"]
    assert (form["corrected_methods"].value(), form["seed"].value()) == (["word_swap"], 0)
    reply = root.post(CREATE, FORM)
    project = Project.objects.get()
    assert reply.url == page("overview", project)
    expected = FORM | {"guidelines": "# Read\nslowly"}
    assert {name: getattr(project, name) for name in expected} == expected
    place = project.memberships.get()
    assert (place.user.username, place.role) == ("root", "manager")
    assert "name" in root.post(CREATE, FORM).context["form"].errors


def test_a_mistake_is_said_beside_its_field_and_nothing_is_lost(root):
    for field, value, said in (
        ("consensus_min_votes", 4, "Of 3 people, 4 cannot agree."),
        ("paraphrase_from", 4, "The highest grade is 3, so nothing would be a paraphrase."),
        ("judgments_per_pair", 10**400, "less than or equal to 100"),
        ("name", "nul\0", "Null characters are not allowed."),
        ("corrected_methods", ["magic"], "not one of the available choices"),
    ):
        reply = root.post(CREATE, FORM | {field: value})
        assert reply.status_code == 422
        assert said in str(reply.context["form"].errors[field])
        assert "About towns." in reply.text


def test_numbers_are_said_in_words_and_texts_previewed_without_their_scripts(root):
    for people, votes, said in ((4, 3, "votes can tie"), (5, 2, "Fewer than a majority would do")):
        sent = FORM | {"judgments_per_pair": people, "consensus_min_votes": votes, "max_label": 1}
        sent |= {"paraphrase_from": 1}
        assert said in root.post("/projects/protocol/", sent).text
    text = root.post("/projects/preview/", {"consent": "*Hello* <script>alert(1)</script>"}).text
    assert "<em>Hello</em>" in text
    assert "<script" not in text


def save(project, client, **changes):
    address = page("project_settings", project)
    reply = client.post(address, form_at(client, address, **changes), follow=True)
    project.refresh_from_db()
    return reply.text


def test_settings_are_saved_and_what_was_changed_is_shown(project):
    changes = {"lease_minutes": 5, "most_judgments": 200, "order": "breadth"}
    text = save(project, client_of(project), guidelines="New.", **changes)
    assert (project.lease_minutes, project.most_judgments) == (5, 200)
    assert (project.description, project.guidelines) == ("About towns.", "New.")
    assert "Pair by pair: each is finished before the next is begun → Round by round" in text
    assert "Guidelines: changed" in text


def test_the_second_of_two_managers_is_told_and_may_then_decide(project):
    address, manager = page("project_settings", project), client_of(project)
    mine = form_at(manager, address, attempts=4)
    save(project, client_of(project), guidelines="Judge *kindly*.", attempts=3)
    # A mistake does not make the form fresh.
    mistaken = manager.post(address, mine | {"pass_mark": 101})
    assert mistaken.status_code == 422
    reply = manager.post(address, mine | {"read": mistaken.context["read"]})
    assert reply.status_code == 409
    assert [str(each["label"]) for each in reply.context["stale"]] == ["Guidelines", "Attempts"]
    assert "Judge *kindly*." in reply.text
    project.refresh_from_db()
    assert (project.guidelines, project.attempts) == ("Judge *kindly*.", 3)
    manager.post(address, mine | {"read": reply.context["read"]})
    project.refresh_from_db()
    assert (project.guidelines, project.attempts) == ("Judge *fairly*.", 4)


def test_only_a_run_that_the_manager_may_see_enters_and_none_of_hidden_pairs(project):
    user = cast.person(project, role=Membership.Role.MANAGER).user
    manager, other, address = signed_in(user), cast.study(), page("let_run_in", project)
    cast.pairs(other, 1)
    run = other.runs.get()
    manager.post(address, {"run": run.pk})
    assert not project.runs.exists()
    Membership.objects.create(project=other, user=user, role=Membership.Role.MANAGER)
    known_pairs.add(other, [KnownPair("Ada saw Bo.", "Bo saw Ada.", 0)])
    hidden = other.pairs.get(known_label=0).candidate.run
    for each in (hidden, run):
        manager.post(address, {"run": each.pk})
    assert project.runs.get() == run
