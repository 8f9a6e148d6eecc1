"""The admin page that starts generation runs for a project."""

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse

from accounts.models import User
from annotation.models import Project
from annotation.projects.services import runs
from common import bounded_json
from common.admin import ModelAdmin
from generation import methods, tasks
from generation.errors import BadSettings, GenerationError
from generation.models import Corpus, GenerationRun, Method
from generation.services.runs import PREVIEW_SENTENCES

if TYPE_CHECKING:
    CorporaField = forms.ModelMultipleChoiceField[Corpus]
else:
    CorporaField = forms.ModelMultipleChoiceField

TEMPLATE = "admin/annotation/project/generate.html"


def _methods() -> list[tuple[str, str]]:
    return [(name, Method(name).label) for name in methods.METHODS]


class GenerationForm(forms.Form):
    """Arguments for new runs, named as in `runs.start`."""

    corpora = CorporaField(
        Corpus.objects.all(),
        widget=forms.CheckboxSelectMultiple,
        help_text="A separate run rewrites each corpus.",
    )
    method = forms.ChoiceField(choices=_methods)
    settings = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 4, "cols": 60, "spellcheck": "false"}),
        initial="{}",
        max_length=bounded_json.MAX_BYTES,
        help_text='Override defaults (JSON): {"beam": 50}',
    )
    seed = forms.IntegerField(min_value=0, max_value=bounded_json.MAX_INTEGER, initial=0)
    preview = forms.BooleanField(
        required=False,
        initial=True,
        label=f"Preview the first {PREVIEW_SENTENCES} sentences",
        help_text="The run then waits until someone has reviewed them and approves it.",
    )

    def clean_settings(self) -> dict[str, Any]:
        """Return an object whose values can be stored."""
        try:
            settings = bounded_json.read(self.cleaned_data["settings"].encode())
        except (bounded_json.InvalidJSON, UnicodeEncodeError) as error:
            raise ValidationError(str(error)) from error
        if not isinstance(settings, dict):
            raise ValidationError('Settings are a JSON object, such as {"beam": 50}.')
        return settings

    def start(self, project: Project, *, by: User) -> list[GenerationRun]:
        """Return the new runs; if none could start, return an empty list and set a form error."""
        try:
            return runs.start(project, **self.cleaned_data, started_by=by)
        except GenerationError as error:
            self.add_error("settings" if isinstance(error, BadSettings) else None, str(error))
            return []


def may_start(request: HttpRequest) -> bool:
    """Return whether the user may add runs and change projects."""
    return request.user.has_perms(["generation.add_generationrun", "annotation.change_project"])


def page(admin: ModelAdmin, request: HttpRequest, pk: int) -> HttpResponse:
    """Show the form, or start the runs. Raises PermissionDenied or Http404."""
    if not may_start(request):
        raise PermissionDenied
    project = get_object_or_404(Project, pk=pk)
    form = GenerationForm(request.POST or None)
    if form.is_valid() and (started := form.start(project, by=cast(User, request.user))):
        return _started(admin, request, started)
    context = admin.admin_site.each_context(request) | {
        "title": "Start generation",
        "subtitle": str(project),
        "opts": admin.opts,
        "project": project,
        "form": form,
    }
    return TemplateResponse(request, TEMPLATE, context)


def _started(admin: ModelAdmin, request: HttpRequest, started: list[GenerationRun]) -> HttpResponse:
    """Redirect to the run, or to the list if there are several."""
    for run in started:
        tasks.wake(run.pk)
    if len(started) == 1:
        admin.message_user(request, f"Started: {started[0]}.", messages.SUCCESS)
        return redirect("admin:generation_generationrun_change", started[0].pk)
    admin.message_user(request, f"{len(started)} runs started.", messages.SUCCESS)
    return redirect("admin:generation_generationrun_changelist")
