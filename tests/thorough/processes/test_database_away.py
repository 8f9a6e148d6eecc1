"""Postgres is stopped and started under a web server: its answers meanwhile, and afterwards."""

import time

import requests

from support.services import servers
from support.services.installation import Installation

# A session cookie makes a page look into the database.
COOKIES = {"sessionid": "0" * 32}


def ask(address):
    return requests.get(address, cookies=COOKIES, allow_redirects=False, timeout=120)


def wait_until_ready(address):
    until = time.monotonic() + 300
    while ask(f"{address}/readyz").status_code != 200:
        assert time.monotonic() < until
        time.sleep(0.2)


def test_while_the_database_is_away_pages_say_so_and_recover_afterwards(tmp_path):
    with servers.postgres_server() as server:
        place = Installation(server.get_uri(), tmp_path)
        place.manage("migrate", "--verbosity", "0")
        address = place.serve()
        try:
            wait_until_ready(address)
            assert ask(address).status_code == 302
            server.stop()
            probe = ask(f"{address}/readyz")
            assert (probe.status_code, probe.json()["database"]) == (503, "does not answer")
            assert ask(f"{address}/livez").status_code == 200
            page = ask(address)
            assert page.status_code == 503
            assert "The database isn’t responding" in page.text
            assert "Traceback" not in page.text
            server.start()
            wait_until_ready(address)
            assert ask(address).status_code == 302
        finally:
            place.stop()
