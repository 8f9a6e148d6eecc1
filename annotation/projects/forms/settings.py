"""Forms for the settings of a project and for adding a run."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from annotation.access import selectors
from annotation.models import Project
from annotation.projects.forms.fields import ProseField, number
from annotation.projects.forms.projects import ProjectForm
from annotation.projects.selectors import counts
from annotation.projects.selectors.settings import hidden_runs
from annotation.projects.services.settings import FIXED, SETTINGS, contradictions
from annotation.work import judge, kinds
from generation.models import GenerationRun

if TYPE_CHECKING:
    from accounts.models import User

    RunField = forms.ModelChoiceField[GenerationRun]
else:
    RunField = forms.ModelChoiceField

DAY_MINUTES, HOUR_SECONDS, MANY = 24 * 60, 60 * 60, 1_000_000
MOST_CRITERION = 200
SKIPPING = [
    (Project.Skipping.LATER, _("It comes back to the same person at the end")),
    (Project.Skipping.OTHERS, _("It goes to others, and never back to the same person")),
    (Project.Skipping.NEVER, _("It is set aside for everybody until a manager puts it back")),
    (Project.Skipping.FORBIDDEN, _("Skipping is not possible")),
]
HIGHLIGHTING = [
    (Project.Highlighting.CHOICE, _("Each annotator chooses whether they are marked")),
    (Project.Highlighting.ALWAYS, _("They are marked for everybody")),
    (Project.Highlighting.FORBIDDEN, _("Nothing is marked")),
]
ON_FLAG = [
    (Project.OnFlag.SHOW, _("Managers see it, and decide")),
    (Project.OnFlag.WARN, _("The annotator is told as well")),
    (Project.OnFlag.PAUSE, _("The annotator is paused as well")),
]


class SettingsForm(ProjectForm):
    """All settings; those that apply to existing pairs are disabled once there are any."""

    skipping = forms.ChoiceField(label=_("What happens to a skipped item"), choices=SKIPPING)
    highlighting = forms.ChoiceField(label=_("Words that differ"), choices=HIGHLIGHTING)
    idle_seconds = number(
        _("Idle after, in seconds"),
        _("Time without a key, a touch or a movement beyond this is not counted as work."),
        least=5,
        most=HOUR_SECONDS,
    )
    lease_minutes = number(
        _("Held for, in minutes"),
        _("An item that somebody opened and left goes back to the queue after this."),
        least=1,
        most=DAY_MINUTES,
    )
    consent = ProseField(
        rows=8,
        label=_("Consent text"),
        help_text=_("Markdown. Who has not agreed to it is given no work. Empty: nobody is asked."),
    )
    asks_qualification = forms.BooleanField(
        label=_("Only who passes the qualification set is given work"), required=False
    )
    pass_mark = number(
        _("Pass mark, in percent"),
        _("So much of the set must be answered as known."),
        least=0,
        most=100,
    )
    attempts = number(_("Attempts"), _("So often may somebody try."), least=1, most=20)
    gold_every = number(
        _("One hidden pair in so many"),
        _("Judgments of pairs whose answer is known, unmarked among the others. Empty: none."),
        least=2,
        most=1000,
        required=False,
    )
    floor_seconds = forms.FloatField(
        label=_("Too fast below, in seconds"),
        help_text=_("Nobody reads a pair in less: people with many such answers are flagged."),
        min_value=0,
        max_value=HOUR_SECONDS,
    )
    on_flag = forms.ChoiceField(label=_("When somebody is flagged"), choices=ON_FLAG)

    class Meta(ProjectForm.Meta):
        fields = [name for name in SETTINGS if name not in ("limits", "criteria")]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for kind in kinds.of(self.instance):
            label = format_lazy("{} ({})", _("Most answers of one person"), kind.title)
            limit = number(label, _("Empty: no limit."), least=1, most=MANY, required=False)
            limit.initial = self.instance.limits.get(kind.name)
            self.fields[f"limit_{kind.name}"] = limit
        for choice in judge.choices(self.instance):
            label = format_lazy("{}: {}", _("Criterion"), choice.name)
            criterion = forms.CharField(label=label, max_length=MOST_CRITERION, required=False)
            criterion.initial = self.instance.criteria.get(str(choice.value), "")
            self.fields[f"criterion_{choice.value}"] = criterion
        if counts.has_pairs(self.instance):
            for name in FIXED:
                self.fields[name].disabled = True

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        values["limits"] = self._together("limit_")
        values["criteria"] = self._together("criterion_")
        for name, reason in contradictions(self.instance, values).items():
            self.add_error(name, reason)
        return values

    @property
    def limits(self) -> list[forms.BoundField]:
        """The fields with the most answers of one person, for each kind of work."""
        return [self[name] for name in self.fields if name.startswith("limit_")]

    @property
    def criteria(self) -> list[forms.BoundField]:
        """The fields with the criterion of each label."""
        return [self[name] for name in self.fields if name.startswith("criterion_")]

    def settings(self) -> dict[str, Any]:
        """Return the cleaned values of SETTINGS."""
        return {name: self.cleaned_data[name] for name in SETTINGS if name in self.cleaned_data}

    def _together(self, prefix: str) -> dict[str, Any]:
        """The filled fields with a prefix, by the rest of their names."""
        return {
            name.removeprefix(prefix): value
            for name, value in self.cleaned_data.items()
            if name.startswith(prefix) and value not in (None, "")
        }


class RunForm(forms.Form):
    """A run that the person may see and that the project has not adopted yet."""

    run = RunField(GenerationRun.objects.none(), label=_("Run"))

    def __init__(self, *args: Any, project: Project, user: "User", **options: Any) -> None:
        super().__init__(*args, **options | {"label_suffix": ""})
        seen = selectors.steerable(user).exclude(projects=project).exclude(pk__in=hidden_runs())
        runs = seen.select_related("corpus").order_by("-pk")
        self.fields["run"].queryset = runs  # type: ignore[attr-defined]


class OpenForm(forms.Form):
    """Whether the project is open for work."""

    is_open = forms.BooleanField(required=False)
