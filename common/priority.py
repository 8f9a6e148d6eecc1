"""The processor goes to other processes first."""

import logging
import os
from contextlib import suppress
from pathlib import Path

LOWEST = 19
# On Linux with autogroups: the priority of this process's session among all sessions (sched(7)).
SESSION = Path("/proc/self/autogroup")

logger = logging.getLogger(__name__)


def give_way() -> None:
    """Give this process, and threads that it starts from now on, the lowest priority.

    Linux divides the processor among sessions first, so that `nice` alone changes nothing for the
    processes of other sessions, such as a web server that is another service.
    """
    os.nice(LOWEST)
    with suppress(PermissionError):  # the leader of a group cannot leave its session
        os.setsid()
    if os.getsid(0) == os.getpid() and SESSION.exists():
        try:
            SESSION.write_text(f"{LOWEST}")
        except OSError as error:
            logger.warning("The priority of this session stays as it is: %s", error)
