"""From which address a request comes, however much its headers say."""

import logging
from functools import cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

UNKNOWN = "unknown"
# Whoever has one address of IPv6 has as many as there are in the network that it is handed in.
NETWORK = 64
HEADER = "X-Forwarded-For"

logger = logging.getLogger(__name__)


def client_address(request: HttpRequest) -> str:
    """Who sent a request, past as many proxies of our own as settings.PROXIES says.

    Each of them adds to X-Forwarded-For, on the right, who it was asked by; what stands left of
    that is whatever the client liked to write, and is not read. A header with fewer entries says
    nothing: then it is whoever the connection comes from. An address of IPv6 stands for its
    network; "unknown" stands for all that have none.
    """
    address = _parsed(_forwarded(request) or request.META.get("REMOTE_ADDR", ""))
    if address is None:
        _report("Requests have no address: tries to sign in are counted for all of them together.")
        return UNKNOWN
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or ip_network((address, NETWORK), strict=False))
    return str(address)


def _forwarded(request: HttpRequest) -> str | None:
    if not settings.PROXIES:
        return None
    entries = request.headers.get(HEADER, "").split(",")[-settings.PROXIES :]
    if len(entries) == settings.PROXIES and all(entries):
        return entries[0].strip()
    _report(
        f"A request came through fewer than {settings.PROXIES} proxies: PAWSMITH_PROXIES is too "
        "high, or a proxy does not add to X-Forwarded-For. Tries to sign in are counted by the "
        "address of the connection."
    )
    return None


def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    """Some proxies write the port as well: `192.0.2.7:443`, `[2001:db8::1]:443`."""
    bare = text.strip()
    if bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    elif bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        return ip_address(bare.partition("%")[0])
    except ValueError:
        return None


@cache
def _report(what: str) -> None:
    """Once for each process: what is amiss is amiss for every request."""
    logger.error(what)
