"""Arguments of several commands, and the files of lines that some of them import."""

from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from tqdm import tqdm

from accounts.models import User
from annotation.errors import Refused
from annotation.models import Project
from common.display import readable
from generation import records
from generation.records import Format, Report, UnreadableFile

Line = TypeVar("Line")


def project_named(name: str) -> Project:
    """Return the project of this name. Raises CommandError with the existing names."""
    try:
        return Project.objects.get(name=name)
    except Project.DoesNotExist:
        names = ", ".join(Project.objects.values_list("name", flat=True)) or "none yet"
        raise CommandError(f"There is no project {name!r}; there are: {names}.") from None


def managers_named(name: str | None) -> list[User]:
    """Return the account of this name, or all administrators. Raises CommandError."""
    if name is None:
        return list(User.objects.filter(is_superuser=True, is_active=True).order_by("pk"))
    if found := User.objects.filter(username=name).first():
        return [found]
    raise CommandError(f"There is no account {name!r}.")


def size(text: str) -> int | float:
    """Parse a number of pairs such as 8000, or a share of them such as 0.1."""
    return float(text) if "." in text else int(text)


def add_file(parser: ArgumentParser) -> None:
    """Add the arguments that `lines_of` reads."""
    parser.add_argument("file", type=Path)
    parser.add_argument("--format", choices=[Format.TSV, Format.JSONL])


@contextmanager
def lines_of(
    options: dict[str, Any], read: Callable[..., Iterator[Line]], *, what: str, **limits: Any
) -> Iterator[Iterable[Line]]:
    """Read the file in `options` with `read` and its `limits`, and show a progress bar.

    Raises CommandError if the file cannot be read or its content is refused.
    """
    path: Path = options["file"]
    try:
        file_format = Format(options["format"]) if options["format"] else records.format_of(path)
        if file_format is Format.TXT:
            raise UnreadableFile(f"{what.capitalize()} are read from tsv or jsonl files.")
        with path.open("rb") as raw:
            lines = read(records.decompressed(path, raw), file_format, **limits)
            yield tqdm(lines, unit=f" {what}", disable=None)
    except (OSError, UnreadableFile, Refused, ValidationError) as error:
        raise CommandError("; ".join(getattr(error, "messages", [str(error)]))) from error


def summary(
    report: Report,
    what: str,
    *,
    further: Sequence[str] = (),
    dropped: Sequence[tuple[str, int]] = (),
) -> str:
    """Return a summary: counts, reasons, and the first refused lines."""
    counts = [
        f"{report.read:,} lines read",
        f"{report.added:,} {what} added",
        f"{report.duplicates:,} known already",
        *further,
        f"{report.refused.total():,} lines refused",
    ]
    reasons = [*dropped, *report.refused.most_common()]
    lines = [", ".join(counts) + "."]
    lines += [f"  {count:,} {readable(reason)}" for reason, count in reasons]
    lines += [
        f"  line {refusal.line}: {readable(refusal.reason)}" for refusal in report.first_refusals
    ]
    return "\n".join(lines)
