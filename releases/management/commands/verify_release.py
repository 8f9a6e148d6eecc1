"""Verifies the files of a release against each other, without a database."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from common import commands
from common.display import plural
from generation import methods
from generation.errors import GenerationError
from releases.dataset.files import ReleaseKind, format_names
from releases.dataset.folders import unpack
from releases.dataset.manifest import MANIFEST, Manifest
from releases.dataset.reader import Difference, Unreadable, read_manifest
from releases.dataset.verification import VERIFIERS, verify

PUBLISHED = (
    "Its labels follow from published_label. Rows and splits were not compared with the published "
    "files: name these with --source."
)
PARTLY = (
    "Its ids, labels, splits and sides were not compared. Name the source release with --source."
)


class Command(commands.Command):
    """Exits with status 1 if anything differs."""

    help = "Recompute checksums, labels, splits and counts of a release from its files."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", type=Path, help="a folder, or the same as one .tar.gz")

        parser.add_argument("--source", type=Path, help="what was translated, ranked or imported")
        parser.add_argument(
            "--models", action="store_true", help="compare the models with those of this machine"
        )

    def handle(self, **options: Any) -> None:
        release: Path = options["release"]
        try:
            _refuse_source(release, options["source"])
            differences = verify(release, options["source"])
            if options["models"] and not differences:
                with unpack(release) as folder:
                    differences = model_differences(_manifest(folder))
        except Unreadable as error:
            raise CommandError(f"{error.difference.path} {error.difference.what}.") from error
        except OSError as error:
            raise CommandError(
                f"{error.filename or release} cannot be read: {error.strerror}."
            ) from error
        for difference in differences:
            self.stdout.write(str(difference))
        if differences:
            raise CommandError(f"{plural(len(differences), 'difference')} in {release}.")
        self.stdout.write(f"{release} is intact.")
        for note in _notes(release, source=options["source"], models=options["models"]):
            self.stdout.write(note)


def _notes(release: Path, *, source: Path | None, models: bool) -> Iterator[str]:
    """Yield what was not compared in an intact release, or how much was."""
    if models and (names := _names_elsewhere(release)):
        yield NOT_COMPARED.format(names=", ".join(names))
    if source is None and _is_of_kind(release, ReleaseKind.TRANSLATION):
        yield PARTLY
    if _is_of_kind(release, ReleaseKind.PUBLISHED):
        yield _rows_compared(release) if source else PUBLISHED


def _refuse_source(release: Path, source: Path | None) -> None:
    if source is None:
        return
    if not source.exists():
        raise CommandError(f"{source} does not exist. Correct --source.")
    if _is_of_kind(release, ReleaseKind.RELEASE):
        raise CommandError(
            f"{source} is not needed: a release of pairs that were judged has no source. Leave "
            "out --source."
        )


def _is_of_kind(release: Path, kind: ReleaseKind) -> bool:
    with unpack(release) as folder:
        return _manifest(folder)["format"] in format_names(kind)


def _names_elsewhere(release: Path) -> list[str]:
    with unpack(release) as folder:
        models = _manifest(folder)["models"]
    return sorted({model["name"] for model in models if _is_elsewhere(model)})


def _rows_compared(release: Path) -> str:
    """Return how many rows the verified release of a published set has."""
    with unpack(release) as folder:
        subsets = _manifest(folder)["counts"]["subsets"].values()
    rows = sum(numbers["pairs"] for splits in subsets for numbers in splits.values())
    return f"{plural(rows, 'row')} {'equals' if rows == 1 else 'equal'} the published files."


def _manifest(folder: Path) -> Manifest:
    return read_manifest(folder, *format_names(), *VERIFIERS)


# What the manifest says about a model besides its identity.
FURTHER = {"method", "part", "seed", "settings"}
NOT_COMPARED = (
    "Models on other servers were not compared: {names}. Their answers cannot be reproduced."
)


def model_differences(manifest: Manifest) -> list[Difference]:
    if manifest["format"] in VERIFIERS:
        raise CommandError(f"{manifest['format']} has no generator models: leave out --models.")
    models = [model for model in manifest["models"] if not _is_elsewhere(model)]
    reasons = ((model, _reason(model)) for model in models)
    return [
        Difference(MANIFEST, f"{model['method']}, {model['part']}: {reason}")
        for model, reason in reasons
        if reason
    ]


def _is_elsewhere(model: Mapping[str, str]) -> bool:
    """Return whether a model answered from another server."""
    return model.get("repeatable") == "false"


def _reason(model: Mapping[str, str]) -> str:
    """Return why a model is not as it is here; empty if it is, or ran elsewhere."""
    try:
        settings = json.loads(model["settings"])
        if "imported_from" in settings:
            return ""
        installed = methods.named(model["method"]).identify(settings).get(model["part"])
    except (GenerationError, KeyError, ValueError, TypeError) as error:
        return f"cannot be compared: {error}"
    identity = {name: value for name, value in model.items() if name not in FURTHER}
    return "" if installed == identity else f"is {identity} in the release, {installed} here"
