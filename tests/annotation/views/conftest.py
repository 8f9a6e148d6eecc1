"""A study with a little work, and Alice, who is signed in and asked to do it."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Membership, Project
from tests.annotation import cast

HTMX = {"HX-Request": "true"}
# Headers that differ between any two replies: the minute it expires, and the name of the request.
UNTOLD = {"Expires": "", "X-Request-ID": ""}


@pytest.fixture
def project(db) -> Project:
    return cast.study(description="About towns.", guidelines="Judge *fairly*.")


@pytest.fixture
def alice(project: Project) -> Membership:
    return cast.person(project)


@pytest.fixture
def client(alice: Membership) -> Client:
    client = Client()
    client.force_login(alice.user)
    return client


@pytest.fixture
def judge_page(project: Project) -> str:
    return reverse("judge", args=[project.public_id])


@pytest.fixture
def correct_page(project: Project) -> str:
    return reverse("correct", args=[project.public_id])
