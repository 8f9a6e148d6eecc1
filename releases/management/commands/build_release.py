"""Freezes a version of a project's dataset and writes its files."""

import shutil
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation.errors import AnnotationError
from annotation.management.arguments import project_named, size
from annotation.models import Project
from common import commands
from common.failures import in_words
from releases import services as releases
from releases.management import metadata
from releases.models import Release
from releases.selectors.releases import folder_of


class Command(commands.Command):
    """An existing version is written again from its frozen rows, with the same bytes."""

    help = "Build a release: select its pairs, freeze them, and write and check its files."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        parser.add_argument("--release", required=True, metavar="VERSION")
        parser.add_argument("--output", type=Path, help="a new folder for a copy of the files")
        planned = parser.add_argument_group("what a new version holds")
        planned.add_argument("--seed", type=commands.seed)
        planned.add_argument("--dev", type=size, help="number of pairs, or a share such as 0.1")
        planned.add_argument("--test", type=size, help="number of pairs, or a share such as 0.1")
        planned.add_argument(
            "--paraphrase-share", type=float, help="downsample labeled_final to this share"
        )

        metadata.add_arguments(parser)

    def handle(self, **options: Any) -> None:
        project = project_named(options["project"])
        output: Path | None = options["output"]
        release = _wanted(project, options)
        with _empty(output):
            try:
                manifest = releases.build(release, output=output)
            except (AnnotationError, ValueError) as error:
                raise CommandError(str(error)) from error
            if output:
                _copy(release, output)
        for subset, splits in manifest["counts"]["subsets"].items():
            sizes = ", ".join(f"{name} {split['pairs']:,}" for name, split in splits.items())
            self.stdout.write(f"  {subset}: {sizes}")
        folder = output or folder_of(release)
        self.stdout.write(f"Release {release.version} of {project} is in {folder}")


@contextmanager
def _empty(output: Path | None) -> Iterator[None]:
    """Create the output folder and, if the block fails, remove it. Raises CommandError."""
    if output is None:
        yield
        return
    if output.exists() and not (output.is_dir() and not any(output.iterdir())):
        raise CommandError(f"{output} exists already. Name a new folder.")
    is_new = not output.exists()
    output.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        if is_new:
            shutil.rmtree(output, ignore_errors=True)
        raise


def _copy(release: Release, output: Path) -> None:
    try:
        releases.copy(release, output)
    except OSError as error:
        raise CommandError(
            f"{release} is frozen and its files are in {folder_of(release)}. They could not be "
            f"copied to {output}: {in_words(error)}"
        ) from error


def _wanted(project: Project, options: dict[str, Any]) -> Release:
    """Return the release of this version, unsaved if it is new. Raises CommandError."""
    names = ("seed", "dev", "test", "paraphrase_share")
    choices = {name: options[name] for name in names if options[name] is not None}
    if declared := metadata.given(options):
        choices["metadata"] = declared
    release = Release.objects.filter(project=project, version=options["release"]).first()
    if release is None:
        try:
            return releases.proposed(project, version=options["release"], **choices)
        except ValueError as error:
            raise CommandError(str(error)) from error
    if choices:
        raise CommandError(
            f"Version {release.version} exists with its own settings. Leave out "
            f"{', '.join(choices)} to write it again, or name a new version."
        )
    return release
