"""A browser and a program at an installation below a path, behind Caddy."""

import json
import os
import shutil
from contextlib import closing, contextmanager
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from playwright.sync_api import expect

from support.services.proxy import HOST, Proxy
from support.services.sites import Web
from tests.browser.work_page import await_ready, press
from tests.config.installation import PUBLIC, python
from tests.thorough.pages.provider import agree

pytestmark = pytest.mark.skipif(
    not Proxy.is_installed() and not os.environ.get("CI"), reason="there is no caddy"
)
PATH, PASSWORD = "/lab/pawsmith", "quiet-orchard-lantern"
PREPARE = f"""
import json
import django
django.setup()
from accounts.models import AccessToken, User
from accounts.services import password_link
from annotation.models import Role
from annotation.projects.services import projects
from support import imported_study
from tests.config.public_replies import browser_of
project = imported_study.make("Below", pairs=3)
ada = User.objects.create_user("ada", password="{PASSWORD}")
root = User.objects.create_superuser("root")
projects.add_member(project, ada)
projects.add_member(project, root, role=Role.MANAGER)
print(json.dumps({{
    "project": str(project.public_id),
    "session": browser_of(root).session.session_key,
    "link": password_link(user=User.objects.create_user("eve")),
    "token": AccessToken.objects.create(user=root, scope=AccessToken.Scope.READ)[1],
}}))
"""


@pytest.fixture(scope="module")
def site(migrated_sqlite, tmp_path_factory, oidc_server):
    """Its address, its proxy and its web server, and the session and the token of the manager."""
    folder = tmp_path_factory.mktemp("below")
    database = shutil.copy(migrated_sqlite, folder / "pawsmith.sqlite3")
    variables = {"DATABASE_URL": f"sqlite:///{database}", "PAWSMITH_DATA_DIR": str(folder)}
    variables |= {
        "PAWSMITH_OIDC_SERVER": oidc_server,
        "PAWSMITH_OIDC_CLIENT_ID": "pawsmith",
        "PAWSMITH_OIDC_CLIENT_SECRET": "a-secret-of-both",
        "PAWSMITH_OIDC_NAME": "Example University",
    }
    web = Web(os.environ | PUBLIC | variables, processes=1)
    proxy = Proxy(folder, web.port, path=PATH)
    web.environment["PAWSMITH_ADDRESS"] = variables["PAWSMITH_ADDRESS"] = proxy.origin + PATH
    run(variables, "manage.py", "collectstatic", "--no-input")
    made = json.loads(run(variables, "-c", PREPARE).splitlines()[-1])
    for server in (web, proxy):
        server.start()
    yield SimpleNamespace(address=proxy.origin + PATH, web=web, proxy=proxy, **made)
    proxy.kill()
    web.kill()


def run(environment, *arguments):
    done = python(*arguments, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def context(launch_browser, browser_type_launch_args, site):
    """A browser that finds the host, and refuses nothing that a test's certificate lacks."""
    arguments = [*browser_type_launch_args["args"], f"--host-resolver-rules=MAP {HOST} 127.0.0.1"]
    browser = launch_browser(args=arguments)
    context = browser.new_context(ignore_https_errors=True)
    context.set_default_timeout(60_000)
    yield context
    browser.close()


@pytest.fixture
def requested(context):
    """The addresses that the browser has asked for, with the status of each reply."""
    statuses = {}
    context.on("response", lambda reply: statuses.update({reply.url: reply.status}))
    return statuses


def test_a_person_signs_in_by_password_to_judge(context, requested, site):
    page = context.new_page()
    page.goto(site.address)
    page.locator("[name=login]").fill("ada")
    page.locator("[name=password]").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Judge").first.click()
    await_ready(page)
    press(page, "1", "2")
    page.reload()
    await_ready(page)
    assert_all_below(requested, site)
    cookies = {cookie["name"]: cookie["path"] for cookie in context.cookies()}
    assert "__Secure-pawsmith-session" in cookies
    assert set(cookies.values()) == {PATH}


def test_a_provider_leads_back_below_the_path(context, requested, site):
    page = context.new_page()
    page.goto(site.proxy.origin + site.link)
    page.get_by_role("button", name="Continue with Example University").click()
    agree(page)
    expect(page).to_have_url(f"{site.address}/")
    [request] = [urlsplit(url) for url in requested if "/oauth2/authorize?" in url]
    assert parse_qs(request.query)["redirect_uri"] == [f"{site.address}/accounts/oidc/callback/"]


@pytest.fixture
def managing(context, site):
    """The page of a manager, who is an administrator too."""
    session = {"name": "__Secure-pawsmith-session", "value": site.session, "secure": True}
    context.add_cookies([session | {"domain": HOST, "path": PATH}])
    return context.new_page()


def test_the_proxy_passes_on_large_uploads(managing, requested, site):
    managing.goto(f"{site.address}/projects/{site.project}/data/")
    rows = b"The boat crossed the lake before the storm came.\n" * 150_000
    file = {"name": "boats.txt", "mimeType": "text/plain", "buffer": rows}
    managing.get_by_label("File").set_input_files(file)
    managing.get_by_role("button", name="Upload and preview").click()
    expect(managing.get_by_role("status")).to_have_text("Waiting for a worker.")
    assert_all_below(requested, site)


def test_an_administrator_reads_the_admin(managing, requested, site):
    for address in ("/admin/", "/api/docs/", "/help/"):
        assert managing.goto(site.address + address).status == 200
        managing.wait_for_load_state("networkidle")
    assert any("/api/schema/" in address for address in requested)
    assert_all_below(requested, site)


def assert_all_below(requested, site):
    assert len(requested) > 5
    outside = [url for url in requested if not f"{url}/".startswith(f"{site.address}/")]
    assert outside == []
    assert {url: status for url, status in requested.items() if status >= 400} == {}


def test_programs_follow_the_addresses_of_rest(site):
    with through(site.proxy) as ask:
        reply = ask("/api/projects/", Authorization=f"Token {site.token}")
        [project] = json.loads(reply.read())["results"]
    assert project["name"] == "Below"


def test_the_proxy_answers_for_metrics_itself(site):
    with through(site.proxy) as ask:
        assert ask("/metrics").status == 404


def test_the_proxy_keeps_other_paths_from_pawsmith(site):
    with through(site.proxy, path="") as ask:
        reply = ask("/accounts/login/")
        assert (reply.read(), reply.headers["X-Request-ID"]) == (b"", None)


def test_the_web_server_answers_probes_with_the_path_or_without(site):
    for path in ("", PATH):
        reply = requests.get(f"http://127.0.0.1:{site.web.port}{path}/readyz", timeout=60)
        assert reply.json()["status"] == "ready"


@contextmanager
def through(proxy, path=PATH):
    """Yields a function that asks the proxy for an address below the path."""
    with closing(proxy.http()) as connection:

        def ask(address, **headers):
            connection.request("GET", path + address, headers=headers)
            return connection.getresponse()

        yield ask
