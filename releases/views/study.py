"""The first page of the settings: the study, and what is planned of its dataset."""

import copy
import uuid

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from annotation.access import gates
from annotation.access.gates import Request
from annotation.projects.views import settings
from common.bodies import LONG_TEXTS, takes_up_to
from releases.forms import StudyForm


@takes_up_to(LONG_TEXTS, gate=gates.manager_sends)
@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def study_settings(request: Request, project_id: uuid.UUID) -> HttpResponse:
    member = gates.manager(request, project_id, texts=True)
    form = StudyForm(request.POST or None, instance=copy.copy(member.project), page="study")
    return settings.edit(request, member, form)
