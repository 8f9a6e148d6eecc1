"""Freezes a version of a project's dataset and writes its files."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from annotation.errors import AnnotationError
from annotation.management.arguments import project_named, size
from annotation.models import Project
from common import commands
from releases import services as releases
from releases.models import Release
from releases.selectors.releases import folder_of


class Command(commands.Command):
    """An existing version is written again from its frozen rows, with the same bytes."""

    help = "Build a release: decide what it holds, freeze that, and write and check its files."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        parser.add_argument("--release", required=True, metavar="VERSION")
        parser.add_argument("--output", type=Path, help="a new folder; default: the release's own")
        planned = parser.add_argument_group("what a new version holds")
        planned.add_argument("--seed", type=commands.seed)
        planned.add_argument("--dev", type=size, help="number of pairs, or a share such as 0.1")
        planned.add_argument("--test", type=size, help="number of pairs, or a share such as 0.1")
        planned.add_argument(
            "--paraphrase-share", type=float, help="downsample labeled_final to this share"
        )

    def handle(self, **options: Any) -> None:
        project = project_named(options["project"])
        folder: Path | None = options["output"]
        try:
            release = _frozen(project, options)
            manifest = releases.write(release, folder) if folder else releases.publish(release)
        except (AnnotationError, FileExistsError, ValidationError, ValueError) as error:
            raise CommandError("; ".join(getattr(error, "messages", [str(error)]))) from error
        folder = folder or folder_of(release)
        for subset, splits in manifest["counts"]["subsets"].items():
            sizes = ", ".join(f"{name} {split['pairs']:,}" for name, split in splits.items())
            self.stdout.write(f"  {subset}: {sizes}")
        self.stdout.write(f"Release {release.version} of {project} is in {folder}")


def _frozen(project: Project, options: dict[str, Any]) -> Release:
    """Return the release of this version, freezing it if needed. Raises ValidationError."""
    names = ("seed", "dev", "test", "paraphrase_share")
    choices = {name: options[name] for name in names if options[name] is not None}
    release = Release.objects.filter(project=project, version=options["release"]).first()
    if release is None:
        return releases.freeze(project, version=options["release"], **choices)
    if choices:
        raise ValidationError("This version is there; its settings are not chosen here.")
    if release.state == Release.State.BUILDING:
        raise ValidationError("A worker is building this version now.")
    if release.frozen_at is None or release.state == Release.State.FAILED:
        releases.freeze_draft(release)
    return release
