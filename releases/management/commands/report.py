"""Prints the statistics of a study."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from annotation.agreement.selectors import Breakdown
from annotation.management.arguments import project_named
from annotation.models import Project
from annotation.stats.report import Row, as_text, coefficient, count, overall, parts, percent, share
from common import commands
from generation.models import Method
from releases.selectors import report
from releases.selectors.report import AnnotatorFigures, Report


class Command(commands.Command):
    """Prints tables as text, or everything as JSON."""

    help = "PAWS Tables 3 to 5, agreement with its intervals, and each annotator's figures."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        parser.add_argument("--json", action="store_true")

    def handle(self, **options: Any) -> None:
        project = project_named(options["project"])
        figures = report.of_project(project)
        if options["json"]:
            text = json.dumps(asdict(figures), indent=2, ensure_ascii=False, default=str)
            self.stdout.write(text)
            return
        for title, rows in _tables(project, figures):
            self.stdout.write(f"{title}\n\n{as_text(rows)}\n")


def _tables(project: Project, figures: Report) -> Iterator[tuple[str, list[Row]]]:
    yield from figures.tables.items()
    yield from _agreement(figures.agreement, graded=project.max_label > 1)
    yield "Annotators", _annotator_rows(figures.annotators)


def _agreement(found: Breakdown, *, graded: bool) -> Iterator[tuple[str, list[Row]]]:
    yield "Agreement", overall(found.overall, graded=graded)
    yield (
        "Agreement by method",
        parts((str(Method(each.key).label), each.measured) for each in found.methods),
    )
    yield (
        "Agreement by kind of change",
        parts((_kind(*each.key), each.measured) for each in found.kinds),
    )


def _kind(method: str, kind: str) -> str:
    return f"{Method(method).label}: {kind or 'unspecified'}"


def _annotator_rows(annotators: list[AnnotatorFigures]) -> list[Row]:
    header = ("", "Judgments", "Seconds", "Agreement", "Cohen's kappa")
    with_others = ("Compared", "Accuracy with others", "Kappa with others")
    return [(*header, *with_others), *map(_annotator_row, annotators)]


def _annotator_row(figures: AnnotatorFigures) -> Row:
    return (
        f"{figures.name} (simulated)" if figures.simulated else figures.name,
        count(figures.judgments),
        "-" if figures.seconds is None else f"{figures.seconds:.0f}",
        percent(figures.agreement),
        "-" if figures.kappa is None else f"{figures.kappa:.3f}",
        count(figures.compared),
        share(figures.accuracy),
        coefficient(figures.kappa_with_others),
    )
