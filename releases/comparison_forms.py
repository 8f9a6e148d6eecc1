"""The form of a comparison study."""

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from annotation.quality.services.qualification import MOST_PAIRS
from releases.forms import MOST_SEED
from releases.services import comparisons

MOST_SAMPLE, MOST_PEOPLE = 10_000, 100


class ComparisonForm(forms.Form):
    """The name of the new project, how many pairs it has, and for how many people."""

    name = forms.CharField(
        label=_("Name of the new project"), max_length=Project._meta.get_field("name").max_length
    )
    sample = forms.IntegerField(
        label=_("Pairs to judge"),
        help_text=_("Drawn at random from the judged pairs of the test set."),
        min_value=1,
        max_value=MOST_SAMPLE,
        initial=comparisons.SAMPLE,
    )
    taught = forms.IntegerField(
        label=_("Pairs to learn from"),
        help_text=_(
            "Drawn from the train set. People answer them first, in a qualification set that "
            "everyone passes, and then see the labels. 0 for none."
        ),
        min_value=0,
        max_value=MOST_PAIRS,
        initial=comparisons.TAUGHT,
    )
    people = forms.IntegerField(
        label=_("People who judge each pair"),
        help_text=_("An odd number always has a majority."),
        min_value=1,
        max_value=MOST_PEOPLE,
        initial=comparisons.PEOPLE,
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        help_text=_("The same seed draws the same pairs."),
        min_value=0,
        max_value=MOST_SEED,
        initial=0,
    )
