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

    On Linux the policy "idle" lets any other process run as soon as it wakes up. But Linux divides
    the processor among sessions first: without a session of low priority, this process still gets
    as much of a busy processor as a web server that is another service.
    """
    os.nice(LOWEST)
    with suppress(PermissionError):  # the leader of a group cannot leave its session
        os.setsid()
    try:
        if hasattr(os, "SCHED_IDLE"):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        if os.getsid(0) == os.getpid() and SESSION.exists():
            SESSION.write_text(f"{LOWEST}")
    except OSError as error:
        logger.warning("The priority of this process is higher than it should be: %s", error)
