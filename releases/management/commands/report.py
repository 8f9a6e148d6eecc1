"""Prints the statistics of a study."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from annotation.agreement.selectors import Breakdown
from annotation.management.arguments import project_named
from annotation.models import Project
from annotation.runs.selectors.comparison import Comparison, Generator
from annotation.stats.generators import Yield
from annotation.stats.report import Row, as_text, coefficient, count, overall, parts, percent, share
from common import commands
from generation.models import Method
from releases.selectors import report, translation_report
from releases.selectors.report import AnnotatorFigures, Report

TITLES = {
    "method": "method",
    "preset": "preset",
    "models": "models",
    "kind": "kind of change",
    "run": "run",
}


class Command(commands.Command):
    """Prints tables as text, or everything as JSON."""

    help = (
        "PAWS Tables 3 to 5, agreement, generators compared, and each annotator's figures; of a "
        "translation study, Table 2 of PAWS-X and word error rates."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        parser.add_argument("--json", action="store_true")

    def handle(self, **options: Any) -> None:
        project = project_named(options["project"])
        if project.translates:
            self._translation(project, as_json=options["json"])
            return
        figures = report.of_project(project)
        if options["json"]:
            text = json.dumps(asdict(figures), indent=2, ensure_ascii=False, default=str)
            self.stdout.write(text)
            return
        for title, rows in _tables(project, figures):
            self.stdout.write(f"{title}\n\n{as_text(rows)}\n")

    def _translation(self, project: Project, *, as_json: bool) -> None:
        figures = translation_report.of_project(project)
        if as_json:
            self.stdout.write(json.dumps(asdict(figures), indent=2, ensure_ascii=False))
            return
        for title, rows in translation_report.tables(figures):
            self.stdout.write(f"{title}\n\n{as_text(rows)}\n")


def _tables(project: Project, figures: Report) -> Iterator[tuple[str, list[Row]]]:
    yield from figures.tables.items()
    yield from _agreement(figures.agreement, graded=project.max_label > 1)
    yield from _generators(figures.generators)
    yield "Annotators", _annotator_rows(figures.annotators)


def _agreement(found: Breakdown, *, graded: bool) -> Iterator[tuple[str, list[Row]]]:
    yield "Agreement on the grade" if graded else "Agreement", overall(found.overall, graded=graded)
    yield (
        "Agreement by method",
        parts(
            (str(Method(of_method.key).label), of_method.measured) for of_method in found.methods
        ),
    )
    yield (
        "Agreement by kind of change",
        parts((_kind(*of_kind.key), of_kind.measured) for of_kind in found.kinds),
    )


def _kind(method: str, kind: str) -> str:
    return f"{Method(method).label}: {kind or 'unspecified'}"


def _generators(found: Comparison) -> Iterator[tuple[str, list[Row]]]:
    for way, lines in found.lines.items():
        named = [(_generator(line.generator), line.figures) for line in lines]
        yield f"Generators by {TITLES[way]}", _yields([*named, ("All", found.total)])


def _generator(of: Generator) -> str:
    method = str(Method(of.method).label)
    if of.number is not None:
        return f"{of.corpus}, {method} #{of.number}"
    details = of.kind or of.models or ", ".join(filter(None, (of.preset, of.changed)))
    return f"{method}: {details}" if details else method


def _annotator_rows(annotators: list[AnnotatorFigures]) -> list[Row]:
    header = ("", "Judgments", "Seconds", "Agreement with consensus", "Kappa with consensus")
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


def _yields(lines: list[tuple[str, Yield]]) -> list[Row]:
    header = ("", "Candidates", "Rejected", "Fixed", "Judged", "Paraphrase", "Agreement", "Kept")
    return [
        (*header, "Answers per kept pair"),
        *(
            (
                name,
                count(line.candidates),
                share(line.rejected),
                share(line.fixed),
                count(line.judged),
                *map(share, (line.paraphrase, line.agreement, line.kept)),
                "-" if line.answers_per_kept is None else f"{line.answers_per_kept:.1f}",
            )
            for name, line in lines
        ),
    ]
