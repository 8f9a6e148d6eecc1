"""Imports pairs from other sources into a project."""

from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from tqdm import tqdm

from accounts import audit
from accounts.audited_acts import Act
from annotation.errors import Refused
from annotation.imports.detection import Field
from annotation.imports.kinds import KINDS
from annotation.imports.lines import OpenFile, make_lines
from annotation.management.arguments import (
    add_file,
    open_file_of,
    project_named,
    record_start,
    summary,
)
from annotation.management.selection import add_selection, filter_of, selection_of
from annotation.models import Import, Item, Project, SentencePair
from annotation.pairs.services import intake
from annotation.pairs.services.imported_labels import ImportedLabels
from annotation.projects import additions
from annotation.runs import services as runs
from common import bulk, commands
from common.display import plural
from generation import readers
from generation.generated_pairs import Selection
from generation.models import Candidate
from generation.nlp.measures import PairFilter
from generation.readers import LABEL, PairLine
from generation.records import Fault, Record, Refusal, RefusedLine
from generation.services import corpora
from generation.services.imported_pairs import PairReport, import_candidates

KIND = KINDS[Import.Kind.PAIRS]
HAS_LABELS = (
    "The file has a column label, so nothing was imported. Take its labels with --labels-of NAME, "
    "or pass over them with --ignore-labels."
)


class Command(commands.Command):
    """An invalid line is reported and skipped; an unreadable file stops the import."""

    help = (
        "Read pairs (csv, tsv, jsonl, xlsx or parquet: sentence1, sentence2, and perhaps "
        "id, sentence1_id, method, model; or files of generate_file), link them to the sentences "
        "that they rewrite, and add them to a project if one is named."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        text = "may be compressed, as .gz or .xz; several, if generate_file wrote all of them"
        add_file(parser, nargs="+", help=text)
        parser.add_argument("--project", help="default: none, the pairs stay with their corpus")
        parser.add_argument("--corpus", help="of the rewritten sentences; default: the project's")
        parser.add_argument(
            "--max-characters", type=commands.at_least_one, default=readers.MAX_CHARACTERS
        )
        labels = parser.add_mutually_exclusive_group()
        labels.add_argument(
            "--labels-of",
            default="",
            metavar="NAME",
            help="store the column label alongside people's judgments, as labels of NAME",
        )
        labels.add_argument("--ignore-labels", action="store_true", help="ignore that column")
        add_selection(parser)

    def handle(self, **options: Any) -> None:
        """Import the pairs, add them to a project if one is named, and print a summary."""
        project = project_named(options["project"]) if options["project"] else None
        if selection := selection_of(options):
            self._import_generated(selection, project, options)
            return
        pair_filter = filter_of(options)
        label_collector = _label_collector(options, project)
        path = {"file": options["file"][0]}
        with open_file_of(self, options | path, _fields(options), what="pair") as file:
            lines = _pair_lines(file, options, label_collector)
            report = _import(lines, project, options, pair_filter=pair_filter)
            notes = _take_in(project, report, label_collector, options) if project else []
        self.stdout.write(_summary(report, notes))
        if file.ignored:
            self.stdout.write(f"Ignored columns: {', '.join(sorted(file.ignored))}.")

    def _import_generated(
        self, selection: Selection, project: Project | None, options: dict[str, Any]
    ) -> None:
        """Import pairs of files of generate_file as the runs that they are."""
        [language] = {file.about["language"] for file in selection.files}
        lines = tqdm(selection.lines(), unit=" pairs", disable=None)
        try:
            report = _import(lines, project, options, language=language)
        except Refused as error:
            raise CommandError(str(error)) from error
        report.dropped += selection.left_out
        notes = _take_in(project, report, None, options) if project else []
        self.stdout.write(_summary(report, notes))


def _import(
    lines: Iterable[PairLine | Refusal],
    project: Project | None,
    options: dict[str, Any],
    *,
    language: str = "",
    pair_filter: PairFilter | None = None,
) -> PairReport:
    """Import pairs into the corpus, as runs of the project if one is named."""
    if project:
        additions.check(project)
    name = options["corpus"] or _corpus_of(project)
    with corpora.open_to_fill(name, language=language) as corpus:
        record_start(Import.Kind.PAIRS, corpus, project)
        report = import_candidates(
            lines,
            corpus=corpus,
            origin=_origin(options["file"]),
            pair_filter=pair_filter,
            on_run=partial(runs.adopt, project) if project else None,
        )
    audit.record_alone(Act.PAIRS_IMPORTED, by=None, on=project, rows=report.added)
    return report


def _origin(paths: Sequence[Path]) -> str:
    name = paths[0].name
    return f"{name} and {plural(len(paths) - 1, 'more file')}" if len(paths) > 1 else name


def _fields(options: dict[str, Any]) -> list[Field]:
    return [field for field in KIND.fields if field.name != LABEL or not options["ignore_labels"]]


def _pair_lines(
    file: OpenFile, options: dict[str, Any], label_collector: ImportedLabels | None
) -> Iterable[PairLine | Refusal]:
    """Return the pairs of a file. Raises CommandError and Refused if its labels cannot be taken."""
    if LABEL in file.fields and not label_collector:
        raise CommandError(HAS_LABELS)
    if label_collector:
        label_collector.check(origin=options["labels_of"])
    make_pair_line = partial(
        readers.pair_line if label_collector else _unlabelled_pair,
        max_characters=options["max_characters"],
    )
    lines = make_lines(file.lines, make_pair_line)
    return label_collector.collected(lines) if label_collector else lines


def _take_in(
    project: Project,
    report: PairReport,
    label_collector: ImportedLabels | None,
    options: dict[str, Any],
) -> list[str]:
    """Add the pairs to the project, and their labels; return what the summary says of it."""
    intake.take_in(project)
    notes = _store_labels(label_collector, options) if label_collector else []
    if repeats := _repeats_of_gold_pairs(project, report):
        notes.append(f"{repeats:,} not judged, because they repeat a gold pair")
    return notes


def _summary(report: PairReport, notes: Sequence[str]) -> str:
    counts = [plural(report.new_sentences, "new sentence"), f"{report.dropped.total():,} dropped"]
    dropped = report.dropped.most_common()
    return summary(report, "pair", further=[*counts, *notes], dropped=dropped)


def _repeats_of_gold_pairs(project: Project, report: PairReport) -> int:
    """Count the imported pairs whose texts are those of a gold pair.

    Starts with the gold pairs, which are few; each query uses the keys of the one before. Postgres
    has no statistics yet to plan a join of the items and candidates that were just added.
    """
    gold_pairs = SentencePair.objects.filter(project=project, gold_label__isnull=False)
    repeats = Item.objects.filter(
        bulk.among("duplicate_of", gold_pairs.values_list("pk", flat=True))
    )
    candidates = Candidate.objects.filter(
        bulk.among("pk", repeats.values_list("candidate", flat=True))
    )
    imported = {run.pk for run in report.runs.values()}
    return sum(run in imported for run in candidates.values_list("run", flat=True))


def _unlabelled_pair(number: int, record: Record, max_characters: int) -> PairLine:
    """Return the pair of a record. Raises RefusedLine for a label, RefusedText as pair_line."""
    if record.get(LABEL):
        raise RefusedLine(Fault.HAS_LABEL)
    return readers.pair_line(number, record, max_characters)


def _label_collector(options: dict[str, Any], project: Project | None) -> ImportedLabels | None:
    """Return what collects the labels; None without --labels-of. Raises CommandError."""
    if not options["labels_of"]:
        return None
    if project is None:
        raise CommandError("Labels belong to the pairs of a project: name a --project.")
    return ImportedLabels(project)


def _store_labels(label_collector: ImportedLabels, options: dict[str, Any]) -> list[str]:
    """Store the labels; return how many were stored, and how many have no pair."""
    note = f"Column label of {_origin(options['file'])}"
    added, without_pair, refused = label_collector.store(origin=options["labels_of"], note=note)
    counts = [
        f"{plural(added, 'label')} stored",
        f"{plural(without_pair, 'label')} not stored (no open pair)",
    ]
    if refused:
        counts.append(
            f"{plural(refused, 'label')} not stored (the pair has another one of this origin)"
        )
    return counts


def _corpus_of(project: Project | None) -> str:
    """The corpus that the project's runs rewrote, else one named like the project."""
    if project is None:
        raise CommandError("Name a --project, or the --corpus of the rewritten sentences.")
    names = set(project.runs.values_list("corpus__name", flat=True))
    if len(names) > 1:
        raise CommandError(f"Name the --corpus: the project has {', '.join(sorted(names))}.")
    return next(iter(names), project.name)
