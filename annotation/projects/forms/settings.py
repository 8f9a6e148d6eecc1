"""Forms for the settings of a project and for adding a run."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.access import selectors
from annotation.models import Project
from annotation.projects.forms.fields import ProseField, number
from annotation.projects.forms.projects import ProjectForm
from annotation.projects.selectors import counts
from annotation.projects.selectors.settings import hidden_runs
from annotation.projects.services.settings import FIXED, SETTINGS, contradictions
from generation.models import GenerationRun

if TYPE_CHECKING:
    from accounts.models import User

    RunField = forms.ModelChoiceField[GenerationRun]
else:
    RunField = forms.ModelChoiceField

DAY_MINUTES, HOUR_SECONDS, MANY = 24 * 60, 60 * 60, 1_000_000
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
    most_judgments = number(
        _("Most judgments of one person"), _("Empty: no limit."), least=1, most=MANY, required=False
    )
    most_corrections = number(
        _("Most corrections of one person"),
        _("Empty: no limit."),
        least=1,
        most=MANY,
        required=False,
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
    known_every = number(
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
        fields = list(SETTINGS)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if counts.has_pairs(self.instance):
            for name in FIXED:
                self.fields[name].disabled = True

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        for name, reason in contradictions(self.instance, values).items():
            self.add_error(name, reason)
        return values


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
