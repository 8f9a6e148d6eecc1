"""What accounts ask of the studies of their users. Upper rooms set these in their `apps.py`."""

from collections.abc import Callable

from accounts.models import User

# The key in a session of the public id of the invitation that was opened.
INVITATION = "invitation"


class CannotLeave(Exception):
    """Something depends on this person. The text says what."""


class Closed(Exception):
    """The invitation is invalid or has no places left. The text tells its holder why."""


# Whether a user may read anything over REST, and so has a use for tokens.
are_read_by: Callable[[User], bool]
# Whether a user manages a project, and so may get mail about its events.
are_managed_by: Callable[[User], bool]
# Removes a user from all work and clears personal notes; answers stay. Raises CannotLeave.
let_go: Callable[[User], None]
# Whether another person may join by the invitation with this public id.
is_open: Callable[[str], bool]
# Adds a user by an invitation. Raises Closed.
join: Callable[[str, User], object]
