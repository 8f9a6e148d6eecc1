"""Sixty anonymous connections, at a byte every two seconds, in front of Debian's Caddy."""

import os
import shutil
import time

import pytest

from annotation.imports.kinds import LARGEST_FILE
from support.services.proxy import PAUSE_SECONDS, Proxy, SlowBody, slow_senders
from support.services.sites import Web
from tests.config.installation import PUBLIC, python

pytestmark = pytest.mark.skipif(
    not Proxy.is_installed() and not os.environ.get("CI"), reason="there is no caddy"
)
# Caddy holds the short ones back. Of the long ones, more comes at once than it holds back.
SHORT, LONG = [SlowBody(5_000)] * 30, [SlowBody(LARGEST_FILE, at_once=150_000)] * 30
SECONDS_A_PAGE = 10.0


@pytest.fixture
def site(migrated_sqlite, tmp_path):
    """The site behind a proxy, with the threads of one process."""
    database = shutil.copy(migrated_sqlite, tmp_path / "pawsmith.sqlite3")
    own = {"DATABASE_URL": f"sqlite:///{database}", "PAWSMITH_DATA_DIR": str(tmp_path)}
    collected = python("manage.py", "collectstatic", "--no-input", **own)
    assert collected.returncode == 0, collected.stderr
    started = []

    def start(*, buffers=True, refuses=True):
        web = Web(os.environ | PUBLIC | own, processes=1)
        proxy = Proxy(tmp_path, web.port, buffers=buffers)
        web.environment["PAWSMITH_ADDRESS"] = proxy.origin
        if not refuses:
            web.environment["DJANGO_SETTINGS_MODULE"] = "tests.thorough.hostile.open_settings"
        for server in (web, proxy):
            started.append(server)
            server.start()
        return proxy

    yield start
    for server in started:
        server.kill()


def page(proxy):
    """The status of the page to sign in, or None if it does not come."""
    connection = proxy.http(timeout=SECONDS_A_PAGE)
    try:
        connection.request("GET", "/accounts/login/")
        return connection.getresponse().status
    except TimeoutError:
        return None
    finally:
        connection.close()


def test_slow_strangers_do_not_stop_the_site(site):
    proxy = site()
    with slow_senders(proxy, SHORT + LONG):
        assert all(page(proxy) == 200 for _ in range(10))
        # Once more, when everybody has sent further bytes.
        time.sleep(2 * PAUSE_SECONDS)
        assert all(page(proxy) == 200 for _ in range(10))


@pytest.mark.parametrize("bodies", [SHORT, LONG])
def test_they_do_where_the_proxy_or_the_server_takes_bodies_as_they_come(site, bodies):
    proxy = site(buffers=bodies is LONG, refuses=bodies is SHORT)
    assert page(proxy) == 200
    with slow_senders(proxy, bodies):
        assert page(proxy) is None
