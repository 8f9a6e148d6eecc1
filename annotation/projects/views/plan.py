"""The page Plan: what a study would give and cost. It stores nothing."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.functional import cached_property
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.models import User
from annotation.access import gates, readers
from annotation.access.gates import UNPROCESSABLE, Request
from annotation.models.scheme_field import in_words
from annotation.projects.protocols import PRESETS, of_project
from annotation.projects.selectors.measured import Figures, measured
from annotation.projects.views.project_form import check_that_creates
from annotation.stats import planning
from annotation.stats.planning import BadPlan, Study, plan, with_numbers
from common.forms import PercentField

MOST_PAIRS, MOST_PEOPLE, MOST_LIMIT = 1_000_000, 100_000, 1_000_000
LONGEST_SECONDS, MOST_PAY = 3_600, 1_000_000


def _whole(most: int, label: Any, help_text: Any = "", **options: Any) -> forms.IntegerField:
    return forms.IntegerField(
        min_value=1, max_value=most, label=label, help_text=help_text, **options
    )


class PlanForm(forms.Form):
    """Builds `study`; its contradictions are errors of the form."""

    basis = forms.ChoiceField(
        label=_("Labels as in"),
        help_text=_("A study with 200 answers or more also gives error rate and seconds."),
        initial="paws",
    )
    pairs = _whole(MOST_PAIRS, _("Pairs"), initial=1_000)
    people = _whole(MOST_PEOPLE, _("People"), initial=20)
    judgments_per_pair = _whole(
        planning.MOST_ANSWERS,
        _("People who judge each pair"),
        _("Empty: as in the preset or study above."),
        required=False,
    )
    consensus_min_votes = _whole(
        planning.MOST_ANSWERS,
        _("Votes needed to keep a pair"),
        _("Empty: as in the preset or study above."),
        required=False,
    )
    judgments_at_most = _whole(
        planning.MOST_ANSWERS,
        _("Most people per pair"),
        _("Where too few agree, one more person at a time is asked. Empty: as above."),
        required=False,
    )
    decides_early = forms.BooleanField(
        label=_("Stop early once enough people agree"), required=False
    )
    is_corrected = forms.BooleanField(
        label=_("One person corrects each pair first, and doesn’t judge it"), required=False
    )
    limit = _whole(MOST_LIMIT, _("Most answers per person"), required=False)
    error = PercentField(
        label=_("Wrong answers, in percent"),
        help_text=format_lazy(
            _("Empty: {number}, or as estimated in the study above."),
            number=round(100 * planning.ERROR),
        ),
        required=False,
    )
    hard_share = PercentField(
        label=_("Hard pairs, in percent"),
        help_text=format_lazy(
            _("Empty: {number}, or none as in a study, whose error rate is that of all pairs."),
            number=round(100 * planning.HARD_SHARE),
        ),
        required=False,
    )
    hard_error = PercentField(
        label=_("Wrong answers on hard pairs, in percent"), initial=planning.HARD_ERROR
    )
    seconds = forms.FloatField(
        label=_("Seconds per answer"),
        min_value=0.1,
        max_value=LONGEST_SECONDS,
        help_text=format_lazy(
            _("Empty: {number}, or the median in the study above."),
            number=round(planning.SECONDS),
        ),
        required=False,
    )
    pay_per_hour = forms.FloatField(
        label=_("Pay per hour"), min_value=0.01, max_value=MOST_PAY, required=False
    )

    study: Study

    def __init__(self, sent: dict[str, Any], *, user: User) -> None:
        initial = {name: field.initial for name, field in self.base_fields.items()}
        initial |= {"hard_error": f"{100 * planning.HARD_ERROR:g}"}
        super().__init__(initial | sent, label_suffix="")
        self.projects = {
            str(project.public_id): project
            for project in readers.projects(user).order_by("name")
            if project.judges
        }
        presets = [
            (preset.name, preset.title if preset.has_labels else _("Three labels of your own"))
            for preset in PRESETS.values()
        ]
        studies = [(name, project.name) for name, project in self.projects.items()]
        groups = {_("Presets"): presets, _("Your studies"): studies}
        choices = [(title, names) for title, names in groups.items() if names]
        self.fields["basis"].choices = choices  # type: ignore[attr-defined]

    @cached_property
    def preset(self) -> str:
        """The card of a new project with these labels."""
        basis: str = self.cleaned_data["basis"]
        if basis in PRESETS:
            return basis
        scheme = self.study.protocol.scheme
        names = (name for name, preset in PRESETS.items() if preset.protocol.scheme == scheme)
        return next(names, "empty")

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                self.study = self._study(values)
            except BadPlan as problem:
                self.add_error(None, in_words(problem))
        return values

    def _study(self, values: dict[str, Any]) -> Study:
        project = self.projects.get(values["basis"])
        protocol = of_project(project) if project else PRESETS[values["basis"]].protocol
        names = ("judgments_per_pair", "consensus_min_votes", "decides_early", "judgments_at_most")
        figures = measured(project) if project else Figures()
        others = ("pairs", "people", "hard_error", "pay_per_hour", "limit", "is_corrected")
        numbers: dict[str, Any] = {name: values[name] for name in others}
        numbers |= figures.changed(values)
        return Study(protocol=with_numbers(protocol, *(values[name] for name in names)), **numbers)


@gates.signed_in
@require_safe
def plan_study(request: Request) -> HttpResponse:
    """Show the plan of the numbers in the address, for people who may create projects."""
    check_that_creates(request)
    form = PlanForm(request.GET.dict(), user=request.user)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        planned = plan(form.study)
        context |= {"plan": planned, "lines": [planned.as_planned, *planned.alternatives]}
    status = 200 if form.is_valid() else UNPROCESSABLE
    return render(request, "annotation/setup/plan.html", context, status=status)
