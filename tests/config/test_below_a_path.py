"""An installation below a path of a host, such as https://uni.example/pawsmith."""

import json
import shutil

import pytest
from django.core.management import call_command
from django.template.loader import get_template
from django.urls import set_script_prefix

from config.wsgi import below
from tests.config import installation

PATH = "/lab/pawsmith"
ADDRESS = installation.PUBLIC["PAWSMITH_ADDRESS"] + PATH
SHOW = "import django; django.setup(); from tests.config import below_a_path as p; p.main()"


@pytest.fixture(scope="module")
def replies(migrated_sqlite, tmp_path_factory):
    folder = tmp_path_factory.mktemp("below")
    database = shutil.copy(migrated_sqlite, folder / "pawsmith.sqlite3")
    printed = installation.python(
        *("-c", SHOW),
        PAWSMITH_ADDRESS=ADDRESS,
        DATABASE_URL=f"sqlite:///{database}",
        PAWSMITH_DATA_DIR=str(folder),
    )
    assert printed.returncode == 0, printed.stderr
    return [json.loads(line) for line in printed.stdout.splitlines() if line.startswith("{")]


def test_all_addresses_that_replies_name_are_below_the_path(replies):
    views = {reply["view"] for reply in replies}
    assert {"home", "work", "overview", "release", "help_page", "admin:changelist"} <= views
    outside = {
        (reply["view"], address)
        for reply in replies
        for address in reply["addresses"]
        if not f"{address}/".startswith(f"{PATH}/")
    }
    assert outside == set()


def test_all_named_addresses_exist(replies):
    statuses = {reply["address"]: reply["status"] for reply in replies}
    assert f"{PATH}/static/pawsmith/work.js" in statuses
    failures = {name: code for name, code in statuses.items() if code in {404, 500, 503}}
    assert failures == {}


def test_cookies_are_sent_below_the_path_only(replies):
    cookies = [cookie for reply in replies for cookie in reply["cookies"]]
    assert any(cookie.startswith("__Secure-pawsmith-csrf=") for cookie in cookies)
    for cookie in cookies:
        assert cookie.startswith("__Secure-pawsmith-"), cookie
        assert {"Secure", f"Path={PATH}", "SameSite=Lax"} <= set(cookie.split("; ")), cookie


def test_no_reply_sets_hsts_for_the_whole_host(replies):
    assert not any("Strict-Transport-Security" in reply["headers"] for reply in replies)


def test_the_application_gets_addresses_without_the_path():
    application = below(PATH, lambda environ, _start: environ["PATH_INFO"])
    for address, seen in [
        (PATH, ""),
        (f"{PATH}/", "/"),
        (f"{PATH}/projects/", "/projects/"),
        (f"{PATH}s/", f"{PATH}s/"),
        ("/readyz", "/readyz"),  # as probes ask the web server itself
    ]:
        assert application({"PATH_INFO": address}, None) == seen


@pytest.fixture
def _path_of_this_thread():
    set_script_prefix(PATH)
    yield
    set_script_prefix("/")


@pytest.mark.usefixtures("_path_of_this_thread")
@pytest.mark.django_db
def test_the_first_link_has_the_path_once(capsys):
    call_command("first_administrator", address=ADDRESS)
    assert f"{ADDRESS}/accounts/" in capsys.readouterr().out


@pytest.mark.usefixtures("_path_of_this_thread")
def test_the_page_of_an_error_leads_below_the_path():
    assert f'href="{PATH}/"' in get_template("500.html").render()


def test_probes_answer_below_the_path(client):
    assert client.get("/livez", SCRIPT_NAME=PATH).json() == {"status": "alive"}
