"""Founding a project on its page: who may, what is said of mistakes, and what becomes of it."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotation.models import Membership, Project
from tests.annotation import cast

pytestmark = pytest.mark.django_db
PAGE = "/projects/new/"
FORM = {
    "name": "Towns",
    "description": "About towns.",
    "guidelines": "# Read\r\nslowly",
    "judgments_per_pair": 3,
    "consensus_min_votes": 2,
    "max_label": 3,
    "paraphrase_from": 2,
    "corrected_methods": ["word_swap", "imported"],
    "order": "breadth",
    "seed": 7,
}


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def somebody(*, staff: bool, right: bool) -> User:
    user = User.objects.create_user("somebody", is_staff=staff)
    if right:
        user.user_permissions.add(Permission.objects.get(codename="add_project"))
    return user


@pytest.fixture
def root() -> Client:
    return signed_in(User.objects.create_superuser("root"))


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize(
    ("staff", "right", "found"), [(True, True, True), (True, False, False), (False, True, False)]
)
def test_staff_with_the_right_found_projects_and_nobody_else_does(staff, right, found, method):
    client = signed_in(somebody(staff=staff, right=right))
    status = getattr(client, method)(PAGE, FORM if method == "post" else None).status_code
    assert status == ({"get": 200, "post": 302}[method] if found else 404)
    assert Project.objects.exists() == (found and method == "post")


def test_a_manager_of_a_project_founds_no_other():
    manager = cast.person(cast.study(), role=Membership.Role.MANAGER)
    assert signed_in(manager.user).get(PAGE).status_code == 404


def test_strangers_are_sent_to_sign_in():
    assert Client().post(PAGE, FORM).url == f"/accounts/login/?next={PAGE}"


def test_the_project_has_everything_that_was_entered(root):
    reply = root.post(PAGE, FORM)
    project = Project.objects.get()
    assert reply.url == reverse("overview", args=[project.public_id])
    expected = FORM | {"guidelines": "# Read\nslowly"}
    assert {name: getattr(project, name) for name in expected} == expected
    assert project.memberships.get().user.username == "root"


def test_a_new_form_holds_the_defaults_of_paws(root):
    text = root.get(PAGE).text
    assert "This is PAWS as published." in text
    form = root.get(PAGE).context["form"]
    assert form["corrected_methods"].value() == ["word_swap"]
    assert form["seed"].value() == 0


def test_a_preset_changes_the_numbers_and_nothing_else_that_was_typed(root):
    reply = root.post(PAGE, FORM | {"preset": "paws"})
    form = reply.context["form"]
    assert form["judgments_per_pair"].value() == 5
    assert form["name"].value() == "Towns"
    assert form["corrected_methods"].value() == ["word_swap", "imported"]
    assert not Project.objects.exists()


def test_an_unknown_preset_is_not_found(root):
    assert root.post(PAGE, FORM | {"preset": "nonsense"}).status_code == 404


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("consensus_min_votes", 4, "Of 3 people, 4 cannot agree."),
        ("paraphrase_from", 4, "The highest grade is 3, so nothing would be a paraphrase."),
        ("judgments_per_pair", 0, "greater than or equal to 1"),
        ("judgments_per_pair", 10**400, "less than or equal to 100"),
        ("seed", -1, "greater than or equal to 0"),
        ("name", "", "This field is required."),
        ("name", "nul\0", "Null characters are not allowed."),
        ("order", "sideways", "not one of the available choices"),
        ("corrected_methods", ["magic"], "not one of the available choices"),
    ],
)
def test_a_mistake_is_said_beside_its_field_and_nothing_is_lost(root, field, value, said):
    reply = root.post(PAGE, FORM | {field: value})
    assert reply.status_code == 422
    assert said in str(reply.context["form"].errors[field])
    assert "About towns." in reply.text
    assert not Project.objects.exists()


def test_two_projects_of_one_name_are_refused(root):
    Project.objects.create(name="Towns")
    reply = root.post(PAGE, FORM)
    assert "name" in reply.context["form"].errors


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ((5, 4, 1, 1), "This is PAWS as published."),
        ((3, 2, 3, 2), "This is PARADE as published."),
        ((4, 3, 1, 1), "votes can tie"),
        ((5, 2, 1, 1), "Fewer than a majority would do"),
        ((3, 4, 1, 1), "Of 3 people, 4 cannot agree."),
    ],
)
def test_numbers_are_said_in_words_while_they_are_typed(root, numbers, said):
    names = ("judgments_per_pair", "consensus_min_votes", "max_label", "paraphrase_from")
    assert said in root.post("/projects/protocol/", dict(zip(names, numbers, strict=True))).text


@pytest.mark.parametrize("field", ["guidelines", "consent"])
def test_a_preview_holds_no_script(root, field):
    reply = root.post("/projects/preview/", {field: "*Hello* <script>alert(1)</script>"})
    assert "<em>Hello</em>" in reply.text
    assert "<script" not in reply.text


@pytest.mark.parametrize("address", ["/projects/preview/", "/projects/protocol/"])
def test_previews_are_for_those_who_design_projects(address, root):
    project = cast.study()
    assert root.get(address).status_code == 405
    manager = cast.person(project, role=Membership.Role.MANAGER)
    assert signed_in(manager.user).post(address).status_code == 200
    for role in (Membership.Role.ANNOTATOR, Membership.Role.RESEARCHER):
        assert signed_in(cast.person(project, role=role).user).post(address).status_code == 404
