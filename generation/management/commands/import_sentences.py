"""Imports the sentences of a file into a corpus."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.db import transaction
from tqdm import tqdm

from accounts import audit
from accounts.audited_acts import Act
from common import commands
from common.display import readable
from generation import readers, records
from generation.records import Format, UnreadableFile
from generation.services import corpora
from generation.services.sentences import Handling, ImportReport, import_sentences


class Command(commands.Command):
    """Reports invalid lines and continues; stops if the file cannot be read."""

    help = "Read the sentences of a file (txt, tsv or jsonl; .gz and .xz too) into a corpus."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--corpus", required=True, help="created if it does not exist")
        parser.add_argument(
            "--format", choices=[*Format], help="default: by the ending of the file name"
        )
        parser.add_argument("--licence", default="", help="of the corpus")
        parser.add_argument("--language", default="", help="of the corpus (BCP 47); default: en")
        parser.add_argument(
            "--max-characters", type=commands.at_least_one, default=readers.MAX_CHARACTERS
        )
        parser.add_argument(
            "--near-duplicates",
            type=Handling,
            choices=[*Handling],
            default=Handling.COUNT,
            help="what to do with sentences nearly identical to earlier ones (default: count)",
        )

    def handle(self, **options: Any) -> None:
        """Import, then print the numbers read, added, duplicate and refused, with reasons."""
        try:
            report = _run(options)
        except (OSError, UnreadableFile, ValidationError) as error:
            message = "; ".join(getattr(error, "messages", [str(error)]))
            raise CommandError(message) from error
        with transaction.atomic():
            what = {"corpus": options["corpus"], "rows": report.added}
            audit.record(Act.SENTENCES_IMPORTED, by=None, **what)
        self.stdout.write(_summary(report))


def _run(options: dict[str, Any]) -> ImportReport:
    path: Path = options["file"]
    file_format = Format(options["format"]) if options["format"] else records.format_of(path)
    with path.open("rb") as raw:
        stream = records.decompressed(path, raw)
        lines = readers.read(stream, file_format, max_characters=options["max_characters"])
        about = {name: options[name] for name in ("licence", "language")}
        with corpora.filling(options["corpus"], **about) as corpus:
            return import_sentences(
                tqdm(lines, unit=" lines", disable=None),
                corpus=corpus,
                near_duplicates=options["near_duplicates"],
            )


def _summary(report: ImportReport) -> str:
    lines = [
        f"{report.read:,} read: {report.added:,} added, {report.duplicates:,} known already, "
        f"{report.refused.total():,} refused"
    ]
    if report.near_duplicates:
        lines.append(f"  {report.near_duplicates:,} of the added nearly repeat an earlier sentence")
    lines += [f"  {readable(reason)}: {count:,}" for reason, count in report.refused.most_common()]
    lines += ["Refused first:"] if report.first_refusals else []
    lines += [f"  line {each.line:,}: {readable(each.reason)}" for each in report.first_refusals]
    return "\n".join(lines)
