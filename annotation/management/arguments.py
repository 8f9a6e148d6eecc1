"""Arguments of several commands."""

from django.core.management.base import CommandError

from annotation.models import Project


def project_named(name: str) -> Project:
    """Return the project of this name. Raises CommandError with the existing names."""
    try:
        return Project.objects.get(name=name)
    except Project.DoesNotExist:
        names = ", ".join(Project.objects.values_list("name", flat=True)) or "none yet"
        raise CommandError(f"There is no project {name!r}; there are: {names}.") from None


def size(text: str) -> int | float:
    """Parse a number of pairs such as 8000, or a share of them such as 0.1."""
    return float(text) if "." in text else int(text)
