"""What a reader of a study calls its people: managers by name, everybody else by pseudonym."""

from dataclasses import dataclass, field

from accounts.models import User
from annotation.models import Membership, Project
from annotation.people.selectors import pseudonyms


@dataclass(frozen=True, slots=True)
class Naming:
    """One reader's words for the people of a project, for as long as one request takes.

    Every page and file of a study asks it. Without `by_name` neither user name nor full name may be
    told. It asks nothing of the database, and works a pseudonym out once.
    """

    project: Project
    by_name: bool
    _known: dict[int, str] = field(default_factory=dict, repr=False, compare=False)

    def of(self, user: User | None) -> str:
        """What the person is called; nothing for nobody."""
        return self.of_id(user.pk, user.get_username()) if user else ""

    def of_id(self, key: int, username: str) -> str:
        """The same of somebody of whom only this has been read."""
        if self.by_name:
            return username
        if key not in self._known:
            self._known[key] = pseudonyms.within(self.project, key)
        return self._known[key]

    def order(self, user: User) -> str:
        """By which people are sorted: an order of names would tell some of them."""
        return self.of(user).casefold()


def for_reader(member: Membership) -> Naming:
    """The rule: who manages the project knows its people by name."""
    return Naming(member.project, by_name=member.role == Membership.Role.MANAGER)
