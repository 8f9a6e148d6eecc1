"""Prints the figures of a study."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from annotation.management.arguments import project_named
from annotation.selectors import report
from annotation.selectors.report import AnnotatorFigures
from annotation.stats.report import Row, as_text, count, percent


class Command(BaseCommand):
    """Tables for people, JSON for programs."""

    help = "PAWS Tables 3 to 5, agreement, and each annotator's figures."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        parser.add_argument("--json", action="store_true")

    def handle(self, **options: Any) -> None:
        """Count everything anew and print it."""
        figures = report.of_project(project_named(options["project"]))
        if options["json"]:
            self.stdout.write(json.dumps(asdict(figures), indent=2, ensure_ascii=False))
            return
        tables = figures.tables | {"Annotators": _annotator_rows(figures.annotators)}
        for title, rows in tables.items():
            self.stdout.write(f"{title}\n\n{as_text(rows)}\n")


def _annotator_rows(annotators: list[AnnotatorFigures]) -> list[Row]:
    header = ("", "Judgments", "Seconds", "Agreement", "Cohen's kappa")
    return [header, *map(_annotator_row, annotators)]


def _annotator_row(figures: AnnotatorFigures) -> Row:
    return (
        f"{figures.name} (simulated)" if figures.simulated else figures.name,
        count(figures.judgments),
        "-" if figures.seconds is None else f"{figures.seconds:.0f}",
        percent(figures.agreement),
        "-" if figures.kappa is None else f"{figures.kappa:.3f}",
    )
