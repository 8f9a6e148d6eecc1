"""Verifies the files of a release against each other, without a database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from common import commands
from common.display import plural
from releases.dataset.formats import FORMATS
from releases.dataset.manifest import Manifest
from releases.dataset.reader import Difference, Unreadable, read_manifest, unpacked
from releases.dataset.translated.files import FORMAT as TRANSLATION
from releases.dataset.verification import VERIFIERS, verify
from releases.selectors import models

PARTLY = (
    "Its ids, labels, splits and sides were not compared. Name the source release with --source."
)


class Command(commands.Command):
    """Exits with status 1 if anything differs."""

    help = "Recompute checksums, labels, splits and counts of a release from its files."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", type=Path, help="a folder, or the same as one .tar.gz")

        parser.add_argument("--source", type=Path, help="the release that was translated or ranked")
        parser.add_argument(
            "--models", action="store_true", help="compare the models with those of this machine"
        )

    def handle(self, **options: Any) -> None:
        release: Path = options["release"]
        try:
            differences = verify(release, options["source"])
            if options["models"] and not differences:
                with unpacked(release) as folder:
                    differences = _model_differences(_manifest(folder))
        except Unreadable as error:
            raise CommandError(f"{error.difference.path} {error.difference.what}.") from error
        except OSError as error:
            raise CommandError(f"{release} cannot be read: {error.strerror}.") from error
        for difference in differences:
            self.stdout.write(str(difference))
        if differences:
            raise CommandError(f"{plural(len(differences), 'difference')} in {release}.")
        self.stdout.write(f"{release} is intact.")
        if options["source"] is None and _is_translation(release):
            self.stdout.write(PARTLY)


def _model_differences(manifest: Manifest) -> list[Difference]:
    if manifest["format"] in VERIFIERS:
        raise CommandError(f"{manifest['format']} has no generator models: leave out --models.")
    return list(models.differences(manifest))


def _is_translation(release: Path) -> bool:
    with unpacked(release) as folder:
        return bool(_manifest(folder)["format"] == TRANSLATION)


def _manifest(folder: Path) -> Manifest:
    return read_manifest(folder, *FORMATS, *VERIFIERS)
