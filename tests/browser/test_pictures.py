"""The pictures of the documents are of pages that there are."""

import pytest
from django.test import Client
from PIL import Image

from annotation.models import Project
from operations import manual
from tests.browser.pictures import (
    FILM,
    FOLDER,
    HEIGHT,
    MOST_BYTES,
    MOST_BYTES_OF_FILM,
    PICTURES,
    WIDTH,
    address_of,
)

# The study is of one kind of work at a time: the last picture is taken after a change of it.
STATES = dict(sorted(PICTURES.items(), key=lambda named: named[1].kind == "translate"))


def test_each_picture_is_of_a_page_that_opens(complete):
    assert {path.name for path in FOLDER.iterdir()} == {FILM, *(f"{name}.png" for name in PICTURES)}
    for name, picture in STATES.items():
        if picture.kind == "translate":
            complete.prepare("translating")
        role = "annotator" if picture.kind else "manager"
        user = complete.people["superuser" if picture.route == "installation" else role]
        project = Project.objects.get(public_id=complete.arguments["project_id"])
        client = Client()
        client.force_login(user)
        assert client.get(address_of(picture, project)).status_code == 200, name


def test_pictures_are_small_and_of_one_size():
    for path in FOLDER.iterdir():
        with Image.open(path) as image:
            assert (image.format, image.size) == (path.suffix[1:].upper(), (WIDTH, HEIGHT)), (
                path.name
            )
        most = MOST_BYTES_OF_FILM if path.name == FILM else MOST_BYTES
        assert path.stat().st_size <= most, path.name


@pytest.mark.django_db
def test_help_shows_the_pictures_of_a_page(client, django_user_model):
    client.force_login(django_user_model.objects.create_superuser("root"))
    text = manual.page("manager/progress")
    assert '<img src="/help/pictures/overview.png"' in text
    reply = client.get("/help/pictures/overview.png")
    assert b"".join(reply).startswith(b"\x89PNG")
