"""Imports pairs from other sources into a project."""

from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from django.core.management.base import CommandError

from accounts import audit
from accounts.audited_acts import Act
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
from annotation.models import Import, Item, Project, SentencePair
from annotation.pairs.services import intake
from annotation.pairs.services.imported_labels import ImportedLabels
from annotation.projects import additions
from annotation.runs import services as runs
from common import bulk, commands
from common.display import plural
from generation import readers
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
        "Read pairs (csv, tsv, jsonl or xlsx: sentence1, sentence2, and perhaps sentence1_id, "
        "method, model), link them to the sentences that they rewrite, and add them to a project "
        "if one is named."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_file(parser)
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
        _add_filter(parser)

    def handle(self, **options: Any) -> None:
        """Import the pairs, add them to a project if one is named, and print a summary."""
        project = project_named(options["project"]) if options["project"] else None
        pair_filter = _pair_filter(options)
        label_collector = _label_collector(options, project)
        with open_file_of(self, options, _fields(options), what="pair") as file:
            lines = _pair_lines(file, options, label_collector)
            if project:
                additions.check(project)
            with corpora.open_to_fill(options["corpus"] or _corpus_of(project)) as corpus:
                record_start(Import.Kind.PAIRS, corpus, project)
                report = import_candidates(
                    lines,
                    corpus=corpus,
                    origin=options["file"].name,
                    pair_filter=pair_filter,
                    on_run=partial(runs.adopt, project) if project else None,
                )
            audit.record_alone(Act.PAIRS_IMPORTED, by=None, on=project, rows=report.added)
            notes = _take_in(project, report, label_collector, options) if project else []
        self.stdout.write(_summary(report, notes))
        if file.ignored:
            self.stdout.write(f"Ignored columns: {', '.join(sorted(file.ignored))}.")


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
    note = f"Column label of {options['file'].name}"
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


def _add_filter(parser: ArgumentParser) -> None:
    """Add options of the filter for back translations (PAWS 3.2)."""
    group = parser.add_argument_group("which pairs enter", "of each method and model; default: all")
    paper = PairFilter()
    group.add_argument(
        "--min-similarity",
        type=float,
        metavar="COSINE",
        help=f"minimum cosine of the word counts; the paper's is {paper.min_similarity}",
    )
    group.add_argument(
        "--reordered-share",
        type=float,
        metavar="SHARE",
        help=f"minimum share of reordered pairs; the paper's is {paper.reordered_share}",
    )
    group.add_argument(
        "--reordered-above",
        type=float,
        metavar="RATE",
        default=paper.reordered_above,
        help="the inversion rate above which a pair counts as reordered; default %(default)s",
    )
    group.add_argument(
        "--seed",
        type=commands.seed,
        default=0,
        help="seed for choosing which of the others are kept",
    )


def _pair_filter(options: dict[str, Any]) -> PairFilter | None:
    """Return None if no option requests a filter. Raises CommandError."""
    if options["min_similarity"] is None and options["reordered_share"] is None:
        return None
    try:
        return PairFilter(
            min_similarity=options["min_similarity"] or 0.0,
            reordered_share=options["reordered_share"] or 0.0,
            reordered_above=options["reordered_above"],
            seed=options["seed"],
        )
    except ValueError as error:
        raise CommandError(str(error)) from error


def _corpus_of(project: Project | None) -> str:
    """The corpus that the project's runs rewrote, else one named like the project."""
    if project is None:
        raise CommandError("Name a --project, or the --corpus of the rewritten sentences.")
    names = set(project.runs.values_list("corpus__name", flat=True))
    if len(names) > 1:
        raise CommandError(f"Name the --corpus: the project has {', '.join(sorted(names))}.")
    return next(iter(names), project.name)
