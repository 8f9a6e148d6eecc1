"""Shared parts of the commands that import files of labelled lines."""

from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from django.core.management.base import CommandError
from tqdm import tqdm

from annotation.errors import Refused
from annotation.models import Project
from generation import records
from generation.records import Format, Report, UnreadableFile

Line = TypeVar("Line")


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments for the file, its format and the project."""
    parser.add_argument("file", type=Path)
    parser.add_argument("--project", required=True)
    parser.add_argument("--format", choices=[Format.TSV, Format.JSONL])


@contextmanager
def opened(
    read: Callable[..., Iterator[Line]], project: Project, *, what: str, options: dict[str, Any]
) -> Iterator[Iterable[Line]]:
    """Read the file in `options` with `read`, and show a progress bar.

    Raises CommandError if the file cannot be read or the project refuses its content.
    """
    path: Path = options["file"]
    try:
        file_format = Format(options["format"]) if options["format"] else records.format_of(path)
        if file_format is Format.TXT:
            raise UnreadableFile(f"{what.capitalize()} are read from tsv or jsonl files.")
        with path.open("rb") as raw:
            stream = records.decompressed(path, raw)
            lines = read(stream, file_format, max_label=project.max_label)
            yield tqdm(lines, unit=f" {what}", disable=None)
    except (OSError, UnreadableFile, Refused) as error:
        raise CommandError(str(error)) from error


def summary(report: Report, what: str) -> str:
    """Return a summary: counts, reasons, and the first refused lines."""
    lines = [
        f"{report.read:,} lines read, {report.added:,} {what} added, "
        f"{report.duplicates:,} known already, {report.refused.total():,} lines refused."
    ]
    lines += [f"  {count:,} {reason}" for reason, count in report.refused.most_common()]
    lines += [f"  line {refusal.line}: {refusal.reason}" for refusal in report.first_refusals]
    return "\n".join(lines)
