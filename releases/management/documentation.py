"""A YAML file about a dataset as an argument of commands."""

from argparse import _ActionsContainer
from pathlib import Path

from django.core.management.base import CommandError

from releases.dataset.documentation import Documentation, parse_yaml


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
