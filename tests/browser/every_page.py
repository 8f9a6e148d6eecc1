"""Every page that people see, in each state that it has, and how to get there."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from django.urls import URLPattern, URLResolver, get_resolver
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser import desks, factors, house, running, versions, visitors
from tests.browser.house import House
from tests.browser.people import sign_in


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


def click(selector: str) -> Callable[[Page], None]:
    """What a hand does in any language, and then waits for the page to which it leads."""

    def clicked(page: Page) -> None:
        page.locator(selector).first.click()
        page.wait_for_load_state()

    return clicked


def offline(page: Page) -> None:
    """What an answer brings up that cannot be sent; that it does is tested elsewhere."""
    desks.wait_until_ready(page)
    page.locator("#trouble").evaluate("node => { node.hidden = false }")


def wrong_password(page: Page) -> None:
    """Somebody has mistyped: the page says so."""
    page.locator("[name=login]").fill("nobody")
    page.locator("[name=password]").fill("nothing")
    page.keyboard.press("Enter")
    expect(page.locator(".errorlist")).to_be_visible()


ready = desks.wait_until_ready

ENTRANCE = [
    State("sign in", "account_login", "anonymous"),
    State("sign in with a wrong password", "account_login", "anonymous", then=wrong_password),
    State("sign up without an invitation", "account_signup", "anonymous"),
    State("an invitation", "join", "anonymous"),
    State("an invitation for somebody with an account", "join", "stranger"),
    State("an invitation that is over", "join", "anonymous", house.late),
    State("an invitation of which half is there", "join", "anonymous", house.unknown),
    State("sign up", "join", "anonymous", then=click("main a[href*='signup']")),
    State("a link that is too old", "account_reset_password_from_key", "anonymous"),
    State("the password is set", "account_reset_password_from_key_done", "anonymous"),
    State("sign out", "account_logout", "annotator"),
    State("change the password", "account_change_password", "annotator", house.with_password),
    State("choose a password", "account_set_password", "annotator"),
    State("welcome", "welcome", "annotator"),
    State("welcome, and agree", "welcome", "annotator", house.asking),
    State("welcome, and qualify", "welcome", "annotator", house.agreed),
    State("qualify", "qualify", "annotator", house.begun),
    State("not qualified", "qualify", "annotator", house.failed),
    State("home without a project", "home", "stranger"),
    State("home of an annotator", "home", "annotator"),
    State("home of somebody who is paused", "home", "annotator", house.paused),
    State("home of a manager", "home", "manager"),
    State("home of an administrator", "home", "superuser"),
    State("one’s own page", "me", "worker"),
    State("one’s own page on the first day", "me", "annotator", house.asking),
    State("guidelines", "guidelines", "annotator"),
    State("one’s own tokens", "tokens", "manager"),
    State("one’s second factor before there is one", "mfa_index", "annotator"),
    State("one’s second factor", "mfa_index", "annotator", factors.set_up),
    State(
        "a second factor is set up",
        "mfa_activate_totp",
        "annotator",
        house.with_password,
        factors.confirm,
    ),
    State(
        "recovery codes", "mfa_view_recovery_codes", "annotator", factors.set_up, factors.confirm
    ),
    State(
        "new recovery codes",
        "mfa_generate_recovery_codes",
        "annotator",
        factors.set_up,
        factors.confirm,
    ),
    State(
        "a second factor is given up",
        "mfa_deactivate_totp",
        "annotator",
        factors.set_up,
        factors.confirm,
    ),
    State("whether it is you", "account_reauthenticate", "annotator", house.with_password),
    State("whether it is you, by a code", "mfa_reauthenticate", "annotator", factors.set_up),
    State("a code to sign in", "account_login", "anonymous", factors.set_up, factors.sign_in),
]

WORK = [
    State("judge", "judge", "annotator", then=ready),
    State("judge after a warning", "judge", "worker", then=ready),
    State("judge with grades", "judge", "annotator", house.graded, ready),
    State("judge with marks", "judge", "annotator", house.marked, ready),
    State("judge with marks that one chose", "judge", "annotator", then=press("d")),
    State("judge with the keys", "judge", "annotator", then=press("?")),
    State("judge with the guidelines", "judge", "annotator", then=press("h")),
    State("judge with the last ten", "judge", "worker", then=press("l")),
    State("judge while skipping", "judge", "annotator", then=press("s")),
    State("judge offline", "judge", "annotator", then=offline),
    State("judge when nothing is left", "judge", "annotator", house.emptied, ready),
    State("judge when all is closed", "judge", "annotator", house.closed, ready),
    State("judge when paused", "judge", "annotator", house.paused, ready),
    State("last judgments", "recent_judgments", "worker"),
    State("skip a pair", "skip_judgment", "annotator"),
    State("correct", "correct", "annotator", then=ready),
    State("correct while fixing", "correct", "annotator", then=press("f")),
    State("correct into nothing", "correct", "annotator", then=press("f", "Control+a", "Delete")),
    State("correct when nothing is left", "correct", "annotator", house.emptied, ready),
    State("last corrections", "recent_corrections", "worker"),
    State("skip a candidate", "skip_correction", "annotator"),
]

MANAGEMENT = [
    State("overview", "overview", "manager"),
    State("overview of a new project", "overview", "manager", house.emptied),
    State("overview for a researcher", "overview", "researcher"),
    State("agreement", "agreement", "manager"),
    State("agreement for a researcher", "agreement", "researcher"),
    State("pairs", "pairs", "manager"),
    State("a pair", "pair", "manager"),
    State("a pair on which too few agree", "pair", "manager", house.disputed),
    State("others to be asked anew", "reopen_pairs", "manager", house.disputed),
    State("annotators", "annotators", "manager"),
    State("an annotator", "annotator", "manager"),
    State("two accounts of one person", "same_person", "manager"),
    State("a warning to be given", "intervene", "manager"),
    State("corrections", "corrections", "manager"),
    State("what is held", "leases", "manager"),
    State("what was passed over", "skips", "manager"),
    State("people", "people", "manager"),
    State("a person", "person", "manager"),
    State("a new link", "people", "manager", then=click(".inviting button")),
    State("hidden pairs", "known_pairs", "manager"),
    State("hidden pairs before there are any", "known_pairs", "manager", house.emptied),
    State("the qualification set", "qualification_set", "manager"),
    State("an empty qualification set", "qualification_set", "manager", house.emptied),
    State("the set as newcomers see it", "preview_qualification", "manager"),
    State("guests", "guests", "manager", visitors.parting),
    State("guests before there are any", "guests", "manager", house.emptied),
    State("releases", "releases", "manager"),
    State("releases before there are any", "releases", "manager", house.emptied),
    State("a new release", "draft_release", "manager"),
    State("a draft", "release", "manager", versions.drafted),
    State("a draft that waits for a worker", "release", "manager", versions.unseen),
    State("a draft that a worker looks at", "release", "manager", versions.looked_at),
    State("a draft after further answers", "release", "manager", versions.outrun),
    State("a draft under other rules", "release", "manager", versions.outdated),
    State("a draft that could not be looked at", "release", "manager", versions.unseeable),
    State("a draft that cannot be built", "release", "manager", versions.impossible),
    State("a draft that is changed", "edit_release", "manager", versions.drafted),
    State("a release that waits for a worker", "release", "manager", versions.queued),
    State("a release that is built", "release", "manager", versions.being_built),
    State("a release that failed", "release", "manager", versions.failed),
    State("a frozen release", "release", "manager"),
    State("a frozen release for a researcher", "release", "researcher"),
    State("a withdrawn release", "release", "manager", versions.withdrawn),
    State("a release is withdrawn", "withdraw_release", "manager"),
    State("names are forgotten", "forget_names", "manager"),
    State("create a project", "create_project", "superuser"),
    State("settings", "project_settings", "manager"),
    State("history", "history", "manager"),
]

OPERATIONS = [
    State("status", "status", "superuser", running.well),
    State("status when something is amiss", "status", "superuser", running.amiss),
]

# Mail is not sent from here, and no link leads to these; they come with the accounts.
NOT_LINKED = [
    State(name, name, "annotator")
    for name in (
        "account_inactive",
        "account_email",
        "account_email_verification_sent",
        "account_confirm_email",
        "account_reset_password",
        "account_reset_password_done",
    )
]

STATES = [*ENTRANCE, *WORK, *MANAGEMENT, *OPERATIONS, *NOT_LINKED]
# Each page once, as it is found first.
FIRST_STATES = list({state.route: state for state in reversed(STATES)}.values())[::-1]


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
