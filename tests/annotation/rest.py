"""Every address of REST as the URL conf has it, one of each that leads somewhere, and who asks."""

import pytest
from django.test import override_settings
from django.urls import URLResolver, get_resolver
from rest_framework.test import APIClient

from annotation.comments import services as comments
from annotation.models import JudgingModel, ModelJudgment
from releases.services import publication
from support.studies import add_term, recruit
from support.studies import addresses as addresses_of
from tests.annotation.filled import filled, person

METHODS = ("get", "head", "options", "post", "put", "patch", "delete")
NOWHERE = "nowhere"


@pytest.fixture(scope="module")
def study(module_db, tmp_path_factory):
    """Everything has happened once in it; tests do not change it."""
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


def published_study():
    """A study with a published release, and a model that has labelled the decided pair."""
    study = filled()
    publication.publish(study.release)
    recruit(study.project, by=study.judges[0].user)
    add_term(study.project)
    comments.note(study.judges[0], study.decided, text="Is May the month?")
    model = JudgingModel.objects.create(project=study.project, name="large-judge", revision="7")
    ModelJudgment.objects.create(model=model, pair=study.decided, label=1, score=0.75)
    return study


def routes():
    """The view of each route by its name; what catches all other addresses has no name."""
    [api] = [each for each in get_resolver().url_patterns if str(each.pattern) == "api/"]
    patterns = _patterns(api)
    return {each.name or NOWHERE: getattr(each.callback, "cls", None) for each in patterns}


def _patterns(resolver):
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            yield from _patterns(entry)
        else:
            yield entry


def addresses(study):
    """One of each by its name, and one that leads nowhere."""
    return addresses_of(study.project) | {NOWHERE: "/api/nothing/like/this/"}
