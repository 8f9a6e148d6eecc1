"""Brings the labels of a model into a project, as those of a guest."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from annotation import guest_lines
from annotation.errors import Refused
from annotation.management.arguments import project_named
from annotation.models import Project
from annotation.services import guests
from annotation.services.guests import GuestReport
from generation import records
from generation.records import Format, UnreadableFile


class Command(BaseCommand):
    """A bad line is reported and never stops an import; a file that cannot be read does."""

    help = (
        "Read what a model says of pairs (tsv or jsonl: pair, label, and perhaps score). Its "
        "labels stand beside the people's and count in nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--project", required=True)
        parser.add_argument("--name", required=True, help="of the model")
        parser.add_argument("--revision", default="", help="of the model, or its digest")
        parser.add_argument("--note", default="", help="how it was asked")
        parser.add_argument("--format", choices=[Format.TSV, Format.JSONL])

    def handle(self, **options: Any) -> None:
        """Import, and say what became of each line."""
        project = project_named(options["project"])
        try:
            report = _read(project, options)
        except (OSError, UnreadableFile, Refused) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(_summary(report))


def _read(project: Project, options: dict[str, Any]) -> GuestReport:
    path: Path = options["file"]
    file_format = Format(options["format"]) if options["format"] else records.format_of(path)
    if file_format is Format.TXT:
        raise UnreadableFile("Labels are read from tsv or jsonl files.")
    with path.open("rb") as raw:
        stream = records.decompressed(path, raw)
        lines = guest_lines.read(stream, file_format, max_label=project.max_label)
        return guests.add(
            project,
            lines=tqdm(lines, unit=" labels", disable=None),
            **{name: options[name] for name in ("name", "revision", "note")},
        )


def _summary(report: GuestReport) -> str:
    lines = [
        f"{report.read:,} lines read, {report.added:,} labels added, "
        f"{report.duplicates:,} known already, {report.refused.total():,} lines refused."
    ]
    lines += [f"  {count:,} {reason}" for reason, count in report.refused.most_common()]
    lines += [f"  line {refusal.line}: {refusal.reason}" for refusal in report.first_refusals]
    return "\n".join(lines)
