"""Imports flashcards into a corpus."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from accounts import audit
from accounts.audited_acts import Act
from annotation.imports import reasons
from annotation.imports.kinds import KINDS
from annotation.imports.lines import make_lines
from annotation.imports.selectors import MIN_DEFINITIONS
from annotation.management.arguments import add_file, open_file_of, record_start
from annotation.models import Import
from common import commands
from common.display import plural
from generation.flashcards import Columns, terms_of
from generation.records import Fault, Report
from generation.selectors import count_entities_with_few_definitions
from generation.services import corpora
from generation.services.flashcards import import_flashcards

KIND = KINDS[Import.Kind.FLASHCARDS]
SWAPPED = """Nearly every entity occurs once, and entities are longer than their definitions.
If the columns are swapped, rename them in the first line and import the file into a new corpus."""
FURTHER: dict[str, str] = {Fault.OTHER_SCRIPT: " For another language, add --language."}


class Command(commands.Command):
    """An invalid line is reported and skipped; an unreadable file stops the import."""

    help = (
        "Read flashcards (csv, tsv, jsonl or xlsx: entity, definition, and perhaps id) into a "
        "corpus, from which the method definitions makes pairs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_file(parser)
        parser.add_argument("--corpus", required=True, help="created if it does not exist")
        parser.add_argument("--licence", default="", help="of the corpus")
        parser.add_argument("--language", default="", help="of the corpus (BCP 47); default: en")
        parser.add_argument(
            "--terms", type=Path, help="a file with one entity per line: others are refused"
        )

    def handle(self, **options: Any) -> None:
        """Import, then print what became of the lines."""
        name = options["corpus"]
        columns = Columns()
        about = {option: options[option] for option in ("licence", "language")}
        terms = terms_of(options["terms"].read_text("utf-8")) if options["terms"] else ()
        with (
            open_file_of(self, options, KIND.fields, what="line") as file,
            corpora.open_to_fill(name, **about) as corpus,
        ):
            record_start(Import.Kind.FLASHCARDS, corpus)
            lines = columns.count_cards(make_lines(file.lines, KIND.make))
            report = import_flashcards(lines, corpus=corpus, terms=terms)
        audit.record_alone(Act.SENTENCES_IMPORTED, by=None, corpus=name, rows=report.added)
        few = count_entities_with_few_definitions(corpus.pk, MIN_DEFINITIONS) if corpus.pk else 0
        self.stdout.write(_summary(report))
        if columns.look_swapped:
            self.stdout.write(SWAPPED)
        self.stdout.write(
            f"{few:,} entities of the corpus have fewer than {MIN_DEFINITIONS} definitions."
        )


def _summary(report: Report) -> str:
    lines = [
        f"{report.read:,} read: {plural(report.added, 'definition')} added, "
        f"{report.duplicates:,} merged with an equal one, {report.refused.total():,} refused"
    ]
    counts = report.refused.most_common()
    lines += [
        f"  {count:,}: {reasons.in_words(reason)}{FURTHER.get(reason, '')}"
        for reason, count in counts
    ]
    lines += ["Refused first:"] if report.first_refusals else []
    lines += [f"  line {refusal.line:,}: {refusal.reason}" for refusal in report.first_refusals]
    more = report.refused.total() - len(report.first_refusals)
    lines += [f"  and {plural(more, 'more line')}"] if more else []
    return "\n".join(lines)
