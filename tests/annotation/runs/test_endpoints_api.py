import pytest

from annotation.models import Membership
from tests.annotation import make
from tests.annotation.rest import client_of

pytestmark = pytest.mark.django_db

FILE = """
[local]
address = "http://127.0.0.1:8000/v1"
key_file = "/run/secrets/local"
note = "Texts stay here."
projects = ["Cats", "{id}"]
[local.models.small]
[far]
address = "https://models.example/v1"
[far.models.large]
price_in = 1
price_out = 4
currency = "EUR"
"""
LARGE = {"name": "far", "note": "", "models": [{"name": "far:large", "priced": True}]}
SMALL = {
    "name": "local",
    "note": "Texts stay here.",
    "models": [{"name": "local:small", "priced": False}],
}


@pytest.fixture
def researcher():
    return make.person(make.study(), role=Membership.Role.RESEARCHER)


@pytest.fixture
def write_file(tmp_path, settings):
    path = tmp_path / "endpoints.toml"
    settings.ENDPOINTS_FILE = str(path)
    return path.write_text


def listed(user):
    return client_of(user).get("/api/endpoints/").json()["results"]


def test_researchers_see_models_for_all_projects(researcher, write_file):
    write_file(FILE)

    assert listed(researcher.user) == [LARGE]


def test_researchers_see_models_for_their_project(researcher, write_file):
    write_file(FILE.format(id=researcher.project.public_id))

    assert listed(researcher.user) == [SMALL, LARGE]


def test_people_without_a_project_see_no_models(django_user_model, write_file):
    write_file(FILE)

    assert listed(django_user_model.objects.create(username="eve")) == []


def test_there_are_none_without_a_file(researcher):
    assert listed(researcher.user) == []
