"""Freezes a version of a project's dataset and writes its files."""

import shutil
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from annotation.errors import AnnotationError
from annotation.management.arguments import project_named, size
from annotation.models import Project
from common import commands
from common.display import plural
from common.failures import in_words
from releases.dataset.metadata import Metadata, parse_metadata
from releases.management.arguments import add_documentation_argument, read_documentation
from releases.models import Release
from releases.selectors import study
from releases.selectors.published import missing_of
from releases.selectors.releases import folder_of
from releases.services import builds, frozen, publication

WHO_ASKS = (
    "Croissant 1.1 requires authors and a home page, and the NeurIPS 2026 Evaluations & Datasets "
    "track checks the other fields. --author, --homepage and --documentation state them in the "
    "next version."
)
FIELDS = [field.name for field in fields(Metadata)]


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
        planned.add_argument(
            "--skill",
            action="store_true",
            default=None,
            help="add the labels of the annotator model (fit_skill)",
        )
        planned.add_argument(
            "--hard-for",
            metavar="MODEL",
            help="only pairs that this model (NAME, or NAME REVISION) labels otherwise than people",
        )
        planned.add_argument(
            "--reasons",
            action="store_true",
            default=None,
            help="add the reasons that people gave to judgments.jsonl",
        )
        planned.add_argument(
            "--accept-errors",
            action="store_true",
            default=None,
            dest="accepts_errors",
            help="of translations: whether or not they are validated, with any word error rate",
        )

        add_arguments(parser)

    def handle(self, **options: Any) -> None:
        project = project_named(options["project"])
        output: Path | None = options["output"]
        release = _find_or_propose(project, options)
        self._say_what_waits(release)
        with _new_output_folder(output):
            try:
                manifest = builds.build(release, output=output)
            except (AnnotationError, ValueError) as error:
                raise CommandError(str(error)) from error
            if output:
                _copy(release, output)
        for subset, splits in manifest["counts"]["subsets"].items():
            sizes = ", ".join(f"{name} {split['pairs']:,}" for name, split in splits.items())
            self.stdout.write(f"  {subset}: {sizes}")
        folder = output or folder_of(release)
        self.stdout.write(f"Release {release.version} of {project} is in {folder}")
        if missing := missing_of(release):
            self.stdout.write(f"Not stated: {', '.join(missing)}. {WHO_ASKS}")

    def _say_what_waits(self, release: Release) -> None:
        waiting = study.waiting_pairs(release.project) if release.frozen_at is None else 0
        if waiting:
            verbs = "waits for answers and is" if waiting == 1 else "wait for answers and are"
            self.stdout.write(f"{plural(waiting, 'pair')} {verbs} not in this release.")


@contextmanager
def _new_output_folder(output: Path | None) -> Iterator[None]:
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
        publication.copy_files(release, output)
    except OSError as error:
        raise CommandError(
            f"{release} is frozen and its files are in {folder_of(release)}. They could not be "
            f"copied to {output}: {in_words(error)}"
        ) from error


def _find_or_propose(project: Project, options: dict[str, Any]) -> Release:
    """Return the release of this version, unsaved if it is new. Raises CommandError."""
    names = (
        *("seed", "dev", "test", "paraphrase_share", "skill", "hard_for", "reasons"),
        "accepts_errors",
    )
    choices = {name: options[name] for name in names if options[name] is not None}
    if declared := metadata_from(options):
        choices["metadata"] = declared
    release = Release.objects.filter(project=project, version=options["release"]).first()
    if release is None:
        try:
            return frozen.propose_release(project, version=options["release"], **choices)
        except ValueError as error:
            raise CommandError(str(error)) from error
    if choices:
        raise CommandError(
            f"Version {release.version} exists with its own settings. Leave out "
            f"{', '.join(choices)} to write it again, or name a new version."
        )
    return release


def add_arguments(parser: ArgumentParser) -> None:
    about = parser.add_argument_group("its licence and citation")
    about.add_argument("--licence", metavar="SPDX", help="such as CC-BY-4.0")
    about.add_argument(
        "--author",
        action="append",
        dest="authors",
        metavar="AUTHOR",
        help='"Family name, given names; ORCID; affiliation", once for each author',
    )
    about.add_argument(
        "--language", action="append", dest="languages", metavar="TAG", help="such as en"
    )
    about.add_argument("--homepage", metavar="URL")
    about.add_argument("--citation", help="one sentence; default: created from the authors")
    about.add_argument("--bibtex", type=Path, metavar="FILE", help="a file with one BibTeX entry")
    add_documentation_argument(about)


def metadata_from(options: Mapping[str, Any]) -> Metadata | None:
    """Return what was given, None if nothing was. Raises CommandError."""
    values = {name: options[name] for name in FIELDS if options[name] is not None}
    if not values:
        return None
    documentation = read_documentation(options["documentation"])
    try:
        if "bibtex" in values:
            values["bibtex"] = values["bibtex"].read_text(encoding="utf-8")
        values["authors"] = [_author(text) for text in values.get("authors", ())]
        return replace(parse_metadata(values), documentation=documentation)
    except (OSError, ValueError) as error:
        raise CommandError(f"{str(error)[:1].upper()}{str(error)[1:]}.") from error


def _author(text: str) -> dict[str, str]:
    """Split an author. Raises ValueError."""
    parts = [part.strip() for part in text.split(";")]
    if len(parts) > 3:
        raise ValueError(
            f"{text} is not a name, an ORCID and an affiliation, divided by semicolons"
        )
    return dict(zip(("name", "orcid", "affiliation"), parts, strict=False))
