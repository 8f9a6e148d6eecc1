"""A reply of 2xx means that what it acknowledges is on disk: each connection is told to wait."""

import pytest
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from tests.config import production

ASKED = {"sqlite": "PRAGMA synchronous", "postgresql": "SHOW synchronous_commit"}
FULL = {"sqlite": "2", "postgresql": "on"}


def how_commits_end(_request: HttpRequest) -> HttpResponse:
    with connection.cursor() as cursor:
        cursor.execute(ASKED[connection.vendor])
        [setting] = cursor.fetchone()
    return HttpResponse(str(setting))


urlpatterns = [path("how/", how_commits_end)]


@pytest.mark.django_db
@pytest.mark.urls(__name__)
def test_the_connection_of_a_request_waits_until_a_commit_is_on_disk(client: Client) -> None:
    assert client.get("/how/").text == FULL[connection.vendor]


@pytest.mark.parametrize("added", ["", "?options=-c%20synchronous_commit%3Doff"])
def test_no_url_of_a_database_can_say_otherwise(added: str) -> None:
    url = f"postgres://u:p@localhost/d{added}"
    told = production.settings("DATABASES", DATABASE_URL=url)["DATABASES"]["default"]["OPTIONS"]
    assert told["options"].endswith("-c synchronous_commit=on")
