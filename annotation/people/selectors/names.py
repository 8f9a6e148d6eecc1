"""How readers of a study see its people: managers see names, others see pseudonyms."""

from dataclasses import dataclass, field

from django.utils.crypto import salted_hmac

from accounts.models import User
from annotation.models import Membership, Project

# Other salts would give people other pseudonyms.
SALT = "annotation.people.selectors.pseudonyms"


@dataclass(frozen=True, slots=True)
class Naming:
    """How one reader sees the people of a project, for the length of one request.

    Every page and file of a study uses it. Without `by_name`, neither user names nor full names may
    be shown. It makes no database queries and caches pseudonyms.
    """

    project: Project
    by_name: bool
    _known: dict[int, str] = field(default_factory=dict, repr=False, compare=False)

    def name(self, user: User | None) -> str:
        """Return the name or pseudonym of a user; empty for None."""
        return self.of_id(user.pk, user.get_username()) if user else ""

    def of_id(self, key: int, username: str) -> str:
        """Return the name or pseudonym by primary key and user name."""
        if self.by_name:
            return username
        if key not in self._known:
            self._known[key] = pseudonym(self.project, key)
        return self._known[key]

    def order(self, user: User) -> str:
        """Return a sort key: sorting pseudonyms by user name would reveal some names."""
        return self.name(user).casefold()


def for_reader(member: Membership) -> Naming:
    return Naming(member.project, by_name=member.role == Membership.Role.MANAGER)


def pseudonym(project: Project, annotator_id: int) -> str:
    # It differs between projects, and reveals nothing without the secret key of the installation.
    # Releases draw separate names (annotation.models.Pseudonym).
    return "annotator-" + salted_hmac(SALT, f"{project.public_id} {annotator_id}").hexdigest()[:12]


def key_of(project: Project, name: str) -> int | None:
    """Return the primary key of the member with this pseudonym; None if there is none."""
    members = project.memberships.values_list("user_id", flat=True)
    return next((key for key in members if pseudonym(project, key) == name), None)
