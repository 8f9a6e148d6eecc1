"""Arguments of commands: releases, and YAML files about datasets."""

from argparse import _ActionsContainer
from pathlib import Path

from django.core.management.base import CommandError

from annotation.management.arguments import project_named
from releases.dataset.documentation import Documentation, parse_yaml
from releases.models import Release

MOST_LISTED = 20


def add_documentation_argument(parser: _ActionsContainer) -> None:
    parser.add_argument(
        "--documentation",
        type=Path,
        metavar="FILE.yaml",
        help="its purpose, limitations, uses and so on: see Help, Publishing a dataset, Build",
    )


def read_documentation(path: Path | None) -> Documentation:
    """Return what a file declares, or nothing without one. Raises CommandError."""
    if path is None:
        return Documentation()
    try:
        return parse_yaml(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CommandError(f"{path}: {error}.") from error


def release_named(version: str, project: str | None) -> Release:
    """Return the frozen release of this version. Raises CommandError with those that exist."""
    frozen = Release.objects.filter(state=Release.State.FROZEN).select_related("project")
    if project is not None:
        frozen = frozen.filter(project=project_named(project))
    match list(frozen.filter(version=version)[:2]):
        case [only]:
            return only
        case []:
            names = [
                f"{release.version} of {release.project}" for release in frozen[: MOST_LISTED + 1]
            ]
            listed = ", ".join(names[:MOST_LISTED]) or "none yet"
            ellipsis = ", …" if len(names) > MOST_LISTED else ""
            raise CommandError(
                f"There is no frozen release {version}; there are: {listed}{ellipsis}."
            )
    raise CommandError(f"Several projects have a release {version}: name the --project.")
