"""Which pages a project has: those about a kind of work that it lacks are hidden and not found."""

from annotation.models import Project

JUDGE, TRANSLATE = frozenset({"judge"}), frozenset({"translate"})
# The first part of an address after the project, and the kinds of work that its pages are about.
NEEDS = {
    **dict.fromkeys(["data", "pairs", "agreement", "models"], JUDGE),
    **dict.fromkeys(["qualification", "qualify", "known"], JUDGE),
    **dict.fromkeys(["generation", "releases"], JUDGE | TRANSLATE),
    "translations": TRANSLATE,
}


def has(project: Project, path: str) -> bool:
    """Return whether a project has the page of this address."""
    room = path.partition(f"/{project.public_id}/")[2].partition("/")[0]
    return room not in NEEDS or not NEEDS[room].isdisjoint(project.kinds)
