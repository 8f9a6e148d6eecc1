"""Files of labelled lines that managers bring: what became of the lines, in words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages

from annotation.errors import Refused
from annotation.labelled_lines import Report
from annotation.views.gates import Request
from generation.records import UnreadableFile


@dataclass(frozen=True, slots=True)
class Words:
    """How a page speaks of its lines.

    `added` and `duplicates` take a `count`; `reasons` say why a line was refused, and `otherwise`
    does where none of them is meant.
    """

    added: Any
    duplicates: Any
    reasons: Mapping[str, Any]
    otherwise: Any


def bring(
    request: Request, form: forms.Form, add: Callable[[], Report], words: Words
) -> Report | None:
    """Let `add` store what was sent, and say what became of it; None where the form says why
    nothing was stored."""
    if not form.is_valid():
        return None
    try:
        report = add()
    except (UnreadableFile, Refused) as error:
        form.add_error(None, str(error))
        return None
    if report.added:
        messages.success(request, words.added % {"count": report.added})
    if report.duplicates:
        messages.info(request, words.duplicates % {"count": report.duplicates})
    return report


def refusals(report: Report | None, words: Words) -> dict[str, Any]:
    """What the page is given of refused lines: their number, and the first with their reasons."""
    first = report.first_refusals if report else []
    return {
        "refused": report.refused.total() if report else 0,
        "refusals": [
            (each.line, words.reasons.get(each.reason, words.otherwise)) for each in first
        ],
    }
