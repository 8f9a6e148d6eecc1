"""Imports pairs that were translated elsewhere into a translation study, or only audits them."""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from accounts.models import User
from annotation.errors import AnnotationError, Refused
from annotation.management.arguments import add_file, lines_of, project_named
from annotation.models import Project
from annotation.translations.services import imported as service
from common import commands
from common.display import readable
from generation.records import UnreadableFile
from releases.dataset.reader import Unreadable
from releases.dataset.translated.imported import (
    Audit,
    audit,
    read_lines,
    source_pairs,
    translations,
)
from releases.dataset.translated.rows import Pair
from releases.selectors import translations as selectors

MOST_NAMED = 50


class Command(commands.Command):
    """Lines that cannot be used are named and left out; an unreadable file stops the import."""

    help = (
        "Read translated pairs (tsv or jsonl: id, sentence1, sentence2 and perhaps label), compare "
        "them with the pairs that they translate, and store the translations in a project."
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
            help="a release (its folder or .tar.gz), or a tsv file of the same pairs in their own "
            "language, whose ids the file has; default: the pairs of the project",
        )

    def handle(self, **options: Any) -> None:
        """Compare the file with its source, store its translations, and print both reports."""
        project = project_named(options["project"]) if options["project"] else None
        translator = _translator(project, options["translator"])
        source = _source(options["source"], project)
        with lines_of(options, read_lines, what="translated pairs") as lines:
            found = audit(lines, source)
        for line in report(found):
            self.stdout.write(line)
        if project and translator:
            self.stdout.write(_stored(project, translator, found, source))


def _translator(project: Project | None, username: str | None) -> User | None:
    if project is None:
        return None
    found = User.objects.filter(username=username or "").first()
    if found is None:
        raise CommandError("Name the account of who translated: --translator USERNAME.")
    return found


def _source(path: Path | None, project: Project | None) -> Mapping[str, Pair]:
    if path is None and project is None:
        raise CommandError("Name a --project, or the --source to compare with.")
    if path is None:
        return selectors.source_pairs(project) if project else {}
    try:
        return source_pairs(path)
    except (OSError, UnreadableFile, Unreadable) as error:
        raise CommandError(f"The source {path} cannot be read: {error}") from error


def report(found: Audit) -> Iterator[str]:
    """Yield what came of the lines, and name those with a fault."""
    yield f"{len(found.pairs):,} of {found.lines:,} lines can be used."
    reasons = Counter(one.reason for one in found.refused)
    for reason, count in reasons.most_common():
        yield f"  {count:,} refused: {readable(reason)}"
    yield from _named(
        f"  line {one.line}: {readable(one.reason)}{one.detail and f', {one.detail}'}"
        for one in found.refused
    )
    yield f"Texts that may only say that there is no translation: {len(found.suspects):,}."
    yield from _named(
        f"  {pair.id}: {pair.sentence1} | {pair.sentence2}" for pair in found.suspects
    )
    wrong = len(found.wrong_labels)
    yield f"Labels unlike the source's, which count; also of refused lines: {wrong:,}."
    yield from _named(
        f"  line {one.line}, {one.id}: {one.given} instead of {one.source}"
        for one in found.wrong_labels
    )
    collapsed = len(found.collapsed)
    negatives = f"of them labelled 0: {len(found.collapsed_negatives):,}"
    yield f"Pairs with two equal translations: {collapsed:,}; {negatives}."
    yield from _named(
        f"  {pair.id}, label {pair.label}: {pair.sentence1}" for pair in found.collapsed
    )


def _named(lines: Iterable[str]) -> Iterator[str]:
    every = list(lines)
    yield from every[:MOST_NAMED]
    if len(every) > MOST_NAMED:
        yield f"  and {len(every) - MOST_NAMED:,} more"


def _stored(project: Project, translator: User, found: Audit, source: Mapping[str, Pair]) -> str:
    texts, others = translations(found.pairs, source)
    try:
        stored = service.store(project, texts, translator=translator)
    except (Refused, AnnotationError) as error:
        raise CommandError(str(error)) from error
    more = (
        f" {len(others):,} pairs have another translation of a sentence than an earlier pair; the "
        "first one counts."
    )
    return (
        f"{stored.added:,} sentences of {project} translated, {stored.to_validate:,} of these wait "
        f"for validation; {stored.left:,} not stored, as they are not waiting for a translation."
        f"{more if others else ''}"
    )
