"""Who looks at releases, and where they are."""

from django.test import Client
from django.urls import reverse

from tests.annotation import cast


def signed_in(project, role):
    client = Client()
    client.force_login(cast.person(project, role=role).user)
    return client


def page(name, release, *more):
    return reverse(name, args=[release.project.public_id, release.public_id, *more])


def of_project(name, project):
    return reverse(name, args=[project.public_id])


def step(client, release, name):
    return client.post(page("release_step", release, name))
