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
from annotation.projects.forms.filters import METHODS
from annotation.runs import words
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
COLUMNS = " ".join(
    [
        "by method preset changed models kind corpus run",
        "candidates corrected pairs judged kept_pairs answers_per_kept",
        *(f"{name} {name}_low {name}_high" for name in SHARES),
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
    asked = request.GET.get("by", "")
    way = By(asked) if asked in list(By) else By.METHOD
    found = comparison.of_project(member.project, way)
    lines = [
        Line(_name(each.generator, way), each.generator.run, each.figures)
        for each in found.lines[way]
    ]
    context = {
        "project": member.project,
        "manages": member.role == Membership.Role.MANAGER,
        "ways": WAYS.items(),
        "chosen": way,  # the breadcrumbs of the page are `way`
        "way_name": WAYS[way],
        "lines": lines,
        "total": found.total if len(lines) > 1 else None,
    }
    return render(request, "annotation/runs/comparison.html", context)


def rows(project: Project, _asked: QueryDict) -> Iterator[Row]:
    """Yield a row for each generator in each way, after one for all of them."""
    found = comparison.of_project(project)
    yield ("all", *[""] * 7, *_cells(found.total))
    for way, lines in found.lines.items():
        for each in lines:
            of = each.generator
            parts = (of.method, of.preset, of.changed, of.models, of.kind, of.corpus, of.run)
            yield (way, *parts, *_cells(each.figures))


def _name(of: Generator, way: By) -> str:
    """Return a name such as “word swap: Recommended”, for a run “rivers, word swap #7”."""
    method = str(METHODS[of.method])
    if way is By.RUN:
        return f"{of.corpus}, {method} #{of.number}"
    more = {
        By.METHOD: "",
        By.PRESET: words.preset_title(of.method, of.preset, of.changed),
        By.MODELS: of.models,
        By.KIND: differences.kind_name(of.kind),
    }[way]
    return f"{method}: {more}" if more else method


def _cells(figures: Yield) -> Row:
    estimates: list[Estimate] = [getattr(figures, name) for name in SHARES]
    return (
        figures.candidates,
        figures.corrected,
        figures.pairs,
        figures.judged,
        figures.kept_pairs,
        figures.answers_per_kept,
        *(cell for each in estimates for cell in (each.value, *(each.interval or (None, None)))),
    )
