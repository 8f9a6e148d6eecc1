"""Browsers that open a recruiting link, and what they press."""

from django.contrib.auth import SESSION_KEY
from django.test import Client

from annotation.crowd import selectors
from annotation.models import Participant

TAKE_PART = "/take-part/"
ADA, BO = "5f0c9a1be2d47736aa01bb02", "61d2b7c8e9f0a1b2c3d4e5f6"


def arrive(link, person=ADA, client=None, **parameters):
    """What a browser has after it has followed the platform's link."""
    client = client or Client()
    sent = {"PROLIFIC_PID": person, "STUDY_ID": "study1", "SESSION_ID": "s1"} | parameters
    client.get(link, sent)
    return client


def press(client, **entered):
    """Press the button of the page to which the platform's link led, if there is one."""
    reply = client.get(TAKE_PART)
    if reply.status_code != 200:
        return reply
    return client.post(TAKE_PART, entered | {"arrival": reply.context["arrival"]})


def begin(link, person=ADA, client=None):
    client = arrive(link, person, client)
    assert press(client).status_code == 302
    return client


def sign_out(client):
    """As the button does it: the browser stays known."""
    client.post("/accounts/logout/")
    assert who(client) == 0


def who(client):
    return int(client.session.get(SESSION_KEY, 0))


def account(person=ADA):
    return Participant.objects.get(participant_id=person).membership.user_id


def account_in(project):
    return Participant.objects.get(project=project).membership.user_id


def recruitment_of(link):
    return selectors.find(link.split("/")[2])
