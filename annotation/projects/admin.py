"""Admin pages of projects, read-only, and the page that starts generation runs for one."""

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.html import format_html

from accounts.models import User
from annotation.models import Intake, Judgment, Membership, Project, SentencePair
from annotation.projects import settings
from annotation.projects.selectors import progress
from annotation.projects.services import runs
from common import bounded_json
from common.admin import LargeTable, ModelAdmin, ReadOnly, link, listing
from generation import methods, tasks
from generation.errors import BadSettings, GenerationError
from generation.models import Corpus, GenerationRun, Method
from generation.services.runs import PREVIEW_SENTENCES

if TYPE_CHECKING:
    CorporaField = forms.ModelMultipleChoiceField[Corpus]
else:
    CorporaField = forms.ModelMultipleChoiceField


class GenerationForm(forms.Form):
    """Arguments for new runs, named as in `runs.start`."""

    corpora = CorporaField(
        Corpus.objects.all(),
        widget=forms.CheckboxSelectMultiple,
        help_text="A separate run rewrites each corpus.",
    )
    method = forms.ChoiceField(choices=[(name, Method(name).label) for name in methods.METHODS])
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


@admin.register(Project)
class ProjectAdmin(ReadOnly, ModelAdmin):
    """Managers create and change projects on pages of their own, which record each change."""

    change_form_template = "admin/annotation/project/change_form.html"
    list_display = ("name", "is_open", "protocol", "members", "pairs", "created_at")
    list_filter = ("is_open", "asks_qualification", "order", "max_label")
    search_fields = ("name", "description", "public_id")
    list_per_page = 50
    fieldsets = (
        (None, {"fields": ("name", "description", "is_open", "progress", "created_at")}),
        ("Work", {"fields": ("guidelines", *settings.WORK)}),
        ("Entrance", {"fields": settings.ENTRANCE}),
        ("Quality", {"fields": settings.QUALITY}),
        ("Protocol", {"fields": settings.PROTOCOL}),
        ("Sentences and people", {"fields": ("runs", "members")}),
    )
    readonly_fields = ("progress", "members")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Project]:
        rows: QuerySet[Project] = super().get_queryset(request)
        return rows.annotate(people=Count("memberships"))

    def get_urls(self) -> list[URLPattern]:
        """Add the page that starts runs for a project."""
        start = self.admin_site.admin_view(self.start_generation)
        own = path("<int:pk>/generate/", start, name="annotation_project_generate")
        return [own, *super().get_urls()]

    def start_generation(self, request: HttpRequest, pk: int) -> HttpResponse:
        return _generation(self, request, pk)

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Link to the page that starts runs."""
        context["may_start_runs"] = _may_start(request)
        response: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        return response

    @admin.display(description="protocol")
    def protocol(self, project: Project) -> str:
        """Summarize the protocol, such as “4 of 5, labels 0–1”."""
        votes = f"{project.consensus_min_votes} of {project.judgments_per_pair}"
        return f"{votes}, labels 0–{project.max_label}"

    @admin.display(description="people")
    def members(self, project: Any) -> str:
        return listing(Membership, project.people, project__id__exact=project.pk)

    @admin.display(description="pairs")
    def pairs(self, project: Project) -> str:
        """Link without a count: each project may have a million pairs."""
        return listing(SentencePair, "Its pairs", project__id__exact=project.pk)

    @admin.display(description="progress")
    def progress(self, project: Project) -> str:
        of = {name: f"{number:,}" for name, number in progress.of_project(project).items()}
        return format_html(
            "{} candidates, {} still to correct; {}, {}, {} still to come; {} decided, {} kept",
            of["candidates"],
            of["to_correct"],
            listing(SentencePair, f"{of['pairs']} pairs", project__id__exact=project.pk),
            listing(Judgment, f"{of['judgments']} judgments", project__id__exact=project.pk),
            of["to_judge"],
            of["decided"],
            of["kept"],
        )


@admin.register(Intake)
class IntakeAdmin(ReadOnly, LargeTable):
    """Batches that a project has taken in, and when."""

    list_display = ("batch_link", "project", "created_at")
    list_select_related = ("batch__run__corpus", "project")
    list_filter = ("project",)
    fields = ("project", "batch_link", "created_at")
    readonly_fields = ("batch_link",)

    @admin.display(description="batch")
    def batch_link(self, intake: Intake) -> str:
        return link(intake.batch)


def _may_start(request: HttpRequest) -> bool:
    """Return whether the user may add runs and change projects."""
    return request.user.has_perms(["generation.add_generationrun", "annotation.change_project"])


def _generation(admin: ModelAdmin, request: HttpRequest, pk: int) -> HttpResponse:
    """Show the form, or start the runs. Raises PermissionDenied or Http404."""
    if not _may_start(request):
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
