"""Admin pages of projects, and the page that starts generation runs for one."""

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
from annotation.models import Intake, Judgment, Membership, Project, Role, SentencePair
from annotation.people.admin import ROLES, MemberInline
from annotation.projects import settings
from annotation.projects.forms.projects import contradictions, gold_runs, like
from annotation.projects.selectors import progress
from annotation.projects.services import projects, runs
from common import bounded_json
from common.admin import ByServices, LargeTable, ModelAdmin, ReadOnly, link, listing
from common.forms import ProseField
from generation import methods, tasks
from generation.errors import BadSettings, GenerationError
from generation.models import Corpus, GenerationRun, Method
from generation.services.runs import PREVIEW_SENTENCES

if TYPE_CHECKING:
    CorporaField = forms.ModelMultipleChoiceField[Corpus]
    ProjectModelForm = forms.ModelForm[Project]
else:
    CorporaField, ProjectModelForm = forms.ModelMultipleChoiceField, forms.ModelForm

PROTOCOL_HELP = (
    "The defaults are those of PAWS: five people judge each pair, and it is kept when four agree. "
    "PARADE has three people, grades from 0 to 3, and counts 2 and 3 as paraphrase. "
    "None of this can be changed once the project has candidates or pairs."
)
PEOPLE_HELP = f"Make accounts under “Users”, then give them a place below. {ROLES}"

MOST_PEOPLE = 100
ABOUT = ("name", "description", "contact", "is_open", "archived_at", "progress", "created_at")


class ProjectForm(ProjectModelForm):
    """A project form that also checks the constraints of the model."""

    description = like("description", ProseField, rows=3)
    guidelines = like("guidelines", ProseField, rows=20)
    consent = like("consent", ProseField)
    corrected_methods = like(
        "corrected_methods",
        forms.MultipleChoiceField,
        choices=Method.choices,
        widget=forms.CheckboxSelectMultiple,
    )

    class Meta:
        model = Project
        fields = "__all__"

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        for name, reason in contradictions(self.instance, values).items():
            self.add_error(name, reason)
        return values

    def clean_runs(self) -> QuerySet[GenerationRun]:
        """Refuse to remove a run once any of its candidates has entered the project."""
        chosen: QuerySet[GenerationRun] = self.cleaned_data["runs"]
        entered = GenerationRun.objects.filter(batches__intakes__project=self.instance.pk)
        if missing := entered.exclude(pk__in=chosen).first():
            raise ValidationError(f"{missing} has already been added to the project.")
        if hidden := chosen.filter(pk__in=gold_runs()).first():
            raise ValidationError(
                f"{hidden} contains gold pairs, which cannot be added to a project."
            )
        return chosen


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
class ProjectAdmin(ByServices):
    form = ProjectForm
    autocomplete_fields = ("runs",)
    actions = ("open_projects", "close_projects")
    change_form_template = "admin/annotation/project/change_form.html"
    list_display = ("name", "is_open", "archived_at", "protocol", "members", "pairs", "created_at")
    list_filter = (
        "is_open",
        ("archived_at", admin.EmptyFieldListFilter),
        "asks_qualification",
        "order",
        "max_label",
    )
    search_fields = ("name", "description", "public_id")
    list_per_page = 50
    fieldsets = (
        (None, {"fields": ABOUT}),
        ("Work", {"fields": ("guidelines", *settings.WORK)}),
        ("Entrance", {"fields": settings.ENTRANCE}),
        ("Quality", {"fields": settings.QUALITY}),
        ("Protocol", {"fields": settings.PROTOCOL, "description": PROTOCOL_HELP}),
        ("Sentences", {"fields": ("runs",)}),
        ("People", {"fields": ("members",), "description": PEOPLE_HELP}),
    )

    def has_change_permission(self, request: HttpRequest, obj: Project | None = None) -> bool:
        """Archived projects are read-only here as well; a manager restores them."""
        is_archived = obj is not None and obj.archived_at is not None
        return not is_archived and super().has_change_permission(request, obj)

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

    def save_model(self, request: HttpRequest, obj: Project, form: Any, change: bool) -> None:
        """Write through the services, as the pages do."""
        by = cast(User, request.user)
        changed = [name for name in form.changed_data if name != "runs"]
        values = {name: form.cleaned_data[name] for name in changed}
        if change:
            projects.change(obj, values, by=by)
        else:
            obj.pk = projects.create(**values, by=by).pk
        obj.refresh_from_db()

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Add and remove runs through the services, then members; a new project has a manager."""
        by, project = cast(User, request.user), form.instance
        before = set(project.runs.all())
        chosen = set(form.cleaned_data.get("runs", before))
        for run in chosen - before:
            runs.add(project, run, by=by)
        for run in before - chosen:
            runs.remove(project, run, by=by)
        for formset in formsets:
            self.save_formset(request, form, formset, change=change)
        managers = project.memberships.filter(role=Role.MANAGER)
        if not change and not managers.exists():
            projects.add_member(project, by, role=Role.MANAGER, by=by)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Write members through the services, as the pages do."""
        for each in formset.forms:
            if each.has_changed():
                each.instance.project = form.instance
                each.write(cast(User, request.user))
        formset.new_objects, formset.changed_objects, formset.deleted_objects = [], [], []

    @admin.action(description="Open: annotators get work", permissions=["change"])
    def open_projects(self, request: HttpRequest, chosen: QuerySet[Project]) -> None:
        self._open(request, chosen, is_open=True)

    @admin.action(description="Close: no one gets work", permissions=["change"])
    def close_projects(self, request: HttpRequest, chosen: QuerySet[Project]) -> None:
        self._open(request, chosen, is_open=False)

    def _open(self, request: HttpRequest, chosen: QuerySet[Project], *, is_open: bool) -> None:
        by, chosen = cast(User, request.user), chosen.filter(archived_at=None)
        for project in chosen:
            projects.change(project, {"is_open": is_open}, by=by)
        done = "open" if is_open else "closed"
        number = f"{len(chosen)} project is" if len(chosen) == 1 else f"{len(chosen)} projects are"
        self.message_user(request, f"{number} {done}.", messages.SUCCESS)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        own = ("progress", "created_at", "archived_at", "members")
        return (*own, *settings.PROTOCOL) if obj and obj.items.exists() else own

    def get_inlines(self, request: HttpRequest, obj: Any = None) -> tuple[type[MemberInline], ...]:
        """Leave out the members of large projects: the form would be too long to submit."""
        return () if obj and obj.memberships.count() > MOST_PEOPLE else (MemberInline,)

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
        if project.pk is None:
            return "–"
        return listing(Membership, project.people, project__id__exact=project.pk)

    @admin.display(description="pairs")
    def pairs(self, project: Project) -> str:
        """Link without a count: each project may have a million pairs."""
        return listing(SentencePair, "Its pairs", project__id__exact=project.pk)

    @admin.display(description="progress")
    def progress(self, project: Project) -> str:
        if project.pk is None:
            return "–"
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
