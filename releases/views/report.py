"""The tables of the report on a study as a file for a paper."""

import uuid

from django.http import HttpResponse
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from accounts import audit
from accounts.audited_acts import Act
from annotation.access import gates
from annotation.access.gates import Request
from releases.selectors import report_tables


@gates.signed_in
@require_safe
def report_latex(request: Request, project_id: uuid.UUID) -> HttpResponse:
    project = gates.reader(request, project_id).project
    audit.record_alone(Act.TABLE_EXPORTED, by=request.user, on=project, table="report")
    name = slugify(f"{project.name} tables") or "tables"
    return HttpResponse(
        report_tables.as_latex(project),
        content_type="application/x-tex; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="{name}.tex"',
            "Cache-Control": "no-store",
        },
    )
