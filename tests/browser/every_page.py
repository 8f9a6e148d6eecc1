"""Every page that people see, in each state that it has, and how to get there."""

import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from django.urls import URLPattern, URLResolver, get_resolver, reverse
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from annotation.models import Membership, Project
from tests.annotation import cast
from tests.annotation.filled import filled, person
from tests.browser import desks
from tests.browser.people import sign_in

ROLES = ["anonymous", "stranger", "annotator", "researcher", "manager", "superuser"]


@dataclass(frozen=True)
class House:
    """A study in which everything has happened once, and somebody of each role."""

    project: Project
    people: dict[str, User | None]
    arguments: dict[str, object]

    def address(self, route: str) -> str:
        """Of a page about this study. Raises KeyError for a parameter that is new here."""
        [(_, parameters)] = get_resolver().reverse_dict.getlist(route)[0][0][:1]
        return reverse(route, kwargs={each: self.arguments[each] for each in parameters})


def house() -> House:
    """Build it, with work left for everybody."""
    study = filled()
    project = study.project
    cast.pairs(project, 2)
    cast.candidates(project, [("Bo saw Ada there.", "Ada saw Bo there.")] * 1)
    run = project.runs.earliest("pk")
    arguments = {
        "project_id": project.public_id,
        "public_id": study.decided.public_id,
        "pair_id": study.decided.public_id,
        "person_id": study.judges[0].user.public_id,
        "user_id": study.judges[0].user.public_id,
        "run_id": run.public_id,
        "uidb36": "1",
        "key": "set-password",
        "path": "manifest.json",
        "action": "pause",
        "invitation_id": uuid.uuid4(),
    }
    return House(project, {role: person(role, project) for role in ROLES}, arguments)


def nothing(*_: object) -> None:
    """What most states need before and after their page is opened."""


@dataclass(frozen=True)
class State:
    """A page as somebody finds it: `given` that the house stands so, `then` they do something."""

    name: str
    route: str
    by: str
    given: Callable[[House], None] = field(default=nothing, repr=False)
    then: Callable[[Page], None] = field(default=nothing, repr=False)


def press(*keys: str) -> Callable[[Page], None]:
    """What fingers do once the page of work is ready."""

    def pressed(page: Page) -> None:
        desks.wait_until_ready(page)
        for key in keys:
            page.keyboard.press(key)

    return pressed


def graded(house: House) -> None:
    Project.objects.filter(pk=house.project.pk).update(max_label=3, paraphrase_from=2)


def closed(house: House) -> None:
    Project.objects.filter(pk=house.project.pk).update(is_open=False)


def marked(house: House) -> None:
    Project.objects.filter(pk=house.project.pk).update(highlighting="always")


def emptied(house: House) -> None:
    """A project of the same people in which nothing has happened yet."""
    new = cast.study()
    Membership.objects.filter(user__in=filter(None, house.people.values())).update(project=new)
    house.arguments["project_id"] = new.public_id


STATES = [
    State("sign in", "account_login", "anonymous"),
    State("sign up without an invitation", "account_signup", "anonymous"),
    State("a link that is too old", "account_reset_password_from_key", "anonymous"),
    State("the password is set", "account_reset_password_from_key_done", "anonymous"),
    State("sign out", "account_logout", "annotator"),
    State("home of somebody without a project", "home", "stranger"),
    State("home of somebody with work", "home", "annotator"),
    State("home of a manager", "home", "manager"),
    State("home of an administrator", "home", "superuser"),
    State("guidelines", "guidelines", "annotator"),
    State("judge", "judge", "annotator", then=desks.wait_until_ready),
    State("judge with grades", "judge", "annotator", given=graded),
    State("judge with marks", "judge", "annotator", given=marked),
    State("judge with the keys", "judge", "annotator", then=press("?")),
    State("judge with the guidelines", "judge", "annotator", then=press("h")),
    State("judge with the last ten", "judge", "annotator", then=press("l")),
    State("judge while skipping", "judge", "annotator", then=press("s")),
    State("judge when nothing is left", "judge", "annotator", given=emptied),
    State("judge when all is closed", "judge", "annotator", given=closed),
    State("correct", "correct", "annotator", then=desks.wait_until_ready),
    State("correct while fixing", "correct", "annotator", then=press("f")),
    State(
        "correct with an empty fix", "correct", "annotator", then=press("f", "Control+a", "Delete")
    ),
    State("correct when nothing is left", "correct", "annotator", given=emptied),
    State("overview", "overview", "manager"),
    State("overview of a new project", "overview", "manager", given=emptied),
    State("overview for a researcher", "overview", "researcher"),
    State("create a project", "create_project", "superuser"),
    State("settings", "project_settings", "manager"),
]


def open_(page: Page, state: State, house: House, *, live_server: LiveServer) -> None:
    """Bring a browser to a page in a state."""
    state.given(house)
    if user := house.people[state.by]:
        sign_in(page, user, live_server=live_server)
    page.goto(house.address(state.route))
    state.then(page)


def routes(resolver: URLResolver | None = None) -> Iterator[str]:
    """The name of each address, but for those of the admin."""
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLResolver) and entry.app_name != "admin":
            yield from routes(entry)
        elif isinstance(entry, URLPattern) and entry.name:
            yield entry.name
