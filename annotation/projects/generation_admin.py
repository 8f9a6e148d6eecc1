"""The admin page that starts generation runs for a project, with the settings of their method."""

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse

from accounts.models import User
from annotation.errors import Refused
from annotation.models import Project
from annotation.projects.services import runs
from common import bounded_json
from common.admin import ModelAdmin
from generation import methods, tasks
from generation.errors import GenerationError
from generation.forms import SettingsForm
from generation.models import Corpus, GenerationRun, Method
from generation.services.runs import PREVIEW_SENTENCES

if TYPE_CHECKING:
    CorporaField = forms.ModelMultipleChoiceField[Corpus]
else:
    CorporaField = forms.ModelMultipleChoiceField


class GenerationForm(SettingsForm):
    """What new runs rewrite, and the settings of their method."""

    corpora = CorporaField(
        Corpus.objects.all(),
        widget=forms.CheckboxSelectMultiple,
        help_text="A separate run rewrites each corpus.",
    )
    seed = forms.IntegerField(min_value=0, max_value=bounded_json.MAX_INTEGER, initial=0)
    preview = forms.BooleanField(
        required=False,
        initial=True,
        label=f"Preview the first {PREVIEW_SENTENCES} sentences",
        help_text="The run then waits until someone has reviewed them and approves it.",
    )

    def start(self, project: Project, *, method: str, by: User) -> list[GenerationRun]:
        """Return the new runs; if none could start, return an empty list and set a form error."""
        values = {name: self.cleaned_data[name] for name in ("corpora", "seed", "preview")}
        values |= {"method": method, "settings": self.settings}
        try:
            return runs.start(project, **values, started_by=by)
        except (GenerationError, Refused) as error:
            self.add_error(None, str(error))
            return []


def may_start(request: HttpRequest) -> bool:
    """Return whether the user may add runs and change projects."""
    return request.user.has_perms(["generation.add_generationrun", "annotation.change_project"])


def start_generation(admin: ModelAdmin, request: HttpRequest, pk: int) -> HttpResponse:
    """Show the form, or start the runs. Raises PermissionDenied or Http404."""
    if not may_start(request):
        raise PermissionDenied
    project = get_object_or_404(Project, pk=pk)
    known = runs.methods_of(project)
    method = request.GET.get("method", known[0])
    if method not in known:
        raise Http404
    form = GenerationForm(request.POST or None, method=methods.named(method))
    by = cast(User, request.user)
    if form.is_valid() and (started := form.start(project, method=method, by=by)):
        return _started(admin, request, started)
    context: dict[str, Any] = admin.admin_site.each_context(request) | {
        "title": "Start generation",
        "subtitle": str(project),
        "opts": admin.opts,
        "project": project,
        "form": form,
        "method": method,
        "methods": [(name, Method(name).label) for name in known],
    }
    return TemplateResponse(request, "admin/annotation/project/generate.html", context)


def _started(admin: ModelAdmin, request: HttpRequest, started: list[GenerationRun]) -> HttpResponse:
    """Redirect to the run, or to the list if there are several."""
    for run in started:
        tasks.wake(run.pk)
    if len(started) == 1:
        admin.message_user(request, f"Started: {started[0]}.", messages.SUCCESS)
        return redirect("admin:generation_generationrun_change", started[0].pk)
    admin.message_user(request, f"{len(started)} runs started.", messages.SUCCESS)
    return redirect("admin:generation_generationrun_changelist")
