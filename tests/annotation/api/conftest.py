"""A study in which everything has happened once, and one that is judged; tests change neither."""

import pytest
from django.test import override_settings
from rest_framework.test import APIClient

from tests.annotation import judged, make
from tests.annotation.api.routes import addresses, published_study
from tests.annotation.filled import person


@pytest.fixture(scope="module")
def study(module_db, tmp_path_factory):
    with override_settings(RELEASES_DIR=tmp_path_factory.mktemp("releases")):
        yield published_study()


@pytest.fixture(scope="module")
def at(study):
    """The address of each route, by the name of the route."""
    return addresses(study)


@pytest.fixture
def as_(study, db):
    """Makes a client of a new user with a role in the study."""
    return lambda role: client_of(person(role, study.project))


@pytest.fixture
def reader(as_):
    return as_("researcher")


@pytest.fixture(scope="module")
def project(module_db):
    """Two pairs, each judged alike by two people, and by a third who differs."""
    project = make.study(judgments_per_pair=3, consensus_min_votes=3)
    make.pairs(project, 2)
    judged.all_that_is_open(project, [1, 1, 0])
    return project


@pytest.fixture
def manager(project, db):
    return client_of(make.person(project, role="manager").user)


@pytest.fixture
def researcher(project, db):
    return client_of(make.person(project, role="researcher").user)


def client_of(user):
    client = APIClient()
    client.force_authenticate(user)
    return client


def rows(client, address, **query):
    """Of all pages."""
    while address:
        page = client.get(address, query).json()
        query = {}
        yield from page["results"]
        address = page["next"]
