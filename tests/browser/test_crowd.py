"""From a platform through the study and back, by a stand-in for the platform."""

import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from annotation.models import Participant, Project
from tests.annotation import make
from tests.browser.work_page import await_ready, press

PID = "5f0c9a1be2d47736aa01bb02"


class Platform(ThreadingHTTPServer):
    """Fills in the link that it was given, as Prolific does, and hears who comes back."""

    link = ""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Reply)
        self.returned = []

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}"

    def filled(self):
        values = {"PROLIFIC_PID": PID, "STUDY_ID": "study-7", "SESSION_ID": "session-9"}
        return re.sub(r"\{\{%(\w+)%\}\}", lambda found: values[found[1]], self.link)


class Reply(BaseHTTPRequestHandler):
    def do_GET(self):
        asked = urlsplit(self.path)
        page = f'<a href="{self.server.filled()}">Open the study</a>'
        if asked.path == "/complete":
            self.server.returned.append(
                (parse_qs(asked.query)["cc"], self.headers.get("Referer", ""))
            )
            page = "Thank you"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(page.encode())

    def log_message(self, *_arguments):
        pass


@pytest.fixture
def platform():
    with Platform() as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def test_a_person_comes_from_a_platform_works_to_the_quota_and_is_sent_back(
    page, new_page, signed_in, platform, transactional_db
):
    project = make.study(limits={"judge": 2}, description="Do two sentences mean the same?")
    make.pairs(project, 3)
    manager = make.person(project, role="manager")
    office = signed_in(manager.user, new_page())
    office.goto(f"/projects/{project.public_id}/recruiting/")
    office.get_by_label("Completion URL").fill(f"{platform.address}/complete?cc=C0DE")
    office.get_by_label("Pay per person").fill("1.50")
    office.get_by_label("Currency").fill("gbp")
    office.get_by_role("button", name="Create link").click()
    platform.link = office.get_by_label("Link").input_value()

    page.goto(platform.address)
    page.get_by_role("link", name="Open the study").click()
    expect(page).to_have_url(re.compile("/take-part/$"))
    page.get_by_role("button", name="Take part").click()
    expect(page.get_by_text("return code")).to_be_visible()
    page.get_by_role("button", name="Start").click()
    await_ready(page)
    expect(page.get_by_text("2 left")).to_be_visible()
    press(page, "1", "2")
    page.get_by_role("link", name="Finish and return to the platform").click()
    expect(page.get_by_text("Thank you")).to_be_visible()
    assert platform.returned == [(["C0DE"], "")]

    person = Participant.objects.get()
    assert (person.participant_id, person.outcome) == (PID, "completed")
    office.get_by_role("link", name="Back to recruiting").click()
    line = office.get_by_role("row").filter(has_text=PID)
    expect(line).to_contain_text("completed")
    expect(line).to_contain_text("GBP")
    assert Project.objects.get(pk=project.pk).slots.answered().count() == 2
