"""Every page that people see, in each state that it has."""

from typing import NamedTuple

from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import User
from annotation.work.kinds import KINDS
from tests.browser.work_page import await_ready, keys, sign_in
from tests.studies.people import PASSWORD


class State(NamedTuple):
    """A page as a person finds it."""

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
        reply = page.goto(study.address(self.route))
        assert reply.status < 500, self.name
        if self.route.startswith("work/"):
            await_ready(page)
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


def make_recruiting_link(page):
    page.locator("[name=completion_code]").fill("C1ABCDEF")
    click(page, ".inviting button")


def ask_without_prompt(page):
    page.locator("[name=prompt]").fill("{labels}")
    click(page, ".save-bar .primary")
    page.locator(".errorlist").first.wait_for()


def search_help(page):
    page.locator("main [name=q]").fill("gold pairs")
    page.keyboard.press("Enter")
    page.locator("#hits").wait_for()


def first_step(page):
    name = User.objects.get(username__endswith="annotator").username  # it may be lengthened
    page.locator("[name=login]").fill(name)
    confirm(page)


# By role: pages that are found at once.
PLAIN = {
    "anonymous": """account_login account_signup account_reset_password_from_key
        join recruit take_part""",
    "annotator": """account_logout account_set_password guidelines skip/judge skip/correct
        welcome home shortcuts mfa_index work/judge work/correct account_inactive note/judge
        note/correct""",
    "stranger": "join home",
    "worker": "me work/judge recent/judge recent/correct notes",
    "manager": """home overview agreement pair pairs people person person_actions person_place
        same_person intervene reissue answers/correct answers/judge leases skips
        preview_qualification tokens mails
        data import corpus draft_release withdraw_release forget_names history
        project_settings work_settings joining_settings quality_settings protocol_settings
        questions question decide_pairs ask_model
        invitations gold_pairs qualification_set releases release release_pairs
        generation_runs run new_run compare_runs project_actions archive_project delete_project
        remove_member help help_page upload_release compare_release judge_again translate_release
        comments recruiting evaluation predictions""",
    "researcher": "overview agreement release generation_runs",
    "superuser": """home create_project plan_study create_set choose_release status installation
        installation_people installation_invite installation_projects installation_archive
        installation_models installation_events installation_log""",
}
NEW = ("translate", "validate")
# By role and page: what the study is in (see CompleteStudy.prepare).
IN_STATES = {
    ("anonymous", "join"): "expired half_a_link",
    ("annotator", "account_change_password"): "with_password",
    ("annotator", "account_reauthenticate"): "with_password",
    ("annotator", "welcome"): "with_consent agreed asked",
    ("annotator", "about_me"): "asked replied",
    ("annotator", "qualify"): "qualifying not_qualified",
    ("annotator", "home"): "paused",
    ("annotator", "me"): "with_consent recruited",
    ("worker", "me"): "translating",
    ("annotator", "finish"): "finished",
    ("manager", "recruiting"): "recruited",
    ("annotator", "mfa_index"): "with_second_factor",
    ("annotator", "mfa_reauthenticate"): "with_second_factor",
    ("annotator", "work/judge"): "graded marked empty closed paused with_reasons may_say_why",
    ("annotator", "work/correct"): "empty",
    ("manager", "overview"): "empty translated published_set",
    ("manager", "create_version"): "published_set",
    ("manager", "translations"): "translated delivered",
    **dict.fromkeys(
        [("manager", name) for name in ("source_pairs", "untranslatable", "collapsed", "deliver")],
        "translated",
    ),
    ("manager", "change_plan"): "translated",
    ("manager", "person"): "careless translated",
    **dict.fromkeys(
        (
            *(("annotator", f"{page}/{kind}") for page in ("work", "skip", "note") for kind in NEW),
            *(("worker", page) for page in ("recent/translate", "recent/validate", "earlier")),
            ("annotator", "glossary"),
            *(("manager", page) for page in ("glossary", "term")),
            *(("manager", f"answers/{kind}") for kind in NEW),
        ),
        "translating",
    ),
    ("manager", "data"): "empty",
    ("manager", "import"): """draft_import queued_import import_under_way failed_import
        cancelled_import""",
    ("manager", "pair"): "disputed with_reasons",
    ("worker", "recent/judge"): "with_reasons",
    ("manager", "reopen_pairs"): "disputed",
    ("manager", "people"): "careless translated",
    ("manager", "reissue"): "careless reissued",
    ("manager", "gold_pairs"): "empty",
    ("manager", "qualification_set"): "empty",
    ("manager", "questions"): "empty replied",
    ("manager", "agreement"): "replied",
    ("manager", "releases"): "empty",
    ("manager", "generation_runs"): "empty finished_preview",
    ("manager", "compare_runs"): "empty",
    ("manager", "new_run"): "empty",
    ("manager", "ask_model"): "with_endpoint",
    ("manager", "run"): """preview_without_worker finished_preview preview_without_candidates
        finished_run parked_run run_at_limit refused_run waiting_run""",
    ("manager", "cancel_run"): "preview_without_worker",
    ("manager", "models"): "with_guests empty with_model_tasks with_tested_model",
    ("manager", "edit_release"): "previewed_draft",
    ("manager", "comparison"): "compared not_compared_yet judged_again not_judged_again_yet",
    ("manager", "release"): """previewed_draft waiting_draft draft_being_previewed
        failed_preview impossible_draft queued_release
        release_being_built failed_release withdrawn_release
        upload_waiting upload_under_way upload_failed uploaded translated_release
        draft_of_set draft_of_set_as_read published_set""",
    ("manager", "evaluation"): """evaluated evaluation_waiting evaluation_under_way
        evaluation_failed evaluation_cancelled""",
    ("manager", "predictions"): "evaluated",
    ("manager", "comments"): "empty",
    ("annotator", "notes"): "empty",
    ("superuser", "status"): "well",
}
# Role, page, what the study is in, and what is done on the page: an action, or keys.
AFTERWARDS = [
    ("anonymous", "account_login", "", "wrong_password"),
    ("anonymous", "account_login", "with_second_factor", "first_step"),
    ("anonymous", "join", "", "to_sign_up"),
    ("annotator", "mfa_activate_totp", "with_password", "confirm"),
    ("annotator", "mfa_view_recovery_codes", "with_second_factor", "confirm"),
    ("annotator", "mfa_generate_recovery_codes", "with_second_factor", "confirm"),
    ("annotator", "mfa_deactivate_totp", "with_second_factor", "confirm"),
    *(("annotator", "work/judge", "", then) for then in ("d", "?", "h", "s", "offline")),
    ("worker", "work/judge", "", "l"),
    ("annotator", "work/judge", "with_reasons", "1"),
    ("annotator", "work/judge", "may_say_why", "r"),
    *(("annotator", "work/translate", "translating", f"Escape {key}") for key in "xet"),
    ("annotator", "work/validate", "translating", "f"),
    *(("annotator", "work/correct", "", then) for then in ("f", "f Control+a Delete")),
    ("manager", "invitations", "", "make_link"),
    ("manager", "new_run", "with_endpoint", "choose_prompted"),
    ("manager", "ask_model", "with_endpoint", "ask_without_prompt"),
    ("manager", "help", "", "search_help"),
    ("manager", "recruiting", "", "make_recruiting_link"),
    ("anonymous", "recruit", "", "arrive"),
    ("anonymous", "recruit", "recruited", "arrive_again"),
]
ACTIONS = {
    "to_sign_up": lambda page: click(page, "main a[href*='signup']"),
    "make_link": lambda page: click(page, ".inviting button"),
    "make_recruiting_link": make_recruiting_link,
    "choose_prompted": lambda page: click(page, "a[href='?method=prompted']"),
    "ask_without_prompt": ask_without_prompt,
    "arrive": lambda page: page.goto(f"{page.url}?PROLIFIC_PID=7b2e"),
    "arrive_again": lambda page: page.goto(f"{page.url}?PROLIFIC_PID=5f0c9a1be2d47736"),
    # The message about an answer that cannot be sent.
    "offline": lambda page: page.locator("#trouble").evaluate("node => { node.hidden = false }"),
    "wrong_password": wrong_password,
    "confirm": confirm,
    "first_step": first_step,
    "search_help": search_help,
}


def _states():
    found = [(role, route, "", "") for role, routes in PLAIN.items() for route in routes.split()]
    for (role, route), states in IN_STATES.items():
        found += [(role, route, given, "") for given in states.split()]
    for role, route, given, then in found + AFTERWARDS:
        name = f"{route}: {role}{given and f' + {given}'}{then and f' -> {then}'}"
        yield State(name, route, role, given, then)


STATES = {state.name: state for state in _states()}
# Each page once, as it is found first.
FIRST_STATES = {state.route: state for state in reversed(STATES.values())}


def routes(resolver=None):
    """The name of each address, with each kind of work, but for those of the admin."""
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLResolver) and entry.app_name != "admin":
            yield from routes(entry)
        elif isinstance(entry, URLPattern) and "kind" in entry.pattern.converters:
            yield from (f"{entry.name}/{kind}" for kind in KINDS)
        elif isinstance(entry, URLPattern) and entry.name:
            yield entry.name
