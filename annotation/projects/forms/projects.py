"""The form for a new project: its description and its protocol."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from annotation.projects.forms.fields import ProseField, number
from annotation.projects.services.settings import FIXED
from generation.models import Method

if TYPE_CHECKING:
    ProjectModelForm = forms.ModelForm[Project]
else:
    ProjectModelForm = forms.ModelForm

MOST_JUDGMENTS, MOST_LABEL, MOST_SEED = 100, 9, 2**63 - 1
METHODS = {
    Method.WORD_SWAP: _("Word swaps"),
    Method.BACK_TRANSLATION: _("Back translations"),
    Method.IMPORTED: _("Pairs made elsewhere"),
}
ORDERS = [
    (Project.Order.DEPTH, _("Pair by pair: each is finished before the next is begun")),
    (Project.Order.BREADTH, _("Round by round: every pair once before any is judged twice")),
]


def _methods() -> list[tuple[str, Any]]:
    return [(method.value, METHODS[method]) for method in Method]


class ProjectForm(ProjectModelForm):
    """The settings of a new project; contradictions are shown next to their field."""

    name = forms.CharField(label=_("Name"), max_length=100)
    description = ProseField(
        rows=3,
        label=_("Description"),
        help_text=_("A sentence or two for everybody in the project, on their first page."),
    )
    guidelines = ProseField(
        rows=14,
        label=_("Guidelines"),
        help_text=_("Shown beside the work. Markdown: # Heading, *stress*, - list, > quotation."),
    )
    judgments_per_pair = number(
        _("People who judge each pair"),
        _("Each alone. More make labels surer, and every pair dearer."),
        least=1,
        most=MOST_JUDGMENTS,
    )
    consensus_min_votes = number(
        _("Votes that keep a pair"),
        _("A pair is kept when at least so many are on one side."),
        least=1,
        most=MOST_JUDGMENTS,
    )
    decides_early = forms.BooleanField(
        label=_("A pair is decided as soon as so many agree"),
        help_text=_(
            "The others are not asked then: no label changes by it, and answers are saved. But who "
            "might have disagreed is not heard, so agreement looks higher than it is."
        ),
        required=False,
    )
    max_label = number(
        _("Highest grade"),
        _("1: different or same meaning. 3: grades from 0 to 3."),
        least=1,
        most=MOST_LABEL,
    )
    paraphrase_from = number(
        _("Paraphrase from grade"),
        _("Grades from this one on are votes for a paraphrase."),
        least=1,
        most=MOST_LABEL,
    )
    corrected_methods = forms.MultipleChoiceField(
        label=_("Corrected before they are judged"),
        help_text=_(
            "Somebody sees each such candidate alone first, and accepts, fixes or rejects it."
        ),
        choices=_methods,
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    order = forms.ChoiceField(label=_("Order of the work"), choices=ORDERS)
    seed = number(
        _("Seed"),
        _("Draws which sentence stands first. The same seed draws the same again."),
        least=0,
        most=MOST_SEED,
    )

    class Meta:
        model = Project
        fields = ["name", "description", "guidelines", *FIXED]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options | {"label_suffix": ""})

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        self._look_at_votes(values.get("judgments_per_pair"), values.get("consensus_min_votes"))
        self._look_at_scale(values.get("max_label"), values.get("paraphrase_from"))
        return values

    def _look_at_votes(self, people: int | None, votes: int | None) -> None:
        if people is not None and votes is not None and votes > people:
            text = _now("Of %(people)s people, %(votes)s cannot agree.")
            self.add_error("consensus_min_votes", text % {"people": people, "votes": votes})

    def _look_at_scale(self, highest: int | None, threshold: int | None) -> None:
        if highest is not None and threshold is not None and threshold > highest:
            text = _now("The highest grade is %(highest)s, so nothing would be a paraphrase.")
            self.add_error("paraphrase_from", text % {"highest": highest})
