"""Makes a release of a set that others published, of their files."""

import re
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings as installation
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from annotation.errors import AnnotationError
from annotation.imports.tables import Shape
from annotation.management.arguments import managers_named
from common import commands, languages, licences
from common.display import plural
from releases.dataset.facts import ReleaseFacts
from releases.dataset.metadata import Metadata, parse_bibtex, parse_web_address
from releases.dataset.published import stated
from releases.dataset.published.archives import unpacked
from releases.dataset.published.columns import ROLES
from releases.dataset.published.counts import Counts, in_words
from releases.dataset.published.findings import counts_of
from releases.dataset.published.layout import SetFile, read_layout
from releases.dataset.published.reading import PublishedSet, read_set
from releases.dataset.published.settings import Choices, PublishedSettings, Source, UnusableSet
from releases.dataset.published.writer import write_published
from releases.dataset.rows import SPLITS
from releases.management.arguments import add_documentation_argument, read_documentation
from releases.models import VERSION
from releases.selectors.releases import folder_of
from releases.services import builds, published

SHOWN = 3
SEPARATORS = {"\t": "tabs", ",": "commas", ";": "semicolons"}


class Command(commands.Command):
    """Whatever the files do not say is an error that names the option."""

    help = "Make a release of a published set of labelled pairs, of its files."
    requires_system_checks: list[str] = []

    def create_parser(self, prog_name: str, subcommand: str, **options: Any) -> Any:
        """Let --version be that of the set: all commands have one, of Django."""
        return super().create_parser(prog_name, subcommand, conflict_handler="resolve", **options)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "paths", nargs="+", type=Path, metavar="PATH", help="files, a folder, .zip or .tar.gz"
        )
        parser.add_argument("--name", required=True)
        parser.add_argument("--licence", required=True, help="SPDX, or as its publishers say")
        parser.add_argument("--language", required=True, help="a tag such as en")
        parser.add_argument(
            "--citation", required=True, metavar="TEXT", help="how to cite it, or a file .bib"
        )
        parser.add_argument("--version", default="1.0", dest="set_version", metavar="VERSION")
        parser.add_argument("--address", default="", metavar="URL", help="where it is published")
        add_documentation_argument(parser)
        output = parser.add_mutually_exclusive_group()
        output.add_argument("--plan", action="store_true", help="show it, and write nothing")
        output.add_argument(
            "--out", type=Path, metavar="DIR", help="a new folder; without it, a project holds it"
        )
        parser.add_argument(
            "--manager", help="user name of its manager; default: all administrators"
        )
        _add_choices(parser.add_argument_group("what the files do not say"))

    def handle(self, **options: Any) -> None:
        try:
            facts, choices = _facts(options), _choices(options)
            with unpacked(options["paths"]) as paths:
                files = read_layout(paths, choices)
                published_set = read_set(files, choices, name=facts.name, version=facts.version)
                if not (options["plan"] or options["out"]):
                    self._build(files, choices, facts, options)
                    return
            if options["plan"]:
                for line in _plan(published_set, facts.language):
                    self.stdout.write(line)
                return
            source = Source(options["address"], facts.citation, facts.licence)
            write_published(options["out"], published_set, facts=facts, source=source)
        except UnusableSet as error:
            raise CommandError(str(error)) from error
        pairs = plural(len(published_set.pairs), "pair")
        self.stdout.write(f"{options['out']} has {pairs}, published elsewhere.")
        for line in _unused_columns(published_set):
            self.stdout.write(line)

    def _build(
        self,
        files: Sequence[SetFile],
        choices: Choices,
        facts: ReleaseFacts,
        options: Mapping[str, Any],
    ) -> None:
        """Build a release in the project of the set. Raises CommandError."""
        managers, metadata = managers_named(options["manager"]), _metadata(facts, options)
        try:
            project = published.project_for(facts.name, managers=managers)
            release = published.propose_version(
                project, files, choices, version=facts.version, metadata=metadata
            )
            builds.build(release)
        except (AnnotationError, ValidationError, ValueError) as error:
            raise CommandError("; ".join(getattr(error, "messages", [str(error)]))) from error
        pairs = plural(release.examples.count(), "pair")
        self.stdout.write(f"{release} has {pairs}, published elsewhere: {folder_of(release)}")


def _add_choices(group: Any) -> None:
    group.add_argument("--config", default="", help="of the README.md of a folder")
    group.add_argument(
        "--split",
        action="append",
        type=stated.parse_split,
        default=[],
        metavar="dev=FILE",
        dest="files",
    )
    group.add_argument(
        "--columns",
        type=stated.parse_named,
        default={},
        metavar="ROLE=NAME,...",
        help="or its number; - none",
    )
    group.add_argument(
        "--labels", type=stated.parse_labels, default={}, metavar="NAME=1,NAME=0,..."
    )
    group.add_argument("--paraphrase-from", type=stated.parse_number, metavar="NUMBER")
    group.add_argument(
        "--votes",
        type=stated.parse_votes,
        metavar="YES,NO",
        help="as many make a paraphrase, as many none",
    )
    group.add_argument("--draw", type=stated.parse_sizes, default={}, metavar="dev=SIZE,test=SIZE")
    group.add_argument("--seed", type=commands.seed, default=0, help="of --draw")
    group.add_argument(
        "--synthetic", choices=("yes", "no"), help="whether machines wrote sentences"
    )
    group.add_argument("--accept-refused", action="store_true", help="leave out refused lines")


def _choices(options: Mapping[str, Any]) -> Choices:
    """Return what people state where the files do not say it. Raises CommandError."""
    names = ("config", "columns", "labels", "paraphrase_from", "votes", "draw", "seed", "language")
    try:
        files = stated.splits_by_file(options["files"])
    except ArgumentTypeError as error:
        raise CommandError(f"--split: {error}.") from error
    return Choices(
        **{name: options[name] for name in names},
        files=files,
        accepts_refused=options["accept_refused"],
        is_synthetic={"yes": True, "no": False}.get(options["synthetic"]),
    )


def _facts(options: Mapping[str, Any]) -> ReleaseFacts:
    """Return what people state of a set. Raises CommandError."""
    for option in ("name", "licence", "citation"):
        if not options[option].strip():
            raise CommandError(f"--{option} is empty. State what the publishers of the set say.")
    version, citation, licence = options["set_version"], options["citation"], options["licence"]
    if not re.fullmatch(VERSION, version):
        raise CommandError(
            f"--version {version}: use letters, digits, and . _ + - between them, such as 1.0."
        )
    try:
        if options["address"]:
            parse_web_address(options["address"])
        if citation.endswith(".bib"):
            citation = parse_bibtex(Path(citation).read_text(encoding="utf-8").strip())
    except ValueError as error:
        raise CommandError(f"{error}.") from error
    except OSError as error:
        raise CommandError(f"--citation {citation} cannot be read: {error.strerror}.") from error
    return ReleaseFacts(
        name=options["name"],
        version=version,
        created=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        software_version=installation.VERSION,
        language=_language(options["language"]),
        licence=licences.as_spdx(licence),
        citation=citation,
        metadata=Metadata(documentation=read_documentation(options["documentation"])),
    )


def _language(text: str) -> str:
    """Return the tag of a language. Raises CommandError."""
    try:
        return languages.understand(text)
    except ValueError as error:
        raise CommandError(
            f"--language {text} is no language. Write its tag, such as de or pt-BR."
        ) from error


def _metadata(facts: ReleaseFacts, options: Mapping[str, Any]) -> Metadata:
    is_bibtex = options["citation"].endswith(".bib")
    return replace(
        facts.metadata or Metadata(),
        licence=facts.licence,
        citation="" if is_bibtex else facts.citation,
        bibtex=facts.citation if is_bibtex else "",
        languages=(facts.language,),
        homepage=options["address"],
    )


def _plan(published_set: PublishedSet, language: str) -> Iterator[str]:
    settings = published_set.settings
    yield from _files(settings)
    yield f"Columns: {', '.join(f'{role} = {name}' for role, name in settings.columns.items())}"
    yield from _unused_columns(published_set)
    decisive = settings.columns.get(settings.decides, settings.decides)
    yield f"Labels: column {decisive}, read as {settings.form}"
    if settings.paraphrase_from is not None:
        yield f"A paraphrase is from {settings.paraphrase_from:g} on."
    for split in SPLITS:
        pairs = [pair for pair in published_set.pairs if pair.split == split]
        for pair in pairs[:SHOWN]:
            yield f"{split}: {pair.label} | {pair.text1} | {pair.text2} | {pair.published_label}"
    yield from _counts(counts_of(published_set.pairs, language) | published_set.counts.to_dict())
    yield from _refused(published_set.counts)


def _unused_columns(published_set: PublishedSet) -> Iterator[str]:
    if columns := published_set.unused:
        roles = [role for role in ROLES if role not in published_set.settings.columns]
        yield (
            f"Not used: column {', column '.join(columns)}. Say --columns ROLE={columns[0]} if one "
            f"is {', '.join(roles[:-1])} or {roles[-1]}."
        )


def _counts(counts: Mapping[str, Any]) -> Iterator[str]:
    for subset, splits in counts["subsets"].items():
        for split, numbers in splits.items():
            if numbers["pairs"]:
                pairs_of_split = plural(numbers["pairs"], "pair")
                yield f"{subset}, {split}: {pairs_of_split}, {numbers['paraphrases']:,} positive"
    for name in ("changed", "refused", "left_out", "splits_without_labels", "findings"):
        if counts[name]:
            yield f"{name.replace('_', ' ').capitalize()}: {_in_words(counts[name])}"


def _refused(counts: Counts) -> Iterator[str]:
    """Yield the first lines that were refused for each reason."""
    for reason, lines in counts.lines.items():
        places = ", ".join(f"{file} {line}" for file, line in lines)
        more = ", ..." if counts.refused[reason] > len(lines) else ""
        yield f"Refused for {in_words(reason)}: {places}{more}"


def _files(settings: PublishedSettings) -> Iterator[str]:
    for file in settings.files:
        split = file.split or "no split of its own"
        yield f"{file.name}: {split}, {plural(file.rows, 'row')}, {_how(file.layout)}"


def _how(layout: Mapping[str, Any]) -> str:
    """Return how a table is read."""
    if layout["shape"] != Shape.CSV:
        return str(layout["shape"])
    header = "with" if layout["has_header"] else "without"
    quoted = ", cells in quotation marks" if layout.get("quoted") else ""
    separator = SEPARATORS.get(layout["delimiter"], layout["delimiter"])
    return f"cells between {separator}, {header} column names, {layout['encoding']}{quoted}"


def _in_words(counts: Any) -> str:
    if not isinstance(counts, Mapping):
        return ", ".join(counts)
    parts = (
        f"{name} ({_in_words(value)})" if isinstance(value, Mapping) else f"{name} {value:,}"
        for name, value in counts.items()
        if value
    )
    return ", ".join(parts) or "none"
