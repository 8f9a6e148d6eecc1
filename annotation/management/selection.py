"""Which pairs `import_pairs` takes: its options, and what they mean."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from common import commands
from generation import generated_files
from generation.generated_pairs import Selection
from generation.models import Method
from generation.nlp.measures import PairFilter


def add_selection(parser: ArgumentParser) -> None:
    """Add options of the filter for back translations (PAWS 3.2), and those of generated files."""
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
        help="seed for choosing which of the others are kept, and for --sample",
    )
    group = parser.add_argument_group("which pairs of files of generate_file", "default: all")
    group.add_argument(
        "--least-probability",
        type=commands.share,
        default=0.0,
        metavar="P",
        help="only those that people accept with at least this probability, as estimated",
    )
    group.add_argument(
        "--sample",
        type=commands.at_least_one,
        metavar="N",
        help="N of them, drawn by --seed; other seeds draw others",
    )


def filter_of(options: dict[str, Any]) -> PairFilter | None:
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


def selection_of(options: dict[str, Any]) -> Selection | None:
    """Return the pairs of files of generate_file; None for another file.

    Raises CommandError for files and options that do not go together.
    """
    files = [file for path in options["file"] if (file := generated_files.read(path))]
    if not files and len(options["file"]) == 1:
        if options["sample"] is not None or options["least_probability"]:
            raise CommandError("--sample and --least-probability are for files of generate_file.")
        return None
    if len(files) < len(options["file"]):
        raise CommandError("Import one file at a time, unless generate_file wrote all of them.")
    if options["labels_of"] or filter_of(options):
        raise CommandError(
            "Labels and the filter of similarity are not for files of generate_file."
        )
    if len({file.about["language"] for file in files}) > 1:
        raise CommandError(
            "The files are in several languages: import those of each by themselves."
        )
    if any(file.about["method"] == Method.TRANSLATION for file in files):
        raise CommandError("Translations make no pairs to judge.")
    names = ("least_probability", "sample", "seed", "max_characters")
    selection = Selection(files, **{name: options[name] for name in names})
    if selection.least_probability and not selection.has_estimates():
        raise CommandError(
            "These candidates have no estimate of acceptance. Leave out --least-probability."
        )
    return selection
