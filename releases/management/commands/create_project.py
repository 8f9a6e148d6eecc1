"""Creates a project with a preset or a named protocol."""

import json
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from accounts.models import User
from annotation.errors import Refused
from annotation.management.arguments import managers_named
from annotation.models import Project
from annotation.projects.protocols import PRESETS, PROTOCOLS
from annotation.projects.services import projects
from annotation.stats.labels import Scheme
from common import commands
from common.display import plural
from common.program import PROGRAM
from releases.management.arguments import release_named
from releases.translations import services as translations

TRANSLATION = "translation"
TRAIN = (
    "{number} of train: in the corpus “{corpus}”, for a machine to translate. See "
    "docs/researcher/translation.md."
)
NO_LABELS = (
    "The preset {preset} has no labels of its own. Name a file with yours, --scheme FILE.json; "
    "docs/manager/labels.md shows one."
)
NO_MANAGER = (
    "No one can open it yet, because there is no administrator. Create one with "
    f"`{PROGRAM} first_administrator`: it prints a link to choose a password. Then add members in "
    "the administration."
)


class Command(commands.Command):
    """The settings of the protocol can be changed until the project has candidates or pairs."""

    help = "Create a project with a protocol: how many people judge each pair, how many must agree."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        settings = parser.add_mutually_exclusive_group()
        settings.add_argument("--protocol", choices=[*PROTOCOLS, TRANSLATION], default="paws")
        settings.add_argument(
            "--preset",
            choices=list(PRESETS),
            help="protocol, corrected methods, guidelines and examples, as on the page New project",
        )
        parser.add_argument(
            "--scheme",
            type=Path,
            help="a JSON file: labels with value and name, level, rule, and border, directed or "
            "captions; replaces the labels of the protocol",
        )
        parser.add_argument(
            "--guidelines", type=Path, help="a Markdown file; replaces those of the preset"
        )
        text = "ask one more person at a time, up to this number in all, where too few agree"
        parser.add_argument("--judgments-at-most", type=commands.at_least_one, help=text)
        parser.add_argument("--seed", type=commands.seed, default=0)
        translation = parser.add_argument_group("for --protocol translation")
        translation.add_argument("--release", metavar="VERSION", help="whose dev and test to use")
        translation.add_argument("--project", "--of", help="that has the release")
        translation.add_argument("--language", help="to translate into (BCP 47), such as de")
        share = "share of translations to validate; default: 0.1"
        translation.add_argument("--validated-share", type=commands.share, default=0.1, help=share)
        for split in ("dev", "test"):
            text = f"pairs of {split}, in whole families; default: all"
            translation.add_argument(f"--{split}", type=commands.at_least_one, help=text)
        parser.add_argument(
            "--manager", help="user name of its manager; default: all administrators"
        )

    def handle(self, **options: Any) -> None:
        managers = managers_named(options["manager"])
        make = _create_translation if options["protocol"] == TRANSLATION else _create_project
        project = make(options, managers)
        self.stdout.write(f"Created the project {project}: /projects/{project.public_id}/")
        if options["protocol"] == TRANSLATION:
            pairs, sentences = project.translated_pairs.count(), project.items.count()
            self.stdout.write(f"To translate: {sentences:,} sentences of {pairs:,} pairs.")
            if train := project.translation_source.train:
                number = plural(train.sentence_set.count(), "sentence")
                self.stdout.write(TRAIN.format(number=number, corpus=train))
        names = ", ".join(manager.username for manager in managers)
        self.stdout.write(f"Managers: {names}." if names else NO_MANAGER)


def _create_project(options: dict[str, Any], managers: Sequence[User]) -> Project:
    preset = PRESETS[options["preset"]] if options["preset"] else None
    if preset and not preset.has_labels and not options["scheme"]:
        raise CommandError(NO_LABELS.format(preset=preset.name))
    settings = dict(preset.settings) if preset else {}
    if options["scheme"]:
        settings["scheme"] = _read_scheme(options["scheme"])
    if options["guidelines"]:
        settings["guidelines"] = options["guidelines"].read_text()
    settings |= {name: options[name] for name in ("protocol", "seed")}
    if options["judgments_at_most"]:
        settings["judgments_at_most"] = options["judgments_at_most"]
    try:
        return projects.create(options["name"], managers=managers, **settings)
    except ValidationError as error:
        raise CommandError("; ".join(error.messages)) from error


def _read_scheme(path: Path) -> Scheme:
    """Return the scheme of a file. Raises CommandError."""
    try:
        return Scheme.from_dict(json.loads(path.read_text(encoding="utf-8")))
    except ValueError as error:  # BadScheme, JSON that is none, or other bytes than UTF-8
        raise CommandError(f"{path}: {error}") from error


def _create_translation(options: dict[str, Any], managers: Sequence[User]) -> Project:
    """Create a translation study. Raises CommandError."""
    if not options["release"] or not options["language"]:
        raise CommandError("A translation needs --release and --language.")
    release = release_named(options["release"], options["project"])
    numbers = {
        name: options[name] for name in ("language", "dev", "test", "seed", "validated_share")
    }
    try:
        return translations.create(release, name=options["name"], managers=managers, **numbers)
    except (Refused, ValidationError) as error:
        raise CommandError("; ".join(getattr(error, "messages", [str(error)]))) from error
