"""Who looks at releases, where they are, and what their form sends."""

from django.test import Client
from django.urls import reverse

from tests.annotation import cast

# What the form of a draft sends.
FIELDS = {
    "version": "1.0",
    "dev": "0",
    "test": "0 %",
    "unlabeled_dev": "0",
    "paraphrase_share": "",
    "depth": "1",
    "seed": "7",
}


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
