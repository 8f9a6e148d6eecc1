"""Imports the sentences of a file, or the outputs of a run, into a corpus."""

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from django.core.management.base import CommandError

from accounts import audit
from accounts.audited_acts import Act
from annotation.imports.kinds import KINDS
from annotation.imports.lines import FORMATS, Values, make_lines
from annotation.management.arguments import add_file, open_file_of, record_start
from annotation.models import Import
from common import commands
from common.display import readable
from generation import readers
from generation.models import Candidate, GenerationRun, Method
from generation.readers import Row
from generation.records import Refusal
from generation.services import corpora
from generation.services.sentences import Handling, ImportReport, import_sentences

KIND = KINDS[Import.Kind.SENTENCES]


class Command(commands.Command):
    """Reports invalid lines and continues; stops if the file cannot be read."""

    help = (
        "Read the sentences of a file (txt, csv, tsv, jsonl or xlsx), or those that a run wrote, "
        "such as translations, into a corpus."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_file(parser, FORMATS, nargs="?")
        parser.add_argument(
            "--from-run",
            type=int,
            metavar="RUN",
            help="instead of FILE: the best text for each sentence of a finished run; its id is "
            "the public id of that sentence",
        )
        parser.add_argument("--corpus", required=True, help="created if it does not exist")
        parser.add_argument("--licence", default="", help="of the corpus")
        parser.add_argument(
            "--language",
            default="",
            help="of the corpus (BCP 47); default: en, or that of the texts of the run",
        )
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
        if (options["file"] is None) == (options["from_run"] is None):
            raise CommandError("Name a FILE, or a run by --from-run: one of the two.")
        run = None if options["from_run"] is None else _finished_run(options["from_run"])
        language = options["language"] or (_language_of(run) if run else "")
        with (
            self._lines(run, options) as lines,
            corpora.open_to_fill(
                options["corpus"], licence=options["licence"], language=language
            ) as corpus,
        ):
            record_start(Import.Kind.SENTENCES, corpus)
            report = import_sentences(
                lines,
                corpus=corpus,
                near_duplicates=options["near_duplicates"],
            )
        audit.record_alone(
            Act.SENTENCES_IMPORTED, by=None, corpus=options["corpus"], rows=report.added
        )
        self.stdout.write(_summary(report))

    @contextmanager
    def _lines(
        self, run: GenerationRun | None, options: dict[str, Any]
    ) -> Iterator[Iterator[Row | Refusal]]:
        make_line = partial(readers.row, max_characters=options["max_characters"])
        if run:
            yield make_lines(_records_of(run), make_line)
            return
        with open_file_of(self, options, KIND.fields, what="line") as file:
            yield make_lines(file.lines, make_line)


def _finished_run(run_id: int) -> GenerationRun:
    """Raises CommandError."""
    run = GenerationRun.objects.select_related("corpus").filter(pk=run_id).first()
    if run is None or run.state != GenerationRun.State.DONE:
        raise CommandError(f"There is no run {run_id}, or it is not done.")
    return run


def _language_of(run: GenerationRun) -> str:
    """Return the language of the texts that a run wrote."""
    is_translation = run.method == Method.TRANSLATION
    return str(run.settings["language"] if is_translation else run.corpus.language)


def _records_of(run: GenerationRun) -> Iterator[Values]:
    """Yield the best text for each sentence, with the public id and the group of the sentence."""
    candidates = Candidate.objects.filter(run=run, rank=0).order_by("sentence")
    columns = ("text", "sentence__public_id", "sentence__group")
    rows = candidates.values_list(*columns).iterator(chunk_size=2_000)
    for number, (text, public_id, group) in enumerate(rows, 1):
        yield number, {"text": text, "id": str(public_id), "group": group}, None


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
