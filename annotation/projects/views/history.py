"""The history of a project, for managers."""

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from accounts import audit
from accounts.models import AuditEntry
from annotation.access import gates
from annotation.access.gates import Request
from annotation.models import Import
from annotation.people.forms import ROLES
from annotation.projects.forms.filters import HistoryForm
from annotation.projects.forms.projects import SettingsForm
from annotation.projects.labels import listed
from annotation.projects.selectors.history import PEOPLE, names_of, people_in
from annotation.projects.views import table_page
from annotation.runs.method_names import METHOD_NAMES
from annotation.stats.labels import Scheme
from annotation.translations.forms import PlanForm
from common import keyset, spreadsheets
from common.forms import PercentField

TEMPLATE = "annotation/study/history.html"
COLUMNS = ("at", "by", "act", "kind", "id", "details")
PAGE, ROWS_PER_FETCH = 50, 2000

KINDS: dict[str, str | Promise] = {
    "annotatorquestion": gettext_lazy("question about annotators"),
    "commentthread": gettext_lazy("notes"),
    "correction": gettext_lazy("candidate"),
    "import": gettext_lazy("import"),
    "generationrun": gettext_lazy("run"),
    "model": gettext_lazy("model"),
    "invitation": gettext_lazy("invitation"),
    "qualificationpair": gettext_lazy("qualification pair"),
    "item": gettext_lazy("item"),
    "sentencepair": gettext_lazy("pair"),
}
WORDS: dict[str, str | Promise] = {
    "above": gettext_lazy("best annotators: kappa above"),
    "action": gettext_lazy("step"),
    "answers": gettext_lazy("answers"),
    "below": gettext_lazy("kappa below"),
    "best": gettext_lazy("best annotators"),
    "corpus": gettext_lazy("corpus"),
    "dataset": gettext_lazy("dataset"),
    "file": gettext_lazy("file"),
    "fewest": gettext_lazy("decided pairs that a kappa needs"),
    "for_anybody": gettext_lazy("open to everyone"),
    "is_open": gettext_lazy("open for work"),
    "kinds": gettext_lazy("Work"),
    "label": gettext_lazy("label"),
    "labels": gettext_lazy("labels"),
    "language": gettext_lazy("language"),
    "level": gettext_lazy("priority"),
    "licence": gettext_lazy("licence"),
    "low": gettext_lazy("low annotators"),
    "method": gettext_lazy("method"),
    "other": gettext_lazy("other account"),
    "most": gettext_lazy("best annotators at most"),
    "most_people": gettext_lazy("people"),
    "pairs": gettext_lazy("pairs"),
    "preview": gettext_lazy("preview"),
    "repository": gettext_lazy("repository"),
    "role": gettext_lazy("role"),
    "rows": gettext_lazy("rows"),
    "source": gettext_lazy("source"),
    "table": gettext_lazy("table"),
    "sentences": gettext_lazy("sentences"),
    "translations": gettext_lazy("translations"),
    "until": gettext_lazy("until"),
    "url": gettext_lazy("address"),
    "version": gettext_lazy("version"),
    "what": gettext_lazy("content"),
}

VALUES: dict[str, str | Promise] = {
    str(name): word
    for name, word in (*ROLES.items(), *METHOD_NAMES.items(), *Import.Kind.choices)
    if name
}


@dataclass(frozen=True, slots=True)
class Line:
    """A history entry in words."""

    entry: AuditEntry
    act: str
    subject: str
    details: list[str]


@gates.signed_in
@require_safe
def history(request: Request, project_id: uuid.UUID) -> HttpResponse:
    member = gates.manager(request, project_id)
    form = HistoryForm(request.GET, project=member.project)
    context: dict[str, Any] = table_page.frame(member) | {"form": form}
    if not form.is_valid():
        return table_page.refuse(request, TEMPLATE, context)
    rows = form.chosen()
    page = keyset.page(rows, columns=["-id"], size=PAGE, **form.page_keys(1))
    names = names_of(member.project, page.rows)
    context |= {
        "lines": [line_of(entry, names) for entry in page.rows],
        "number": rows.count(),
        "links": table_page.links(request.GET, page),
    }
    return render(request, TEMPLATE, context)


@gates.signed_in
@require_safe
def history_file(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Download the same rows as CSV, as stored."""
    member = gates.manager(request, project_id)
    form = table_page.valid_or_404(HistoryForm(request.GET, project=member.project))
    rows = map(_row, form.chosen().iterator(ROWS_PER_FETCH))
    return table_page.download(request, member.project, "history", COLUMNS, rows)


def _row(entry: AuditEntry) -> tuple[spreadsheets.Cell, ...]:
    by = entry.by.get_username() if entry.by else None
    details = json.dumps(entry.details, ensure_ascii=False) if entry.details else None
    return entry.at, by, entry.act, entry.kind, str(entry.public_id or ""), details


def line_of(entry: AuditEntry, names: Mapping[uuid.UUID, str]) -> Line:
    """Return an entry in words; `names` are those of people and rows, by public id."""
    subject = names.get(entry.public_id, "") if entry.public_id else ""
    if not subject and entry.kind in KINDS:
        subject = f"{KINDS[entry.kind]} {str(entry.public_id)[:8]}"
    details = dict(entry.details)
    for name in PEOPLE:
        if people := people_in(entry, name):
            details[name] = [names.get(uuid.UUID(key), key[:8]) for key in people]
    return Line(entry, audit.name_of(entry), subject, _describe_details(details))


def _describe_details(details: Mapping[str, Any]) -> list[str]:
    """Describe each detail in words; changes with old and new value, and texts by name only."""
    facts = [
        f"{_word(name)}: {_phrase(value)}"
        for name, value in details.items()
        if name not in ("values", "texts")
    ]
    changes = [
        f"{_word(name)}: {_phrase_of(name, old)} → {_phrase_of(name, new)}"
        for name, (old, new) in details.get("values", {}).items()
    ]
    return [*facts, *changes, *(str(_word(name)) for name in details.get("texts", []))]


def _word(name: str) -> str | Promise:
    field = SettingsForm.base_fields.get(name) or PlanForm.base_fields.get(name)
    return WORDS.get(name) or (field.label if field and field.label else name)


def _phrase_of(name: str, value: Any) -> str:
    if name == "scheme":
        return listed(Scheme.from_dict(value))
    field = PlanForm.base_fields.get(name)
    return _phrase(field.prepare_value(value) if isinstance(field, PercentField) else value)


def _phrase(value: Any) -> str:
    if isinstance(value, str) and value in VALUES:
        return str(VALUES[value])
    if isinstance(value, list):
        return ", ".join(map(_phrase, value)) or "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return "–" if value in (None, "") else str(value)
