"""No line of the log says who asked for a page or what it was about, on any page."""

import json
import logging

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotation.models import Project
from generation.models import Sentence
from operations import middleware
from tests.browser.every_page import routes
from tests.operations.test_operations import lines  # noqa: F401 a fixture
from tests.studies.complete import ROLES, complete_study

pytestmark = pytest.mark.django_db


def test_no_line_of_a_walk_through_every_page_says_who_or_what_and_a_control(lines):  # noqa: F811
    study = complete_study()
    for number, user in enumerate(User.objects.all()):
        User.objects.filter(pk=user.pk).update(username=f"Ada Lovelace {number}")
    Project.objects.update(name="On Ada and Bo")
    for role in ROLES:
        client = Client(raise_request_exception=False)
        if user := study.people[role]:
            client.force_login(user)
        for route in {*routes()} - {"account_logout", "set_language"}:
            sent = {"q": "Ada met Bo"}
            client.get(study.address(route), sent, headers={"user-agent": "Ada’s browser"})
        client.post(reverse("account_login"), {"login": "ada", "password": "open sesame"})
    assert len([line for line in lines if line["event"] == "request"]) > 200
    said = json.dumps(lines, ensure_ascii=False)
    secrets = {"Ada Lovelace", "On Ada and Bo", "Ada met Bo", "Ada’s browser", "open sesame"}
    secrets |= {"127.0.0.1", "sessionid", str(study.arguments["secret"])}
    secrets |= set(Sentence.objects.values_list("text", flat=True))
    assert [secret for secret in secrets if secret in said] == []
    # Where paths are logged, a link to join can be read.
    logging.getLogger(middleware.__name__).info("Asked for %s", study.address("join"))
    assert str(study.arguments["secret"]) in json.dumps(lines)
