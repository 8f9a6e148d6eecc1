"""Who may ask for which page: every named page, every role, against one declared table."""

import re
from typing import NamedTuple

import pytest
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY
from django.test import Client, override_settings
from django.urls import URLResolver

from accounts.models import User
from annotation import urls
from annotation.models import JudgingModel
from evaluation import urls as evaluation_urls
from releases import urls as release_urls
from tests.annotation import make, pages
from tests.annotation.pages import HTMX, client_of, page, signed_in, undone
from tests.studies.complete import complete_study

pytestmark = pytest.mark.django_db

STRANGERS = {"manager elsewhere", "superuser"}
MEMBERS = {"annotator", "corrector", "judge", "researcher", "manager"}
JUDGES, CORRECTORS = {"annotator", "judge"}, {"annotator", "corrector"}
READERS, MANAGERS = {"researcher", "manager"}, {"manager"}
DESIGNERS = {"manager", *STRANGERS}
EVERYBODY = MEMBERS | STRANGERS


class Rule(NamedTuple):
    """What those who may are answered; a method that a page does not take is 405 for everybody.
    To all others who are signed in, there is no such page: 404. SENT says what is posted; for
    most pages nothing, which they let in and refuse."""

    roles: set[str]
    get: int = 200
    post: int = 405


# By name, and those about a kind of work with its name.
PAGES = {
    "home": Rule(EVERYBODY),
    "take_part": Rule(EVERYBODY, 404, 404),
    "recruit": Rule(EVERYBODY, 422),
    "finish": Rule(set()),
    "recruiting": Rule(MANAGERS),
    "recruiting_report": Rule(MANAGERS),
    "recruit_people": Rule(MANAGERS, 302, 422),
    "revoke_recruitment": Rule(MANAGERS, 405, 302),
    "shortcuts": Rule(EVERYBODY, 200, 302),
    **dict.fromkeys(["find_language", "find_licence"], Rule(EVERYBODY)),
    "invited": Rule(EVERYBODY, 404, 404),
    "join": Rule(EVERYBODY, 302),
    "create_project": Rule({"superuser", "manager", "manager elsewhere"}, 200, 422),
    "plan_study": Rule({"superuser", "manager", "manager elsewhere"}),
    "choose_release": Rule({"superuser", "manager", "manager elsewhere"}),
    "create_set": Rule({"superuser", "manager", "manager elsewhere"}, 200, 422),
    "create_version": Rule(MANAGERS, 404, 404),  # nobody published this study elsewhere
    "read_again": Rule(MANAGERS, 302, 302),
    "preview": Rule(DESIGNERS, 405, 200),
    "check_protocol": Rule(DESIGNERS, 405, 200),
    **dict.fromkeys(["work judge", "skip judge"], Rule(JUDGES, 200, 422)),
    "undo judge": Rule(JUDGES, 405, 409),
    "recent judge": Rule(JUDGES),
    **dict.fromkeys(["work correct", "skip correct"], Rule(CORRECTORS, 200, 422)),
    "undo correct": Rule(CORRECTORS, 405, 409),
    "recent correct": Rule(CORRECTORS),
    "note judge": Rule(JUDGES, 200, 302),
    "checks translate": Rule(set(), 405, 404),  # nobody translates here
    "earlier": Rule(set(), 404),
    "glossary": Rule(MEMBERS),
    "propose_term": Rule(MEMBERS, 405, 422),
    "upload_terms": Rule(MANAGERS, 405, 422),
    "term": Rule(MANAGERS, 200, 422),
    "note correct": Rule(CORRECTORS, 200, 302),
    "guidelines": Rule(MEMBERS),
    "notes": Rule(MEMBERS),
    "confirm_replies": Rule(MEMBERS, 405, 302),
    "comments": Rule(READERS),
    **dict.fromkeys(["answer_comment", "comment_pair"], Rule(MANAGERS, 405, 302)),
    "me": Rule(MEMBERS),
    "about_me": Rule(set(), 200, 302),  # nobody is asked anything here
    "questions": Rule(READERS),
    "question": Rule(MANAGERS, 200, 422),
    **dict.fromkeys(["add_question", "add_questions"], Rule(MANAGERS, 405, 422)),
    "notices": Rule(MEMBERS, 302, 302),
    "welcome": Rule(MEMBERS, 200, 422),
    "begin": Rule(MEMBERS, 405, 302),
    "qualify": Rule(MEMBERS, 302, 302),
    "begin_attempt": Rule(MEMBERS, 405, 302),
    **dict.fromkeys(["overview", "figures", "table", "agreement", "models"], Rule(READERS)),
    **dict.fromkeys(["pairs", "pair", "people", "person", "person_actions"], Rule(READERS)),
    **dict.fromkeys(["answers judge", "answers correct"], Rule(READERS)),
    **dict.fromkeys(["leases", "skips", "releases", "release", "release_pairs"], Rule(READERS)),
    **dict.fromkeys(["release_archive", "release_file", "report_latex"], Rule(READERS)),
    **dict.fromkeys(["preview_release", "release_progress"], Rule(READERS, 302)),
    **dict.fromkeys(["data", "corpus"], Rule(READERS)),
    "refused_lines": Rule(MANAGERS),
    "import": Rule(MANAGERS, 200, 302),
    "import_progress": Rule(MANAGERS, 302),
    "upload": Rule(MANAGERS, 405, 422),
    "change_corpus": Rule(MANAGERS, 405, 422),
    **dict.fromkeys(["import_step", "add_corpus", "remove_corpus"], Rule(MANAGERS, 405, 302)),
    **dict.fromkeys(["invitations", "qualification_set", "preview_qualification"], Rule(MANAGERS)),
    **dict.fromkeys(["gold_pairs", "history", "history_file"], Rule(MANAGERS)),
    **dict.fromkeys(["draft_release", "intervene", "project_settings"], Rule(MANAGERS, 200, 422)),
    **dict.fromkeys(["work_settings", "joining_settings"], Rule(MANAGERS, 200, 422)),
    **dict.fromkeys(["quality_settings", "protocol_settings"], Rule(MANAGERS, 200, 422)),
    **dict.fromkeys(["withdraw_release", "forget_names"], Rule(MANAGERS, 200, 422)),
    **dict.fromkeys(["same_person", "person_place"], Rule(MANAGERS, 200, 302)),
    **dict.fromkeys(["upload_release", "compare_release", "judge_again"], Rule(MANAGERS, 200, 422)),
    **dict.fromkeys(["comparison", "comparison_table"], Rule(set(), 404)),
    "translate_release": Rule(MANAGERS, 200, 422),
    # Of translation studies: tests/annotation/translations/test_pages.py.
    **dict.fromkeys(["translations", "source_pairs", "untranslatable", "collapsed"], Rule(set())),
    **dict.fromkeys(["top_up", "widen"], Rule(set(), 405, 302)),
    **dict.fromkeys(["change_plan", "deliver"], Rule(set(), 200, 302)),
    "upload_progress": Rule(READERS, 302),
    **dict.fromkeys(["evaluation", "predictions"], Rule(READERS)),
    "evaluation_progress": Rule(READERS, 302),
    "evaluation_file": Rule(READERS, 404),
    "request_evaluation": Rule(MANAGERS, 405, 422),
    "bring_predictions": Rule(MANAGERS, 405, 422),
    **dict.fromkeys(["cancel_evaluation", "remove_predictions"], Rule(MANAGERS, 405, 404)),
    "cancel_upload": Rule(MANAGERS, 405, 302),
    **dict.fromkeys(["reopen_pairs", "reissue"], Rule(MANAGERS, 200, 409)),
    "release_reserved": Rule(MANAGERS, 405, 302),
    "decide_pairs": Rule(MANAGERS, 200, 302),
    "edit_release": Rule(MANAGERS, 302, 302),
    **dict.fromkeys(["invite"], Rule(MANAGERS, 302, 422)),
    "add_qualification_pair": Rule(MANAGERS, 405, 422),
    **dict.fromkeys(["remove_model_judgments", "adjudicate", "separate"], Rule(MANAGERS, 405, 302)),
    "fit_model": Rule(MANAGERS, 405, 302),
    "ask_model": Rule(MANAGERS, 200, 422),
    "model_tasks": Rule(READERS),
    "steer_model_task": Rule(MANAGERS, 405, 404),  # there is no step “warn”
    **dict.fromkeys(["give_priority", "put_back", "release_step"], Rule(MANAGERS, 405, 302)),
    **dict.fromkeys(["exclude_pair", "include_pair", "hide_reason"], Rule(MANAGERS, 405, 302)),
    **dict.fromkeys(["grant_attempt", "let_pass"], Rule(MANAGERS, 405, 302)),
    **dict.fromkeys(["generation_runs", "run", "run_progress", "compare_runs"], Rule(READERS)),
    "new_run": Rule(MANAGERS, 200, 422),
    "cancel_run": Rule(MANAGERS),
    **dict.fromkeys(["add_run", "remove_run", "steer_run"], Rule(MANAGERS, 405, 302)),
    "revoke_invitation": Rule(MANAGERS, 405, 302),
    "open_project": Rule(MANAGERS, 405, 200),  # it asks first
    "project_actions": Rule(MANAGERS),
    **dict.fromkeys(["duplicate_project", "transfer_project"], Rule(MANAGERS, 405, 422)),
    **dict.fromkeys(["intervene_many", "change_pairs"], Rule(MANAGERS, 405, 302)),
    **dict.fromkeys(["save_view", "change_view"], Rule(MANAGERS, 405, 302)),
    "archive_project": Rule(MANAGERS, 200, 302),
    "restore_project": Rule(MANAGERS, 405, 302),
    "delete_project": Rule(MANAGERS, 200, 422),
    "remove_member": Rule(MANAGERS, 200, 302),
    "password_link": Rule(MANAGERS, 302, 302),
    "remove_qualification_pair": Rule(MANAGERS, 405, 302),
}
HIDDEN = {"preview", "check_protocol"}  # whatever the method, there is no such page for others
WITHOUT_SESSION = {
    **dict.fromkeys(["invited", "take_part"], (404, 404)),
    "join": (302, 405),
    "recruit": (422, 405),
}
# Addresses that tell managers from others; a missing page and a stranger get the same answer.
SENT = {
    "give_priority": {"level": 1},
    "put_back": {"item": "pair_id"},
    "remove_model_judgments": {"model": "model_id"},
    "same_person": {"other": "other_id"},
    "person_place": {"role": "researcher"},
    "answer_comment": {"step": "close"},
}


def names(patterns):
    for each in patterns:
        if isinstance(each, URLResolver):
            yield from names(each.url_patterns)
        else:
            yield each.name


@pytest.fixture(scope="module")
def study(module_db, tmp_path_factory):
    with pages.release_folder(tmp_path_factory.mktemp("releases")):
        study = complete_study()
        make.with_glossary(study.project)
        model = JudgingModel.objects.create(project=study.project, name="Model")
        study.arguments.update(
            public_id=pages.frozen_release(study.project, "2.0").public_id,
            model_id=model.public_id,
            other_id=study.person("annotator").public_id,
        )
        yield study


@pytest.fixture(scope="module")
def clients(study):
    project = study.project
    return {
        "anonymous": Client(),
        "manager elsewhere": client_of(make.study()),
        "superuser": signed_in(study.person("superuser")),
        "annotator": client_of(project, "annotator"),
        "corrector": client_of(project, "annotator", kinds=["correct"]),
        "judge": client_of(project, "annotator", kinds=["judge"]),
        "researcher": client_of(project, "researcher"),
        "manager": client_of(project, "manager"),
    }


def address_of(study, name):
    route, *kind = name.split()
    return page(route, study.project, *kind) if kind else study.address(route)


def expected(name, role):
    rule = PAGES[name]
    if role == "anonymous":
        return WITHOUT_SESSION.get(name, (302, 302))
    shown = role in rule.roles
    told_method = shown or name not in HIDDEN
    return tuple(
        status if shown or (status == 405 and told_method) else 404
        for status in (rule.get, rule.post)
    )


def answered(client, address, sent):
    for method, data in ((client.get, None), (client.post, sent)):
        with undone():
            reply = method(address, data)
            b"".join(reply)
            if not client.session.get("_auth_user_id") and reply.status_code == 302:
                # A session that this test rolled back has ended, and the address says so.
                then = re.sub(r"(%23again)?(&(expired|lost|unsaved)=1)*$", "", reply.url)
                assert then in (f"/accounts/login/?next={address}", "/join/")
        yield reply.status_code


def test_each_role_comes_to_the_pages_that_are_declared_for_it(study, clients, subtests):
    named = set(names([*urls.urlpatterns, *release_urls.urlpatterns, *evaluation_urls.urlpatterns]))
    assert named == {name.split()[0] for name in PAGES}
    steps = {
        name: page(name, study.project, study.arguments[of], step)
        for name, of, step in (
            ("release_step", "public_id", "discard"),
            ("import_step", "import_id", "cancel"),
        )
    }
    for name in PAGES:
        sent = SENT.get(name, {})
        sent = {key: study.arguments.get(value, value) for key, value in sent.items()}
        address = steps.get(name) or address_of(study, name)
        found = {role: tuple(answered(clients[role], address, sent)) for role in clients}
        with subtests.test(name):
            assert found == {role: expected(name, role) for role in clients}


def test_whatever_a_page_is_about_is_looked_for_in_its_project_alone(study):
    own, elsewhere = study.project, make.with_glossary(make.study())
    manager = client_of(elsewhere)
    shown = ["pair", "person", "person_actions", "person_place", "intervene", "same_person"]
    shown += ["release", "release_file", "release_pairs"]
    shown += ["edit_release", "withdraw_release", "release_archive"]
    shown += ["import", "import_progress", "refused_lines", "corpus"]
    shown += ["run", "run_progress", "cancel_run", "term", "question"]
    taken = [
        "revoke_invitation",
        "adjudicate",
        "exclude_pair",
        "hide_reason",
        "include_pair",
        "remove_run",
        "remove_corpus",
        "import_step",
        "steer_run",
        "grant_attempt",
        "let_pass",
    ]
    for ask, names_of_pages in ((manager.get, shown), (manager.post, taken)):
        for name in names_of_pages:
            address = study.address(name).replace(str(own.public_id), str(elsewhere.public_id))
            assert ask(address).status_code == 404, name


@pytest.fixture
def guidelines(study):
    return page("guidelines", study.project)


def test_a_part_that_is_asked_for_without_a_session_sends_the_whole_page_to_sign_in(guidelines):
    for current, then in (
        (f"http://testserver{guidelines}?a=b", f"{guidelines}%3Fa%3Db"),
        ("https://evil.example/", "/"),
    ):
        reply = Client().get(guidelines, headers=HTMX | {"HX-Current-URL": current})
        assert reply.headers["HX-Redirect"] == f"/accounts/login/?next={then}&expired=1"


def with_session(client, **values):
    session = client.session
    session.update(values)
    session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    return client


def test_a_session_that_proves_no_person_is_sent_to_sign_in(study, guidelines):
    member = make.person(study.project)
    client = signed_in(member.user)
    # Of the session with the person, their membership, and the guidelines.
    assert pages.statements(client, guidelines) == 3
    with undone():
        User.objects.filter(pk=member.user_id).update(is_active=False)
        assert client.get(guidelines).status_code == 302
    with undone():
        member.user.set_password("another one")
        member.user.save()
        assert client.get(guidelines).status_code == 302
    client = signed_in(User.objects.get(pk=member.user_id))
    backend = "django.contrib.auth.backends.RemoteUserBackend"
    with_session(client, **{BACKEND_SESSION_KEY: backend})
    for each in (client, with_session(Client(), seen=True)):
        assert each.get(guidelines).status_code == 302


def test_a_session_that_was_begun_under_a_former_key_is_still_its_persons(study):
    # The first page that a session opens renews its key.
    shown = {"annotator": ["guidelines", "work correct", "work judge"]}
    shown |= {"manager": ["overview", "invitations"]}
    opened = [(client_of(study.project, role), name) for role in shown for name in shown[role]]
    refused = client_of(study.project, "annotator")
    with override_settings(SECRET_KEY="a new one", SECRET_KEY_FALLBACKS=[settings.SECRET_KEY]):
        for client, name in opened:
            assert client.get(address_of(study, name)).status_code == 200, name
        assert refused.get(page("invitations", study.project)).status_code == 404


def test_pages_with_items_are_not_kept_by_browsers(study, clients):
    for name in ("work", "recent", "skip"):
        for kind in study.project.kinds:
            reply = clients["annotator"].get(page(name, study.project, kind))
            assert "no-store" in reply.headers["Cache-Control"], (name, kind)
