"""Manager page for gold pairs: the results of each pair."""

import uuid
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.pairs import differences
from annotation.pairs.differences import Piece
from annotation.projects.views import table_page
from annotation.quality.selectors import answers
from annotation.work import judge

TEMPLATE = "annotation/setup/gold_pairs.html"


@dataclass(frozen=True, slots=True)
class Line:
    """A gold pair in the table."""

    pair: Any
    sentences: tuple[list[Piece], list[Piece]]


@gates.signed_in
@require_safe
def gold_pairs(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the table, most missed pairs first."""
    member = gates.manager(request, project_id)
    choices = judge.choices(member.project)
    context: dict[str, Any] = table_page.frame(member) | {
        "lines": [_line(pair) for pair in answers.gold_pairs(member.project)],
        "names": {answer.value: answer.name for answer in choices},
    }
    return render(request, TEMPLATE, context)


def _line(pair: Any) -> Line:
    return Line(pair, differences.of(pair.sentence1.text, pair.sentence2.text))
