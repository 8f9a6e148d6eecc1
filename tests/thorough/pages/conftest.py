"""The browser of tests/browser, for the pages here, and a provider to sign in by."""

import subprocess
import sys
import time

import pytest
import requests

from support.services.servers import free_port
from tests.browser.conftest import *  # noqa: F403


@pytest.fixture(scope="session")
def oidc_server():
    """The address of the provider; it knows ada@uni.example, whose address it has verified."""
    port = free_port()
    address = f"http://localhost:{port}"
    claims = '{"sub": "ada-1", "email": "ada@uni.example", "email_verified": true}'
    options = ["--port", str(port), "--require-nonce", "true", "--user-claims", claims]
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "oidc_provider_mock", *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        wait_for(address, process)
        yield address
        process.terminate()


def wait_for(address, process):
    while True:
        assert process.poll() is None
        try:
            requests.get(address, timeout=60)
        except requests.ConnectionError:
            time.sleep(0.2)
        else:
            return
