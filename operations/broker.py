"""The broker: whether it answers."""

from kombu import Connection

SECONDS = 1


def answers(url: str) -> bool:
    """Whether the broker at this address does so within about a second."""
    patience = {"socket_connect_timeout": SECONDS, "socket_timeout": SECONDS}
    try:
        with Connection(url, connect_timeout=SECONDS, transport_options=patience) as broker:
            broker.connect()
            broker.channel().close()  # that of Redis connects no earlier
    except Exception:  # each kind of broker has its own
        return False
    return True
