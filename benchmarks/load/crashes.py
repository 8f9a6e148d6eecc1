"""Plugs that are pulled under load: everything that was acknowledged is there afterwards."""

import time
from collections.abc import Callable

from support.services.sites import Servers

# Tells how many judgments have been acknowledged so far.
Acknowledged = Callable[[], int]


def kill_in_turns(
    servers: Servers, *, times: int, judgments: int
) -> Callable[[Acknowledged], None]:
    """Kills web server and database in turns, so many times each, and starts them again.

    So many judgments are acknowledged before each kill.
    """

    def kill(acknowledged: Acknowledged) -> None:
        for _ in range(times):
            for server in servers.all:
                threshold = acknowledged() + judgments
                while acknowledged() < threshold:
                    time.sleep(0.05)
                server.kill()
                server.start()
        _close_connections()

    return kill


def _close_connections() -> None:
    """The connection of this process was cut as well."""
    from django.db import connection

    connection.close()
