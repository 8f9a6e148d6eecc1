"""Imports pairs that were translated elsewhere into a translation study, or only audits them."""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from accounts.models import User
from annotation.errors import AnnotationError, Refused
from annotation.imports.detection import Field
from annotation.imports.lines import open_file
from annotation.management.arguments import add_file, open_file_of, project_named
from annotation.models import Project
from annotation.translations.services import studies
from common import commands
from common.display import readable
from releases.dataset.reader import Unreadable
from releases.dataset.translated.imported import (
    COLUMNS,
    LABEL,
    Audit,
    audit,
    pairs_of_lines,
    pairs_of_release,
    read_lines,
    translations,
)
from releases.dataset.translated.rows import Pair
from releases.translations import selectors

MOST_NAMED = 50
FIELDS = (*(Field(name, is_required=True) for name in COLUMNS), Field(LABEL))


class Command(commands.Command):
    """Lines that cannot be used are named and left out; an unreadable file stops the import."""

    help = (
        "Read translated pairs (csv, tsv, jsonl or xlsx: id, sentence1, sentence2 and perhaps "
        "label), compare them with the pairs that they translate, and store the translations in a "
        "project."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_file(parser)
        parser.add_argument("--project", help="a translation study; default: none, only compare")
        parser.add_argument(
            "--translator",
            metavar="USERNAME",
            help="the account that stands for whoever translated; it must be in the project",
        )
        parser.add_argument(
            "--source",
            type=Path,
            help="a release (its folder or .tar.gz), or a file of the same pairs in their own "
            "language, whose ids the file has; default: the pairs of the project",
        )

    def handle(self, **options: Any) -> None:
        project = project_named(options["project"]) if options["project"] else None
        translator = _find_translator(project, options["translator"])
        source = _read_source(options["source"], project)
        with open_file_of(self, options, FIELDS, what="translated pairs") as file:
            audited = audit(read_lines(file.lines), source)
        for line in report(audited):
            self.stdout.write(line)
        if project and translator:
            self.stdout.write(_store(project, translator, audited, source))


def _find_translator(project: Project | None, username: str | None) -> User | None:
    if project is None:
        return None
    user = User.objects.filter(username=username or "").first()
    if user is None:
        raise CommandError("Name the account of who translated: --translator USERNAME.")
    return user


def _read_source(path: Path | None, project: Project | None) -> Mapping[str, Pair]:
    if path is None and project is None:
        raise CommandError("Name a --project, or the --source to compare with.")
    if path is None:
        return selectors.source_pairs(project) if project else {}
    try:
        if path.is_dir() or path.name.endswith(".tar.gz"):
            return pairs_of_release(path)
        with open_file(path, FIELDS) as file:
            return pairs_of_lines(read_lines(file.lines))
    except (OSError, ValueError, Unreadable) as error:
        raise CommandError(f"The source {path} cannot be read: {error}") from error


def report(audited: Audit) -> Iterator[str]:
    """Yield what came of the lines, and name those with a fault."""
    yield f"{len(audited.pairs):,} of {audited.lines:,} lines can be used."
    reasons = Counter(line.reason for line in audited.refused)
    for reason, count in reasons.most_common():
        yield f"  {count:,} refused: {readable(reason)}"
    yield from _name_first(
        f"  line {line.line}: {readable(line.reason)}{line.detail and f', {line.detail}'}"
        for line in audited.refused
    )
    yield f"Texts that may only say that there is no translation: {len(audited.suspects):,}."
    yield from _name_first(
        f"  {pair.id}: {pair.sentence1} | {pair.sentence2}" for pair in audited.suspects
    )
    wrong = len(audited.wrong_labels)
    yield f"Labels unlike the source's, which count; also of refused lines: {wrong:,}."
    yield from _name_first(
        f"  line {line.line}, {line.id}: {line.given} instead of {line.source}"
        for line in audited.wrong_labels
    )
    collapsed = len(audited.collapsed)
    negatives = f"of them labelled 0: {len(audited.collapsed_negatives):,}"
    yield f"Pairs with two equal translations: {collapsed:,}; {negatives}."
    yield from _name_first(
        f"  {pair.id}, label {pair.label}: {pair.sentence1}" for pair in audited.collapsed
    )


def _name_first(lines: Iterable[str]) -> Iterator[str]:
    every = list(lines)
    yield from every[:MOST_NAMED]
    if len(every) > MOST_NAMED:
        yield f"  and {len(every) - MOST_NAMED:,} more"


def _store(project: Project, translator: User, audited: Audit, source: Mapping[str, Pair]) -> str:
    texts, different_pairs = translations(audited.pairs, source)
    try:
        report = studies.store_translations(project, texts, translator=translator)
    except (Refused, AnnotationError) as error:
        raise CommandError(str(error)) from error
    note = (
        f" {len(different_pairs):,} pairs have another translation of a sentence than an earlier "
        "pair; the first one counts."
    )
    return (
        f"{report.added:,} sentences of {project} translated, {report.to_validate:,} of these wait "
        f"for validation; {report.left:,} not stored, as they are not waiting for a translation."
        f"{note if different_pairs else ''}"
    )
