"""Imports the sentences of a file into a corpus."""

from argparse import ArgumentParser
from functools import partial
from typing import Any

from accounts import audit
from accounts.audited_acts import Act
from annotation.imports.kinds import KINDS
from annotation.imports.lines import FORMATS, make_lines
from annotation.management.arguments import add_file, open_file_of, record_start
from annotation.models import Import
from common import commands
from common.display import readable
from generation import readers
from generation.services import corpora
from generation.services.sentences import Handling, ImportReport, import_sentences

KIND = KINDS[Import.Kind.SENTENCES]


class Command(commands.Command):
    """Reports invalid lines and continues; stops if the file cannot be read."""

    help = "Read the sentences of a file (txt, csv, tsv, jsonl or xlsx) into a corpus."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_file(parser, FORMATS)
        parser.add_argument("--corpus", required=True, help="created if it does not exist")
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
        make_line = partial(readers.row, max_characters=options["max_characters"])
        about = {name: options[name] for name in ("licence", "language")}
        with (
            open_file_of(self, options, KIND.fields, what="line") as file,
            corpora.open_to_fill(options["corpus"], **about) as corpus,
        ):
            record_start(Import.Kind.SENTENCES, corpus)
            report = import_sentences(
                make_lines(file.lines, make_line),
                corpus=corpus,
                near_duplicates=options["near_duplicates"],
            )
        audit.record_alone(
            Act.SENTENCES_IMPORTED, by=None, corpus=options["corpus"], rows=report.added
        )
        self.stdout.write(_summary(report))


def _summary(report: ImportReport) -> str:
    lines = [
        f"{report.read:,} read: {report.added:,} added, {report.duplicates:,} known already, "
        f"{report.refused.total():,} refused"
    ]
    if report.near_duplicates:
        lines.append(f"  {report.near_duplicates:,} of the added nearly repeat an earlier sentence")
    lines += [f"  {readable(reason)}: {count:,}" for reason, count in report.refused.most_common()]
    lines += ["Refused first:"] if report.first_refusals else []
    lines += [
        f"  line {refusal.line:,}: {readable(refusal.reason)}" for refusal in report.first_refusals
    ]
    return "\n".join(lines)
