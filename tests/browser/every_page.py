"""Every page that people see, in each state that it has (see every_page.txt)."""

from itertools import product
from pathlib import Path
from typing import NamedTuple

from django.urls import URLPattern, URLResolver, get_resolver

from tests.browser.complete_study import PASSWORD
from tests.browser.work_page import keys, sign_in, wait_until_ready

TABLE = Path(__file__).with_suffix(".txt")


class State(NamedTuple):
    """A page as somebody finds it."""

    name: str
    route: str
    role: str
    given: str
    then: str

    def prepare(self, study):
        if self.given:
            study.prepare(self.given)

    def open(self, page, study, address, language="en"):
        """Bring a browser to the page, once the study is prepared; `address` is the server's."""
        cookie = {"name": "django_language", "value": language, "url": address}
        page.context.add_cookies([cookie])
        if user := study.people[self.role]:
            sign_in(page, user, address)
        page.goto(study.address(self.route))
        if self.route in ("judge", "correct"):
            wait_until_ready(page)
        if self.then in ACTIONS:
            ACTIONS[self.then](page)
        else:
            keys(page, *self.then.split())


def click(page, selector):
    page.locator(selector).first.click()
    page.wait_for_load_state()


def wrong_password(page):
    page.locator("[name=login]").fill("nobody")
    page.locator("[name=password]").fill("nothing")
    page.keyboard.press("Enter")
    page.locator(".errorlist").wait_for()


def confirm(page):
    """Give the password for which a page asks, and get where one wanted."""
    page.locator("[name=password]").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.locator("[name=password]").wait_for(state="detached")
    page.wait_for_load_state()


def first_step(page):
    page.locator("[name=login]").fill("annotator")
    confirm(page)


ACTIONS = {
    "to_sign_up": lambda page: click(page, "main a[href*='signup']"),
    "make_link": lambda page: click(page, ".inviting button"),
    # The message about an answer that cannot be sent.
    "offline": lambda page: page.locator("#trouble").evaluate("node => { node.hidden = false }"),
    "wrong_password": wrong_password,
    "confirm": confirm,
    "first_step": first_step,
}


def _states():
    for line in TABLE.read_text().splitlines()[1:]:
        routes, _, found = line.partition(": ")
        for route, each in product(routes.split(), found.split("; ")):
            before, _, then = each.partition(" -> ")
            role, _, given = before.partition(" + ")
            yield State(f"{route}: {each}", route, role, given, then)


STATES = {state.name: state for state in _states()}
# Each page once, as it is found first.
FIRST_STATES = {state.route: state for state in reversed(STATES.values())}


def routes(resolver=None):
    """The name of each address, but for those of the admin."""
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLResolver) and entry.app_name != "admin":
            yield from routes(entry)
        elif isinstance(entry, URLPattern) and entry.name:
            yield entry.name
