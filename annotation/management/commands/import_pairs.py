"""Imports pairs from other sources into a project."""

from argparse import ArgumentParser
from functools import partial
from typing import Any

from django.core.management.base import CommandError
from django.db import transaction

from accounts import audit
from accounts.audited_acts import Act
from annotation.imports.kinds import KINDS
from annotation.imports.lines import make_lines
from annotation.management.arguments import add_file, open_file_of, project_named, summary
from annotation.models import Import, Item, Project, SentencePair
from annotation.pairs.services import intake
from annotation.pairs.services.imported_labels import ImportedLabels
from annotation.projects import additions
from annotation.runs import services as runs
from common import bulk, commands
from generation import readers
from generation.models import Candidate
from generation.nlp.measures import PairFilter
from generation.readers import LABEL, PairLine
from generation.records import Fault, Record, RefusedLine
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
        labels = _labels_of(options, project)
        fields = [
            field for field in KIND.fields if field.name != LABEL or not options["ignore_labels"]
        ]
        with open_file_of(self, options, fields, what="pairs") as file:
            if LABEL in file.fields and not labels:
                raise CommandError(HAS_LABELS)
            make = partial(
                readers.pair_line if labels else _without_label,
                max_characters=options["max_characters"],
            )
            lines = make_lines(file.lines, make)
            if project:
                additions.check(project)
            with corpora.filling(options["corpus"] or _corpus_of(project)) as corpus:
                report = import_candidates(
                    labels.collected(lines) if labels else lines,
                    corpus=corpus,
                    origin=options["file"].name,
                    rule=_filter(options),
                    on_run=partial(runs.adopt, project) if project else None,
                )
            if project:
                intake.take_in(project)
            further = _stored(labels, options) if labels else []
            if gold := _repeats_of_gold_pairs(project, report) if project else 0:
                further.append(f"{gold:,} not judged, because they repeat a gold pair")
        with transaction.atomic():
            audit.record(Act.PAIRS_IMPORTED, by=None, on=project, rows=report.added)
        dropped = report.dropped.most_common()
        counts = [f"{report.new_sentences:,} new sentences", f"{report.dropped.total():,} dropped"]
        further = [*counts, *further]
        self.stdout.write(summary(report, "pairs", further=further, dropped=dropped))
        if file.ignored:
            self.stdout.write(f"Ignored columns: {', '.join(sorted(file.ignored))}.")


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


def _without_label(number: int, record: Record, max_characters: int) -> PairLine:
    """Return the pair of a record. Raises RefusedLine for a label, RefusedText as pair_line."""
    if record.get(LABEL):
        raise RefusedLine(Fault.HAS_LABEL)
    return readers.pair_line(number, record, max_characters)


def _labels_of(options: dict[str, Any], project: Project | None) -> ImportedLabels | None:
    """Return where labels are collected, if they are wanted. Raises CommandError."""
    if not options["labels_of"]:
        return None
    if project is None:
        raise CommandError("Labels belong to the pairs of a project: name a --project.")
    labels = ImportedLabels(project)
    labels.check(origin=options["labels_of"])
    return labels


def _stored(labels: ImportedLabels, options: dict[str, Any]) -> list[str]:
    """Store the labels; return how many were stored, and how many have no pair."""
    note = f"Column label of {options['file'].name}"
    added, left, refused = labels.store(origin=options["labels_of"], note=note)
    counts = [f"{added:,} labels stored", f"{left:,} labels not stored (no open pair)"]
    if refused:
        counts.append(f"{refused:,} labels not stored (the pair has another one of this origin)")
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


def _filter(options: dict[str, Any]) -> PairFilter | None:
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
