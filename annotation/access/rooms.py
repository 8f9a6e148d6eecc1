"""Which pages a project has: those about a kind of work that it lacks are hidden and not found."""

from annotation.models import Project

# The first part of an address after the project, and the kind of work that its pages are about.
NEEDS = {
    **dict.fromkeys(["data", "pairs", "agreement", "models"], "judge"),
    **dict.fromkeys(["qualification", "qualify", "known"], "judge"),
    "translations": "translate",
}


def has(project: Project, path: str) -> bool:
    """Return whether a project has the page of this address."""
    room = path.partition(f"/{project.public_id}/")[2].partition("/")[0]
    return room not in NEEDS or NEEDS[room] in project.kinds
