"""The tables of the report on a study, of any kind: for the command, and as LaTeX for papers."""

import re
from collections.abc import Iterator
from dataclasses import replace
from textwrap import shorten
from typing import TypeAlias

from django.utils.text import slugify

from annotation.model_judgments.alternative import StandIn
from annotation.models import Project
from annotation.runs.selectors.comparison import Comparison, Generator
from annotation.stats import latex, shape
from annotation.stats.agreement import UNDEFINED
from annotation.stats.agreement_tables import by_group, coefficient, overall, parts, share
from annotation.stats.alternative import EPSILONS, WARNING
from annotation.stats.generators import Usage, Yield
from common.tables import Row, count, percent
from generation.models import Method
from releases.dataset.methods import NOT_REPEATABLE
from releases.selectors import report
from releases.selectors.report import AnnotatorFigures, AnswerReport, Report
from releases.translations import report as translations
from releases.translations.report import TranslationReport

# Characters of a changed setting: a prompt may be long.
LONGEST_VALUE = 60
AnyReport: TypeAlias = Report | AnswerReport | TranslationReport
TITLES = {
    "method": "method",
    "preset": "preset",
    "models": "models",
    "kind": "kind of change",
    "run": "run",
}
AGREEMENT = "Agreement"
SHAPE = "Rules that see only the shape of pairs"
BY_MODELS = "Generators by models"
IN_PLACE = "Models in place of people"
UNTESTED = "Models not tested: pairs were judged again because they disagreed"
DISTANCE = "Distance from the others' mean"
# How many columns of the table of annotators come before those that compare with a majority.
NOT_COMPARED = 3
# Table 10 is of PARADE.
FROM_A_PAPER = re.compile(r"Table (?P<number>[345]): (?P<pairs>.*)")


def figures_of(project: Project, *, with_people: bool = True) -> AnyReport:
    if project.translates:
        figures = translations.report(project)
        return figures if with_people else replace(figures, translators=[])
    if project.judges:
        return report.report_of_project(project, with_people=with_people)
    return report.report_of_answers(project)


def tables(figures: AnyReport) -> Iterator[tuple[str, list[Row]]]:
    """Yield the title and the rows of each table; people are named by their user names."""
    if isinstance(figures, TranslationReport):
        yield from translations.tables(figures)
        return
    yield from figures.tables.items()
    if isinstance(figures, Report):
        yield from _agreement_tables(figures)
        if again := figures.judged_again:
            rows = [(f"because {model} disagreed", count(n)) for model, n in again.items()]
            yield "Judged again", [("", "Pairs"), *rows]
        if figures.groups:
            yield "Agreement by group of annotators", by_group(figures.groups, figures.outcomes)
        yield from _generators(figures.generators)
        if figures.annotators:
            yield "Annotators", _annotator_rows(figures)
        if figures.models:
            yield IN_PLACE, _model_rows(figures.models)
        if untested := [model for model in figures.models if model.judged_again]:
            rows = [(_model_name(model), count(model.judged_again)) for model in untested]
            yield UNTESTED, [("", "Pairs"), *rows]


def note(title: str, figures: AnyReport) -> str:
    """Return what is to be said of a table of `tables`."""
    if not isinstance(figures, Report):
        return ""
    if title == BY_MODELS:
        names = [line.generator.models for line in figures.generators.lines["models"]]
        # Only names of models behind endpoints have a colon.
        return NOT_REPEATABLE if any(":" in name for name in names) else ""
    if title == SHAPE and figures.shape:
        values = shape.remark_values(figures.shape)
        return shape.DECIDED_REMARKS[figures.shape["verdict"]] % values
    if title == IN_PLACE:
        return " ".join(
            f"{_model_name(model)}: {WARNING % {'kappa': f'{model.kappa:.2f}'}}"
            for model in figures.models
            if model.needs_warning
        )
    return figures.headline if title == AGREEMENT else ""


def as_latex(project: Project) -> str:
    """Return the tables for a paper. They name no people."""
    figures = figures_of(project, with_people=False)
    return "\n".join(
        (
            latex.PACKAGES,
            *(
                latex.as_latex(
                    rows,
                    caption=". ".join(filter(None, (_caption(title), note(title, figures)))),
                    label=slugify(title),
                )
                for title, rows in tables(figures)
            ),
        )
    )


def _caption(title: str) -> str:
    """Return a title that does not begin with a number, which LaTeX gives."""
    if match := FROM_A_PAPER.fullmatch(title):
        return f"{match['pairs'].capitalize()}, as in Table {match['number']} of PAWS"
    return title.removeprefix("Table 10: ").capitalize() if title.startswith("Table") else title


def _agreement_tables(figures: Report) -> Iterator[tuple[str, list[Row]]]:
    agreement, has_majority = figures.agreement, figures.has_majority
    level = agreement.overall.before.level
    yield AGREEMENT, overall(agreement.overall, has_majority=has_majority)
    methods = ((str(Method(part.key).label), part.measured) for part in agreement.methods)
    yield "Agreement by method", parts(methods, level, has_majority=has_majority)
    kinds = ((_kind(*part.key), part.measured) for part in agreement.kinds)
    yield "Agreement by kind of change", parts(kinds, level, has_majority=has_majority)
    if figures.shape:
        yield SHAPE, shape.as_rows(figures.shape)


def _kind(method: str, kind: str) -> str:
    return f"{Method(method).label}: {kind or 'unspecified'}"


def _generators(comparison: Comparison) -> Iterator[tuple[str, list[Row]]]:
    if not comparison.total.candidates:
        return  # The pairs came from a release: nothing was generated for the study.
    for way, lines in comparison.lines.items():
        named = [(_generator_name(line.generator), line.figures) for line in lines]
        yield f"Generators by {TITLES[way]}", _yield_rows([*named, ("All", comparison.total)])


def _generator_name(generator: Generator) -> str:
    method = str(Method(generator.method).label)
    if generator.number is not None:
        return f"{generator.corpus}, {method} #{generator.number}"
    changed = shorten(generator.changed, LONGEST_VALUE, placeholder="…")
    details = (
        generator.kind or generator.models or ", ".join(filter(None, (generator.preset, changed)))
    )
    return f"{method}: {details}" if details else method


def _annotator_rows(report: Report) -> list[Row]:
    annotators = report.annotators
    header = ("", "Judgments", "Seconds", "Agreement with consensus", "Kappa with consensus")
    with_others = ("Compared", "Accuracy with others", "Kappa with others")
    rows = [(*header, *with_others), *map(_annotator_row, annotators)]
    distances = [person.distance for person in annotators]
    if any(distance is not None for distance in distances):
        cells = ("-" if distance is None else f"{distance:.2f}" for distance in distances)
        if not report.has_majority:
            rows = [row[:NOT_COMPARED] for row in rows]
        return [(*row, cell) for row, cell in zip(rows, (DISTANCE, *cells), strict=True)]
    return rows


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


def _model_rows(models: list[StandIn]) -> list[Row]:
    """Return a row for each model; without a verdict, its cells are dashes."""
    rates = (f"Winning rate at {epsilon}" for epsilon in EPSILONS)
    header = ("", "People", "Advantage", *rates, "Kappa", "Brier score", "Calibration error")
    return [header, *map(_model_row, models)]


def _model_row(model: StandIn) -> Row:
    test, scores = model.test, model.calibration
    rates = [percent(verdict.winning_rate) for verdict in test.verdicts]
    return (
        _model_name(model),
        "-" if model.judged_again else count(len(test.people)),
        percent(test.advantage),
        *(rates or ["-"] * len(EPSILONS)),
        "-" if model.kappa is None else f"{model.kappa:.3f}",
        coefficient(scores.brier if scores else UNDEFINED),
        coefficient(scores.error if scores else UNDEFINED),
    )


def _model_name(model: StandIn) -> str:
    return f"{model.model} {model.revision}".strip()


def _yield_rows(lines: list[tuple[str, Yield]]) -> list[Row]:
    has_sides = any(line.paraphrase.value is not None for _, line in lines)
    side = ("Paraphrase",) if has_sides else ()
    header = ("", "Candidates", "Rejected", "Fixed", "Judged", *side, "Agreement", "Kept")
    has_usage = any(line.usage for _, line in lines)
    usage = ("Tokens per kept pair", "Cost per kept pair") if has_usage else ()
    return [
        (*header, "Answers per kept pair", *usage),
        *(
            (
                name,
                count(line.candidates),
                share(line.rejected),
                share(line.fixed),
                count(line.judged),
                *([share(line.paraphrase)] if has_sides else []),
                *map(share, (line.agreement, line.kept)),
                "-" if line.answers_per_kept is None else f"{line.answers_per_kept:.1f}",
                *(_usage_cells(line.usage) if has_usage else ()),
            )
            for name, line in lines
        ),
    ]


def _usage_cells(usage: Usage | None) -> Row:
    if usage is None or usage.tokens_per_kept is None:
        return ("-", "-")
    tokens = f"{usage.tokens_per_kept:,.0f}"
    if usage.cost_per_kept is None:
        return (tokens, "-")
    return (tokens, f"{usage.cost_per_kept:.{usage.cost_digits}f} {usage.currency}")
