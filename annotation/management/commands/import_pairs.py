"""Imports pairs from other sources into a project."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from tqdm import tqdm

from accounts import audit
from accounts.audited_acts import Act
from annotation.management.arguments import project_named
from annotation.models import Project
from annotation.pairs.services import intake
from generation import readers, records
from generation.nlp.measures import PairFilter
from generation.records import Format, UnreadableFile
from generation.services import corpora
from generation.services.imported_pairs import PairReport, import_candidates


class Command(BaseCommand):
    """An invalid line is reported and skipped; an unreadable file stops the import."""

    help = (
        "Read pairs (tsv or jsonl: sentence1, sentence2, and perhaps sentence1_id, method, model), "
        "link them to the sentences that they rewrite, and let them enter a project where one is "
        "named."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--project", help="default: none, the pairs stay with their corpus")
        parser.add_argument("--corpus", help="of the rewritten sentences; default: the project's")
        parser.add_argument("--format", choices=[Format.TSV, Format.JSONL])
        parser.add_argument("--max-characters", type=int, default=readers.MAX_CHARACTERS)
        _add_filter(parser)

    def handle(self, **options: Any) -> None:
        """Import the pairs, add them to a project if one is named, and print a summary."""
        project = project_named(options["project"]) if options["project"] else None
        try:
            report = _read(project, options)
        except (OSError, UnreadableFile, ValidationError) as error:
            message = "; ".join(getattr(error, "messages", [str(error)]))
            raise CommandError(message) from error
        if project:
            intake.take_in(project)
        with transaction.atomic():
            audit.record(Act.PAIRS_IMPORTED, by=None, on=project, rows=report.added)
        self.stdout.write(_summary(report))


def _add_filter(parser: ArgumentParser) -> None:
    """Add options of the filter for back translations (PAWS 3.2)."""
    group = parser.add_argument_group("which pairs enter", "of each method and model; default: all")
    paper = PairFilter()
    group.add_argument(
        "--min-similarity",
        type=float,
        metavar="COSINE",
        help=f"of the word counts, at least; the paper's is {paper.min_similarity}",
    )
    group.add_argument(
        "--reordered-share",
        type=float,
        metavar="SHARE",
        help=f"of reordered pairs, at least; the paper's is {paper.reordered_share}",
    )
    group.add_argument(
        "--reordered-above",
        type=float,
        metavar="RATE",
        default=paper.reordered_above,
        help="the inversion rate above which a pair counts as reordered; default %(default)s",
    )
    group.add_argument("--seed", type=int, default=0, help="draws which of the others are kept")


def _filter(options: dict[str, Any]) -> PairFilter | None:
    """Return None if no option requests a filter. Raises CommandError."""
    if options["min_similarity"] is None and options["reordered_share"] is None:
        return None
    try:
        return PairFilter(
            min_similarity=options["min_similarity"] or 0.0,
            reordered_share=options["reordered_share"] or 0.0,
            reordered_above=options["reordered_above"],
            seed=options["seed"],
        )
    except ValueError as error:
        raise CommandError(str(error)) from error


def _read(project: Project | None, options: dict[str, Any]) -> PairReport:
    path: Path = options["file"]
    file_format = Format(options["format"]) if options["format"] else records.format_of(path)
    if file_format is Format.TXT:
        raise UnreadableFile("Pairs are read from tsv or jsonl files.")
    rule = _filter(options)
    corpus = corpora.open_corpus(options["corpus"] or _corpus_of(project))
    with path.open("rb") as raw:
        stream = records.decompressed(path, raw)
        lines = readers.read_pairs(stream, file_format, max_characters=options["max_characters"])
        progress = tqdm(lines, unit=" pairs", disable=None)
        return import_candidates(
            progress,
            corpus=corpus,
            origin=path.name,
            rule=rule,
            on_run=project.runs.add if project else None,
        )


def _corpus_of(project: Project | None) -> str:
    """The corpus that the project's runs rewrote, else one named like the project."""
    if project is None:
        raise CommandError("Name a --project, or the --corpus of the rewritten sentences.")
    names = set(project.runs.values_list("corpus__name", flat=True))
    if len(names) > 1:
        raise CommandError(f"Name the --corpus: the project has {', '.join(sorted(names))}.")
    return next(iter(names), project.name)


def _summary(report: PairReport) -> str:
    lines = [
        f"{report.read:,} lines read, {report.added:,} pairs added, "
        f"{report.duplicates:,} known already, {report.new_sentences:,} new sentences, "
        f"{report.dropped.total():,} dropped, {report.refused.total():,} lines refused."
    ]
    reasons = [*report.dropped.most_common(), *report.refused.most_common()]
    lines += [f"  {count:,} {reason}" for reason, count in reasons]
    lines += [f"  line {refusal.line}: {refusal.reason}" for refusal in report.first_refusals]
    return "\n".join(lines)
