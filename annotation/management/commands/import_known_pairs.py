"""Brings hidden pairs whose answer is known into a project."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from annotation import known_lines
from annotation.management.arguments import project_named
from annotation.models import Project
from annotation.services import known_pairs
from annotation.services.known_pairs import KnownReport
from generation import records
from generation.records import Format, UnreadableFile


class Command(BaseCommand):
    """A bad line is reported and never stops an import; a file that cannot be read does."""

    help = (
        "Read hidden pairs (tsv or jsonl: sentence1, sentence2, label, and perhaps language) that "
        "tell who reads and who does not."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--project", required=True)
        parser.add_argument("--format", choices=[Format.TSV, Format.JSONL])

    def handle(self, **options: Any) -> None:
        """Import, and say what became of each line and whether anybody will see the pairs."""
        project = project_named(options["project"])
        try:
            report = _read(project, options)
        except (OSError, UnreadableFile) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(_summary(report))
        if project.known_every is None:
            self.stdout.write(f"{project} shows no hidden pairs yet: set how often it does.")


def _read(project: Project, options: dict[str, Any]) -> KnownReport:
    path: Path = options["file"]
    file_format = Format(options["format"]) if options["format"] else records.format_of(path)
    if file_format is Format.TXT:
        raise UnreadableFile("Pairs are read from tsv or jsonl files.")
    with path.open("rb") as raw:
        stream = records.decompressed(path, raw)
        lines = known_lines.read(stream, file_format, max_label=project.max_label)
        return known_pairs.add(project, tqdm(lines, unit=" pairs", disable=None))


def _summary(report: KnownReport) -> str:
    lines = [
        f"{report.read:,} lines read, {report.added:,} hidden pairs added, "
        f"{report.duplicates:,} known already, {report.refused.total():,} lines refused."
    ]
    lines += [f"  {count:,} {reason}" for reason, count in report.refused.most_common()]
    lines += [f"  line {refusal.line}: {refusal.reason}" for refusal in report.first_refusals]
    return "\n".join(lines)
