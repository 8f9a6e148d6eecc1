"""Headers of a public installation, by the rules of Mozilla's HTTP Observatory.

https://developer.mozilla.org/en-US/observatory/docs/tests_and_scoring
"""

import json
import shutil

import pytest

from tests.config import installation

SHOW = "import django; django.setup(); from tests.config import public_replies as p; p.main()"
STATUSES = {
    "get /accounts/login/": 200,
    "get /": 200,
    "get /api/projects/": 200,
    "get /nothing/": 404,
    "post /accounts/login/": 403,
    "an internal error": 500,
}
EXPECTED = {
    "strict-transport-security": "max-age=63072000; includeSubDomains; preload",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
SOURCES = {"'self'", "'none'", "data:"}


@pytest.fixture(scope="module")
def replies(migrated_sqlite, tmp_path_factory):
    folder = tmp_path_factory.mktemp("public")
    database = shutil.copy(migrated_sqlite, folder / "pawsmith.sqlite3")
    printed = installation.python(
        *("-c", SHOW), DATABASE_URL=f"sqlite:///{database}", PAWSMITH_DATA_DIR=str(folder)
    )
    assert printed.returncode == 0, printed.stderr
    return [json.loads(line) for line in printed.stdout.splitlines() if line.startswith("{")]


def test_every_kind_of_reply_is_looked_at(replies):
    statuses = {reply["name"]: reply["status"] for reply in replies}

    assert len(replies) == 15
    assert STATUSES.items() <= statuses.items()
    assert [each for each in statuses.values() if each not in {200, 302, 401}] == [404, 403, 500]


def test_no_reply_lacks_a_protecting_header(replies):
    for reply in replies:
        headers = {name: reply["headers"].get(name) for name in EXPECTED}
        assert headers == EXPECTED, reply["name"]
        assert "payment=()" in reply["headers"]["permissions-policy"]


def test_pages_load_and_run_only_what_comes_from_the_installation(replies):
    for reply in replies:
        policy = dict(
            part.split(None, 1)
            for part in reply["headers"]["content-security-policy"].split("; ")
            if " " in part
        )
        assert policy["default-src"] == policy["frame-ancestors"] == "'none'", reply["name"]
        assert policy["form-action"] == "'self'"
        assert {"data:", "'none'"}.isdisjoint(policy["script-src"].split())
        sources = {source for each in policy.values() for source in each.split()}
        assert sources <= SOURCES
        assert "access-control-allow-credentials" not in reply["headers"]


def test_cookies_go_over_https_only_and_stay_on_the_host(replies):
    cookies = [cookie for reply in replies for cookie in reply["cookies"]]

    assert any(cookie.startswith("__Host-csrf=") for cookie in cookies)
    for cookie in cookies:
        assert cookie.startswith("__Host-"), cookie
        assert {"Secure", "Path=/", "SameSite=Lax"} <= set(cookie.split("; ")), cookie
        assert "session" not in cookie.partition("=")[0] or "HttpOnly" in cookie


def test_http_is_redirected_to_https_on_the_same_host(replies):
    for reply in replies:
        assert reply["http redirects to"].startswith("https://pawsmith.example/"), reply["name"]
