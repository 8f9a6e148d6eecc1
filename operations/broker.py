"""A check of the message broker."""

from kombu import Connection

SECONDS = 1


def answers(url: str) -> bool:
    """Return whether the broker at this URL answers within about a second."""
    patience = {"socket_connect_timeout": SECONDS, "socket_timeout": SECONDS}
    try:
        with Connection(url, connect_timeout=SECONDS, transport_options=patience) as broker:
            broker.connect()
            broker.channel().close()  # Redis connects only here
    except Exception:  # each transport has its own errors
        return False
    return True
