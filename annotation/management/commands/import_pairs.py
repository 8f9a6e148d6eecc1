"""Brings pairs that were made elsewhere into a project."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from annotation.management.arguments import project_named
from annotation.models import Project
from annotation.services import intake, projects
from generation import pair_reader, readers, records
from generation.records import Format, UnreadableFile
from generation.services import corpora
from generation.services.elsewhere import PairReport, import_candidates


class Command(BaseCommand):
    """A bad line is reported and never stops an import; a file that cannot be read does."""

    help = (
        "Read pairs (tsv or jsonl: sentence1, sentence2, and perhaps sentence1_id, method, model), "
        "link them to the sentences that they rewrite, and let them enter a project."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--project", required=True)
        parser.add_argument("--corpus", help="of the rewritten sentences; default: the project's")
        parser.add_argument("--format", choices=[Format.TSV, Format.JSONL])
        parser.add_argument("--max-characters", type=int, default=readers.MAX_CHARACTERS)

    def handle(self, **options: Any) -> None:
        """Import, let the project take the pairs in, and say what became of each line."""
        project = project_named(options["project"])
        try:
            report = _read(project, options)
        except (OSError, UnreadableFile, ValidationError) as error:
            message = "; ".join(getattr(error, "messages", [str(error)]))
            raise CommandError(message) from error
        for run in report.runs.values():
            projects.adopt(project, run)
        intake.take_in(project)
        self.stdout.write(_summary(report))


def _read(project: Project, options: dict[str, Any]) -> PairReport:
    path: Path = options["file"]
    file_format = Format(options["format"]) if options["format"] else records.format_of(path)
    if file_format is Format.TXT:
        raise UnreadableFile("Pairs are read from tsv or jsonl files.")
    corpus = corpora.open_corpus(options["corpus"] or _corpus_of(project))
    with path.open("rb") as raw:
        stream = records.decompressed(path, raw)
        lines = pair_reader.read_pairs(
            stream, file_format, max_characters=options["max_characters"]
        )
        return import_candidates(
            tqdm(lines, unit=" pairs", disable=None), corpus=corpus, origin=path.name
        )


def _corpus_of(project: Project) -> str:
    """The corpus that the project's runs rewrote, else one named like the project."""
    names = set(project.runs.values_list("corpus__name", flat=True))
    if len(names) > 1:
        raise CommandError(f"Name the --corpus: the project has {', '.join(sorted(names))}.")
    return next(iter(names), project.name)


def _summary(report: PairReport) -> str:
    lines = [
        f"{report.read:,} lines read, {report.added:,} pairs added, "
        f"{report.duplicates:,} known already, {report.new_sentences:,} new sentences, "
        f"{report.refused.total():,} lines refused."
    ]
    lines += [f"  {count:,} {reason}" for reason, count in report.refused.most_common()]
    lines += [f"  line {refusal.line}: {refusal.reason}" for refusal in report.first_refusals]
    return "\n".join(lines)
