"""The whole job in real browsers: one corrects, five judge, the pair is decided and released."""

import json
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, Request, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from annotation.dataset.verification import verify
from annotation.models import Consensus, Judgment, Project
from annotation.services import projects, releases
from tests.annotation import cast
from tests.browser import desks

SOURCE = "The old mill stands between the river and the church."
REWRITE = "The old church stands between the river and the mill."
PASSWORD = "quiet-orchard-lantern"


class Person:
    """Somebody with a browser of their own, which remembers every word that it was sent."""

    def __init__(self, name: str, project: Project, browser: Browser, server: LiveServer) -> None:
        projects.add_member(project, User.objects.create_user(name, password=PASSWORD))
        self.received: list[str] = []
        self.page = browser.new_context(base_url=server.url).new_page()
        self.page.on("requestfinished", self._read)
        self._sign_in(name)

    def open(self, task: str) -> Page:
        """Go to a task as people do: through the link on the first page."""
        self.page.goto("/")
        self.page.get_by_role("link", name=task).click()
        desks.wait_until_ready(self.page)
        return self.page

    def _read(self, request: Request) -> None:
        reply = request.response()
        if reply is not None and reply.ok:
            self.received += [reply.text(), str(reply.headers), reply.url]

    def _sign_in(self, name: str) -> None:
        self.page.goto("/")
        self.page.get_by_label("User name").fill(name)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.keyboard.press("Enter")
        expect(self.page.get_by_role("heading", name="Your projects")).to_be_visible()


@pytest.fixture
def project(transactional_db: None) -> Project:
    project = cast.study()
    cast.candidates(project, [(SOURCE, REWRITE)])
    return project


def test_a_pair_is_corrected_judged_by_five_and_released(
    project: Project, browser: Browser, live_server: LiveServer, tmp_path: Path
) -> None:
    corrector, *judges, sixth = (
        Person(name, project, browser, live_server)
        for name in ("ada", "ben", "cleo", "dan", "eve", "finn", "gus")
    )

    page = corrector.open("Correct")
    assert desks.sentences(page) == [REWRITE]
    desks.press(page, "a")
    expect(page.get_by_text("That was the last one for now.")).to_be_visible()
    received = "".join(corrector.received)
    assert REWRITE in received
    assert SOURCE not in received
    page.goto(reverse("judge", args=[project.public_id]))
    expect(page.get_by_text("Nothing is waiting for you here yet.")).to_be_visible()

    for judge, key in zip(judges, "22212", strict=True):
        page = judge.open("Judge")
        assert sorted(desks.sentences(page)) == sorted([SOURCE, REWRITE])
        desks.press(page, key)
        expect(page.get_by_text("That was the last one for now.")).to_be_visible()

    decided = Consensus.objects.get()
    assert (decided.tally, decided.label, decided.kept) == ([4, 1], 0, True)
    assert all(seconds > 0 for seconds in Judgment.objects.values_list("seconds", flat=True))

    sixth.page.goto(reverse("judge", args=[project.public_id]))
    expect(sixth.page.get_by_text("Nothing is waiting for you here yet.")).to_be_visible()
    corrector.page.reload()
    expect(corrector.page.get_by_text("Nothing is waiting for you here yet.")).to_be_visible()

    releases.write(releases.freeze(project, version="1.0"), tmp_path / "release")
    [pair] = (tmp_path / "release" / "pairs.jsonl").read_text().splitlines()
    assert json.loads(pair)["votes"] == [4, 1]
    assert json.loads(pair)["kept"] is True
    assert verify(tmp_path / "release") == []
