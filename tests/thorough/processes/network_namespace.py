"""Takes this process, and those it starts, off every network but the loopback."""

import ctypes
import fcntl
import socket
import struct
from pathlib import Path

NEW_NETWORK = 0x40000000  # CLONE_NEWNET
SET_FLAGS = 0x8914  # SIOCSIFFLAGS
UP_AND_RUNNING = 0x1 | 0x40  # IFF_UP | IFF_RUNNING
COUNTERS = ("/proc/self/net/snmp", "/proc/self/net/snmp6")


def leave() -> bool:
    """Do it. False, and nothing done, where the machine does not permit it: root may."""
    if ctypes.CDLL(None, use_errno=True).unshare(NEW_NETWORK):
        return False
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SET_FLAGS, struct.pack("16sH22x", b"lo", UP_AND_RUNNING))
    return True


def refused_ways() -> int:
    """How many packets of this namespace the kernel had no route for."""
    old, new = (Path(counters).read_text().splitlines() for counters in COUNTERS)
    names, values = (line.split() for line in old if line.startswith("Ip:"))
    found = int(dict(zip(names, values, strict=True))["OutNoRoutes"])
    return found + sum(int(line.split()[1]) for line in new if line.startswith("Ip6OutNoRoutes"))


def call_others() -> None:
    """Try an address (RFC 5737) and a name (RFC 6761) that are reserved for documentation."""
    for asked in ("192.0.2.1", "host.invalid"):
        try:
            socket.create_connection((asked, 443), timeout=0.2).close()
        except OSError:
            continue
