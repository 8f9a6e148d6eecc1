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
from releases.selectors import report
from releases.selectors.report import AnnotatorFigures, AnswerReport, Report
from releases.translations import report as translations
from releases.translations.report import TranslationReport

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
        figures = _figures(project)
        if options["json"]:
            text = json.dumps(asdict(figures), indent=2, ensure_ascii=False, default=str)
            self.stdout.write(text)
            return
        if isinstance(figures, Report):
            tables = _tables(project, figures)
        elif isinstance(figures, AnswerReport):
            tables = iter(figures.tables.items())
        else:
            tables = translations.tables(figures)
        for title, rows in tables:
            self.stdout.write(f"{title}\n\n{as_text(rows)}\n")


def _figures(project: Project) -> Report | AnswerReport | TranslationReport:
    if project.translates:
        return translations.report(project)
    if project.judges:
        return report.report_of_project(project)
    return report.report_of_answers(project)


def _tables(project: Project, figures: Report) -> Iterator[tuple[str, list[Row]]]:
    yield from figures.tables.items()
    yield from _agreement_tables(figures.agreement, graded=project.max_label > 1)
    yield from _generators(figures.generators)
    yield "Annotators", _annotator_rows(figures.annotators)


def _agreement_tables(agreement: Breakdown, *, graded: bool) -> Iterator[tuple[str, list[Row]]]:
    title = "Agreement on the grade" if graded else "Agreement"
    yield title, overall(agreement.overall, graded=graded)
    methods = ((str(Method(part.key).label), part.measured) for part in agreement.methods)
    yield "Agreement by method", parts(methods)
    kinds = ((_kind(*part.key), part.measured) for part in agreement.kinds)
    yield "Agreement by kind of change", parts(kinds)


def _kind(method: str, kind: str) -> str:
    return f"{Method(method).label}: {kind or 'unspecified'}"


def _generators(comparison: Comparison) -> Iterator[tuple[str, list[Row]]]:
    for way, lines in comparison.lines.items():
        named = [(_generator_name(line.generator), line.figures) for line in lines]
        yield f"Generators by {TITLES[way]}", _yield_rows([*named, ("All", comparison.total)])


def _generator_name(generator: Generator) -> str:
    method = str(Method(generator.method).label)
    if generator.number is not None:
        return f"{generator.corpus}, {method} #{generator.number}"
    details = (
        generator.kind
        or generator.models
        or ", ".join(filter(None, (generator.preset, generator.changed)))
    )
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


def _yield_rows(lines: list[tuple[str, Yield]]) -> list[Row]:
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
