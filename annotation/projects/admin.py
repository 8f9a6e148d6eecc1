"""Admin pages of projects."""

from functools import wraps
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html

from accounts.admin_tables import staff_sends
from accounts.models import User
from annotation.imports.services import corpora
from annotation.models import Intake, Judgment, Membership, Project, Role, SentencePair
from annotation.people.admin import ROLES, MemberInline
from annotation.projects import additions, settings
from annotation.projects.forms.projects import contradictions, field_like
from annotation.projects.selectors import progress
from annotation.projects.services import projects
from annotation.runs import services as runs
from annotation.runs.selectors.runs import gold_runs
from common.admin import ByServices, LargeTable, OffersDeletion, ReadOnly, column, link, listing
from common.bodies import LONG_TEXTS, takes_up_to
from common.forms import ModelForm, ProseField
from common.program import PROGRAM
from generation.models import OF_PAIRS, Corpus, GenerationRun

PROTOCOL_HELP = (
    "The defaults are those of PAWS: five people judge each pair, and it is kept when four agree. "
    "PARADE has three people, grades from 0 to 3, and counts 2 and 3 as paraphrase. "
    "None of this can be changed once the project has candidates or pairs."
)
PEOPLE_HELP = f"Make accounts under “Users”, then give them a place below. {ROLES}"

MOST_PEOPLE = 100
# What a project consists of besides its settings, with the services that add and remove it.
SENTENCES: dict[str, Any] = {"runs": runs, "corpora": corpora}
ABOUT = ("name", "description", "contact", "is_open", "archived_at", "progress", "created_at")


class ProjectForm(ModelForm[Project]):
    """A project form that also checks the constraints of the model."""

    description = field_like("description", ProseField, rows=3)
    guidelines = field_like("guidelines", ProseField, rows=20)
    consent = field_like("consent", ProseField)
    corrected_methods = field_like(
        "corrected_methods",
        forms.MultipleChoiceField,
        choices=OF_PAIRS,
        widget=forms.CheckboxSelectMultiple,
    )

    class Meta:
        model = Project
        fields = "__all__"

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        for name, reason in contradictions(self.instance, values).items():
            self.add_error(name, reason)
        self._check_corpora(values)
        return values

    def clean_runs(self) -> QuerySet[GenerationRun]:
        """Refuse to remove a run once any of its candidates has entered the project."""
        runs: QuerySet[GenerationRun] = self.cleaned_data["runs"]
        entered = GenerationRun.objects.filter(batches__intakes__project=self.instance.pk)
        if missing := entered.exclude(pk__in=runs).first():
            raise ValidationError(f"{missing} has already been added to the project.")
        new = runs.exclude(projects=self.instance.pk)
        self._refuse_additions(new)
        if hidden := runs.filter(pk__in=gold_runs()).first():
            raise ValidationError(
                f"{hidden} contains gold pairs, which cannot be added to a project."
            )
        if useless := new.exclude(method__in=dict(OF_PAIRS)).first():
            raise ValidationError(
                f"{useless} makes no pairs to judge. Start it with {PROGRAM} generate."
            )
        return runs

    def clean_corpora(self) -> QuerySet[Corpus]:
        corpora: QuerySet[Corpus] = self.cleaned_data["corpora"]
        self._refuse_additions(corpora.exclude(projects=self.instance.pk))
        return corpora

    def _refuse_additions(self, new: QuerySet[Any]) -> None:
        """Refuse what is new to a project whose pairs are complete."""
        if new and (reason := additions.refusal(self.instance)):
            raise ValidationError(reason)

    def _check_corpora(self, values: dict[str, Any]) -> None:
        """Refuse to remove a corpus that runs of the project rewrite."""
        rewritten = Corpus.objects.filter(generationrun__in=values.get("runs", ()))
        kept = rewritten.filter(projects=self.instance.pk)
        if missing := kept.exclude(pk__in=values.get("corpora", rewritten)).first():
            self.add_error("corpora", f"The project has runs of {missing}, so it stays.")


def sends_long_texts(view: Any) -> Any:
    @takes_up_to(LONG_TEXTS, gate=staff_sends)
    @wraps(view)
    def sending(*arguments: Any, **options: Any) -> Any:
        return view(*arguments, **options)

    return sending


@admin.register(Project)
class ProjectAdmin(OffersDeletion, ByServices):
    form = ProjectForm
    add_view = sends_long_texts(ByServices.add_view)
    change_view = sends_long_texts(ByServices.change_view)
    autocomplete_fields = ("corpora", "runs")
    actions = ("open_projects", "close_projects")
    list_display = ("name", "is_open", "archived_at", "protocol", "members", "pairs", "created_at")
    list_filter = (
        "is_open",
        ("archived_at", admin.EmptyFieldListFilter),
        "asks_qualification",
        "order",
    )
    search_fields = ("name", "description", "public_id")
    list_per_page = 50
    fieldsets = (
        (None, {"fields": ABOUT}),
        ("Work", {"fields": settings.WORK}),
        ("Entrance", {"fields": (*settings.ENTRANCE, *settings.QUESTIONS)}),
        ("Quality", {"fields": settings.QUALITY}),
        ("Protocol", {"fields": settings.PROTOCOL, "description": PROTOCOL_HELP}),
        ("Sentences", {"fields": ("corpora", "runs")}),
        ("People", {"fields": ("members",), "description": PEOPLE_HELP}),
    )

    def has_change_permission(self, request: HttpRequest, obj: Project | None = None) -> bool:
        """Archived projects are read-only here as well; a manager restores them."""
        is_archived = obj is not None and obj.archived_at is not None
        return not is_archived and super().has_change_permission(request, obj)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Project]:
        rows: QuerySet[Project] = super().get_queryset(request)
        return rows.annotate(people=Count("memberships"))

    def save_model(self, request: HttpRequest, obj: Project, form: Any, change: bool) -> None:
        """Write through the services, as the pages do."""
        by = cast(User, request.user)
        changed = [name for name in form.changed_data if name not in SENTENCES]
        values = {name: form.cleaned_data[name] for name in changed}
        if change:
            projects.change(obj, values, by=by)
        else:
            obj.pk = projects.create(**values, by=by).pk
        obj.refresh_from_db()

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Write runs, corpora and members through the services; a new project has a manager."""
        by, project = cast(User, request.user), form.instance
        # Read first: to add a run adds its corpus.
        before = {name: set(getattr(project, name).all()) for name in SENTENCES}
        for name, service in SENTENCES.items():
            rows = set(form.cleaned_data.get(name, before[name]))
            for row in rows - before[name]:
                service.add(project, row, by=by)
            for row in before[name] - rows:
                service.remove(project, row, by=by)
        for formset in formsets:
            self.save_formset(request, form, formset, change=change)
        managers = project.memberships.filter(role=Role.MANAGER)
        if not change and not managers.exists():
            projects.add_member(project, by, role=Role.MANAGER, by=by)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Write members through the services, as the pages do."""
        for member_form in formset.forms:
            if member_form.has_changed():
                member_form.instance.project = form.instance
                member_form.write(cast(User, request.user))
        formset.new_objects, formset.changed_objects, formset.deleted_objects = [], [], []

    @admin.action(description="Open: annotators get work", permissions=["change"])
    def open_projects(self, request: HttpRequest, chosen: QuerySet[Project]) -> None:
        self._open(request, chosen, is_open=True)

    @admin.action(description="Close: no one gets work", permissions=["change"])
    def close_projects(self, request: HttpRequest, chosen: QuerySet[Project]) -> None:
        self._open(request, chosen, is_open=False)

    def _open(self, request: HttpRequest, chosen: QuerySet[Project], *, is_open: bool) -> None:
        by, rows = cast(User, request.user), chosen.filter(archived_at=None)
        for project in rows:
            projects.change(project, {"is_open": is_open}, by=by)
        state = "open" if is_open else "closed"
        number = f"{len(rows)} project is" if len(rows) == 1 else f"{len(rows)} projects are"
        self.message_user(request, f"{number} {state}.", messages.SUCCESS)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        always = ("progress", "created_at", "archived_at", "members")
        return (*always, *settings.PROTOCOL) if obj and obj.items.exists() else always

    def get_inlines(self, request: HttpRequest, obj: Any = None) -> tuple[type[MemberInline], ...]:
        """Leave out the members of large projects: the form would be too long to submit."""
        return () if obj and obj.memberships.count() > MOST_PEOPLE else (MemberInline,)

    @admin.display(description="protocol")
    def protocol(self, project: Project) -> str:
        """Summarize the protocol, such as “4 of 5, 2 labels”."""
        votes = f"{project.consensus_min_votes} of {project.judgments_per_pair}"
        if project.judgments_at_most:
            votes += f", up to {project.judgments_at_most}"
        return f"{votes}, {project.scheme.size} labels"

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
        figures = {name: f"{number:,}" for name, number in progress.of_project(project).items()}
        return format_html(
            "{} candidates, {} still to correct; {}, {}, {} still to come; {} decided, {} kept",
            figures["candidates"],
            figures["to_correct"],
            listing(SentencePair, f"{figures['pairs']} pairs", project__id__exact=project.pk),
            listing(Judgment, f"{figures['judgments']} judgments", project__id__exact=project.pk),
            figures["to_judge"],
            figures["decided"],
            figures["kept"],
        )


@admin.register(Intake)
class IntakeAdmin(ReadOnly, LargeTable):
    """Batches that a project has taken in, and when."""

    list_display = ("batch_link", "project", "created_at")
    list_select_related = ("batch__run__corpus", "project")
    list_filter = ("project",)
    fields = ("project", "batch_link", "created_at")
    readonly_fields = ("batch_link",)
    batch_link = column("batch", "batch", show=link)
