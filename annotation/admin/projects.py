"""Projects: what they are about, by which protocol they go, and who is in them."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.html import format_html

from annotation.admin import generating
from annotation.admin.people import ROLES, MemberInline
from annotation.models import Intake, Judgment, Membership, Project, SentencePair
from annotation.selectors import progress, tables
from generation.admin.rows import Big, Frozen, ModelAdmin, link, listing
from generation.models import GenerationRun, Method

if TYPE_CHECKING:
    ProjectModelForm = forms.ModelForm[Project]
else:
    ProjectModelForm = forms.ModelForm

# What pairs are made by, and so must stand once there are any.
PROTOCOL = (
    "judgments_per_pair",
    "consensus_min_votes",
    "max_label",
    "paraphrase_from",
    "corrected_methods",
    "seed",
)
PROTOCOL_HELP = (
    "The defaults are those of PAWS: five people judge each pair, and it is kept when four agree. "
    "PARADE has three people, grades from 0 to 3, and counts 2 and 3 as paraphrase. "
    "None of this can be changed once the project has pairs."
)
PEOPLE_HELP = f"Make accounts under “Users”, then give them a place below. {ROLES}"

MOST_PEOPLE = 100


class ProjectForm(ProjectModelForm):
    """A project whose protocol holds together: the model's own constraints are checked."""

    corrected_methods = forms.MultipleChoiceField(
        choices=Method.choices,
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text="Candidates of these methods are corrected before they are judged",
    )

    class Meta:
        model = Project
        fields = "__all__"
        widgets = {"guidelines": forms.Textarea(attrs={"rows": 20, "cols": 100})}

    def clean_runs(self) -> QuerySet[GenerationRun]:
        """A run whose candidates have entered the project is part of its history."""
        chosen: QuerySet[GenerationRun] = self.cleaned_data["runs"]
        entered = GenerationRun.objects.filter(batches__intakes__project=self.instance.pk)
        if missing := entered.exclude(pk__in=chosen).first():
            raise ValidationError(f"Candidates of {missing} are in the project already.")
        return chosen


@admin.register(Project)
class ProjectAdmin(ModelAdmin):
    form = ProjectForm
    change_form_template = "admin/annotation/project/change_form.html"
    autocomplete_fields = ("runs",)
    list_display = ("name", "is_open", "protocol", "members", "pairs", "decided", "kept")
    list_editable = ("is_open",)
    list_filter = ("is_open",)
    search_fields = ("name", "description")
    fieldsets = (
        (None, {"fields": ("name", "description", "is_open", "progress", "created_at")}),
        ("For annotators", {"fields": ("guidelines", "lease_minutes")}),
        ("Protocol", {"fields": PROTOCOL, "description": PROTOCOL_HELP}),
        ("Sentences", {"fields": ("runs",)}),
        ("People", {"fields": ("members",), "description": PEOPLE_HELP}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Project]:
        return tables.of_projects(super().get_queryset(request))

    def get_urls(self) -> list[URLPattern]:
        """Runs are started for a project, from its page."""
        start = self.admin_site.admin_view(self.start_generation)
        own = path("<int:pk>/generate/", start, name="annotation_project_generate")
        return [own, *super().get_urls()]

    def start_generation(self, request: HttpRequest, pk: int) -> HttpResponse:
        return generating.page(self, request, pk)

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """The page links to where runs are started."""
        links = {"may_start_runs": generating.may_start(request)}
        response: HttpResponse = super().render_change_form(
            request, context | links, *args, **kwargs
        )
        return response

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        own = ("progress", "created_at", "members")
        return (*own, *PROTOCOL) if obj and tables.has_pairs(obj) else own

    @admin.display(description="protocol")
    def protocol(self, project: Project) -> str:
        """Such as “4 of 5, labels 0–1”."""
        votes = f"{project.consensus_min_votes} of {project.judgments_per_pair}"
        return f"{votes}, labels 0–{project.max_label}"

    def get_inlines(self, request: HttpRequest, obj: Any = None) -> tuple[type[MemberInline], ...]:
        """A crowd has its own table: a form with all of them would be too long to be sent."""
        return () if obj and obj.memberships.count() > MOST_PEOPLE else (MemberInline,)

    @admin.display(description="people")
    def members(self, project: Any) -> str:
        if project.pk is None:
            return "–"
        return listing(Membership, project.people, project__id__exact=project.pk)

    @admin.display(description="pairs")
    def pairs(self, project: Any) -> str:
        return listing(SentencePair, f"{project.pairs_made:,}", project__id__exact=project.pk)

    @admin.display(description="decided")
    def decided(self, project: Any) -> str:
        return _share(project.pairs_decided, project.pairs_made)

    @admin.display(description="kept")
    def kept(self, project: Any) -> str:
        return _share(project.pairs_kept, project.pairs_decided)

    @admin.display(description="progress")
    def progress(self, project: Project) -> str:
        if project.pk is None:
            return "–"
        now = progress.of_project(project)
        answers = listing(Judgment, f"{now.judgments:,} judgments", project__id__exact=project.pk)
        pairs = listing(SentencePair, f"{now.pairs:,} pairs", project__id__exact=project.pk)
        return format_html(
            "{} candidates, {} still to correct; {}, {}, {} still to come; {} decided, {} kept",
            f"{now.candidates:,}",
            f"{now.to_correct:,}",
            pairs,
            answers,
            f"{now.to_judge:,}",
            f"{now.decided:,}",
            f"{now.kept:,}",
        )


@admin.register(Intake)
class IntakeAdmin(Frozen, Big):
    """Which batches a project has taken in, and when."""

    list_display = ("batch_link", "project", "created_at")
    list_select_related = ("batch__run__corpus", "project")
    list_filter = ("project",)
    fields = ("project", "batch_link", "created_at")
    readonly_fields = ("batch_link",)

    @admin.display(description="batch")
    def batch_link(self, intake: Intake) -> str:
        return link(intake.batch)


def _share(part: int, whole: int) -> str:
    """Such as “120 (80%)”."""
    return f"{part:,} ({part / whole:.0%})" if whole else f"{part:,}"
