"""Records which other machines a process of Python calls, and prevents none of it.

Python imports it before anything else where its folder is in PYTHONPATH. The file of
PAWSMITH_TEST_CALLS gets a line for each name that is looked up and each address that is called.
"""

import os
import sys
from ipaddress import ip_address
from pathlib import Path
from typing import Any

ASKING = {
    "socket.connect": 1,
    "socket.sendto": 1,
    "socket.sendmsg": 1,
    "socket.getaddrinfo": 0,
    "socket.gethostbyname": 0,
}


def record(event: str, arguments: tuple[Any, ...]) -> None:
    """Record an address or name that is not of this machine."""
    if event in ASKING and not _is_here(asked := arguments[ASKING[event]]):
        with Path(os.environ["PAWSMITH_TEST_CALLS"]).open("a", encoding="utf-8") as calls:
            calls.write(f"{event} {asked} by {sys.argv}\n")


def _is_here(asked: Any) -> bool:
    """Files that are sockets, what is connected already, and the addresses of a loopback."""
    host = asked[0] if isinstance(asked, tuple) else asked
    if not isinstance(asked, tuple) and "/" in os.fsdecode(asked or "/"):
        return True
    name = os.fsdecode(host or "localhost")
    try:
        return ip_address(name.partition("%")[0]).is_loopback
    except ValueError:
        return name == "localhost"


sys.addaudithook(record)
