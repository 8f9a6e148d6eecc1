"""A study in which everything has happened once: what endpoints and admin pages are tried on."""

from dataclasses import dataclass

from accounts.models import User
from annotation.models import Membership, Project, SentencePair
from annotation.projects.services import projects
from releases.models import Release
from releases.selectors.releases import folder_of
from releases.services import publication
from support.studies import freeze_version
from tests.annotation import judged, make


@dataclass(frozen=True)
class Filled:
    """A study with one corrected and decided pair, one open pair, and a release."""

    project: Project
    corrector: Membership
    judges: list[Membership]
    decided: SentencePair
    open: SentencePair
    release: Release


def filled() -> Filled:
    """Make it, with the release's files."""
    project = make.study(description="Swapped words")
    make.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
    corrector = make.person(project)
    make.correct_next(corrector, "fix", "Bo met Ada once.")
    judges = judged.all_that_is_open(project, [1, 0, 0, 0, 0])
    make.pairs(project, 1)
    release = freeze_version(project, version="1.0", dev=0, test=0)
    publication.write_files(release, folder_of(release))
    decided, undecided = SentencePair.objects.filter(project=project).order_by("pk")
    return Filled(project, corrector, judges, decided, undecided, release)


def person(role: str, project: Project) -> User | None:
    """A person with this role towards the project; None for one who is not signed in."""
    if role == "anonymous":
        return None
    if role == "superuser":
        return User.objects.create_superuser("root")
    user = User.objects.create_user(role)
    if role in Membership.Role.values:
        projects.add_member(project, user, role=Membership.Role(role), kinds=project.kinds)
    return user
