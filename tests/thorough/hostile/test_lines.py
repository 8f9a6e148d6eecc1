"""Hostile lines of a file are stored or refused, and lines of the log say nothing of anybody."""

import json
import logging

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotation.models import Project
from generation.models import Sentence
from operations import requests
from tests.browser.complete_study import ROLES, complete_study
from tests.browser.every_page import routes
from tests.generation import hostile
from tests.operations.test_requests import lines  # noqa: F401 a fixture

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("kind", hostile.FILES)
def test_each_line_is_stored_to_the_byte_or_refused_and_adds_nothing_again(kind, tmp_path, capsys):
    given, path, report = hostile.FILES[kind](), tmp_path / f"a.{kind}", tmp_path / "report.tsv"
    header = b"id\ttext\n" if kind == "tsv" else b""
    path.write_bytes(header + hostile.ended(given))
    first = 2 if header else 1
    bad = [number for number, line in enumerate(given, first) if line.text is None]
    good = sorted(line.text for line in given if line.text is not None)
    for said in (f"{len(good):,} added, 0 known", f"0 added, {len(good):,} known"):
        call_command("import_sentences", path, corpus="Hostile", report=report, verbosity=0)
        assert f"{hostile.LINES:,} read: {said}" in capsys.readouterr().out
        refused = [line.split("\t") for line in report.read_text().splitlines()[1:]]
        assert sorted(int(number) for number, reason in refused if reason) == bad
        assert sorted(Sentence.objects.values_list("text", flat=True)) == good


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
    logging.getLogger(requests.__name__).info("Asked for %s", study.address("join"))
    assert str(study.arguments["secret"]) in json.dumps(lines)
