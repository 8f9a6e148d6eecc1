"""The page and the table that compare generators."""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.models import Membership, Project
from annotation.pairs import differences
from annotation.projects.labels import outcome_names
from annotation.runs import words
from annotation.runs.method_names import method_name
from annotation.runs.selectors import comparison
from annotation.runs.selectors.comparison import By, Generator
from annotation.stats.agreement import Estimate
from annotation.stats.generators import Yield
from common.spreadsheets import Cell

Row = Sequence[Cell]

WAYS = {
    By.METHOD: _("Method"),
    By.PRESET: _("Preset"),
    By.MODELS: _("Models"),
    By.KIND: _("Kind of change"),
    By.RUN: _("Run"),
}
SHARES = ("fixed", "rejected", "paraphrase", "agreement", "kept")
USAGE = ("tokens_in", "tokens_out", "tokens_per_kept", "cost", "currency", "cost_per_kept")
COLUMNS = " ".join(
    [
        "by method preset changed models kind corpus run",
        "candidates corrected pairs judged kept_pairs answers_per_kept",
        *(f"{name} {name}_low {name}_high" for name in SHARES),
        *USAGE,
    ]
)


@dataclass(frozen=True, slots=True)
class Line:
    """A generator with its name and figures; `run` is the public id of a run, or empty."""

    name: str
    run: str
    figures: Yield


@gates.signed_in
@require_safe
def compare_runs(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show one way to tell generators apart, chosen by `by`."""
    member = gates.reader(request, project_id)
    name = request.GET.get("by", "")
    way = By(name) if name in list(By) else By.METHOD
    result, scheme = comparison.of_project(member.project, way), member.project.scheme
    lines = [
        Line(_name(line.generator, way), line.generator.run, line.figures)
        for line in result.lines[way]
    ]
    context = {
        "project": member.project,
        "manages": member.role == Membership.Role.MANAGER,
        "ways": WAYS.items(),
        "chosen": way,  # the breadcrumbs of the page are `way`
        "way_name": WAYS[way],
        "lines": lines,
        "total": result.total if len(lines) > 1 else None,
        "has_usage": result.total.usage is not None,
        # The side whose share is a column.
        "upper": outcome_names(scheme)[1] if scheme.is_binary else "",
    }
    return render(request, "annotation/runs/comparison.html", context)


def rows(project: Project, _asked: QueryDict) -> Iterator[Row]:
    """Yield a row for each generator in each way, after one for all of them."""
    result = comparison.of_project(project)
    yield ("all", *[""] * 7, *_yield_cells(result.total))
    for way, lines in result.lines.items():
        for line in lines:
            generator = line.generator
            parts = (
                generator.method,
                generator.preset,
                generator.changed,
                generator.models,
                generator.kind,
                generator.corpus,
                generator.run,
            )
            yield (way, *parts, *_yield_cells(line.figures))


def _name(generator: Generator, way: By) -> str:
    """Return a name such as “word swap: Recommended”, for a run “rivers, word swap #7”."""
    method = method_name(generator.method)
    if way is By.RUN:
        return f"{generator.corpus}, {method} #{generator.number}"
    detail = {
        By.METHOD: "",
        By.PRESET: words.preset_title(generator.method, generator.preset, generator.changed),
        By.MODELS: generator.models,
        By.KIND: differences.kind_name(generator.kind),
    }[way]
    return f"{method}: {detail}" if detail else method


def _yield_cells(figures: Yield) -> Row:
    estimates: list[Estimate] = [getattr(figures, name) for name in SHARES]
    return (
        figures.candidates,
        figures.corrected,
        figures.pairs,
        figures.judged,
        figures.kept_pairs,
        figures.answers_per_kept,
        *(cell for estimate in estimates for cell in estimate.cells),
        *(getattr(figures.usage, name, None) for name in USAGE),
    )
