"""The client address of a request, without trusting headers that the client wrote."""

import logging
from functools import cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

UNKNOWN = "unknown"
# A client usually controls its whole IPv6 network, so its addresses count as one.
NETWORK = 64
HEADER = "X-Forwarded-For"

logger = logging.getLogger(__name__)


def client_address(request: HttpRequest) -> str:
    """Return the client address of a request that came through settings.PROXIES proxies.

    Each proxy appends the address that it was contacted from to X-Forwarded-For; entries further
    left come from the client and are ignored. If the header has fewer entries than there are
    proxies, the address of the connection is used. An IPv6 address is replaced by its network.
    Returns "unknown" if there is no address.
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
    """Parse an address; some proxies add the port: `192.0.2.7:443`, `[2001:db8::1]:443`."""
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
    """Log once per process, since the problem affects every request."""
    logger.error(what)
