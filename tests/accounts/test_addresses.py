"""Where a request comes from, whatever its headers say."""

import pytest
from django.test import RequestFactory

from accounts import addresses
from accounts.addresses import UNKNOWN, client_address

PROXY = "10.0.0.1"


@pytest.fixture(autouse=True)
def nothing_said_yet():
    addresses._report.cache_clear()


def of(*, remote: str = PROXY, forwarded: str | None = None) -> str:
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    return client_address(RequestFactory().get("/", REMOTE_ADDR=remote, headers=headers))


def test_without_proxies_the_header_says_nothing():
    assert of(remote="192.0.2.7", forwarded="198.51.100.1, 203.0.113.9") == "192.0.2.7"


@pytest.mark.parametrize(
    ("proxies", "forwarded", "client"),
    [
        (1, "192.0.2.7", "192.0.2.7"),
        (1, "198.51.100.1, 192.0.2.7", "192.0.2.7"),
        (2, "198.51.100.1, 192.0.2.7, 10.0.0.2", "192.0.2.7"),
        (1, "nonsense, 192.0.2.7:51000", "192.0.2.7"),
        (1, "[2001:db8:1:2:3::9]:51000", "2001:db8:1:2::/64"),
    ],
)
def test_only_what_our_own_proxies_wrote_is_read(settings, proxies, forwarded, client):
    settings.PROXIES = proxies
    assert of(forwarded=forwarded) == client


@pytest.mark.parametrize("forwarded", [None, "", "192.0.2.7", "192.0.2.7,"])
def test_a_header_that_is_too_short_says_nothing_but_in_the_log(settings, caplog, forwarded):
    settings.PROXIES = 2
    assert of(forwarded=forwarded) == PROXY
    assert "fewer than 2 proxies" in caplog.text
    assert "192.0.2.7" not in caplog.text


def test_a_network_of_ipv6_is_one_sender():
    assert of(remote="2001:db8:1:2::1") == of(remote="2001:db8:1:2:ffff::9")
    assert of(remote="2001:db8:1:2::1") != of(remote="2001:db8:1:3::1")


def test_an_address_of_ipv4_is_itself_when_it_is_written_as_one_of_ipv6():
    assert of(remote="::ffff:192.0.2.7") == "192.0.2.7"


def test_whoever_has_no_address_is_counted_with_all_who_have_none(caplog):
    assert of(remote="") == UNKNOWN
    assert "have no address" in caplog.text


def test_what_is_amiss_is_said_once(settings, caplog):
    settings.PROXIES = 1
    of(), of()
    assert caplog.text.count("fewer than 1") == 1
