"""Forms of a translation study."""

from typing import TYPE_CHECKING, Any

from django import forms

from annotation.models import TranslationPlan
from annotation.projects.forms.projects import bounds
from annotation.translations.services import plans

if TYPE_CHECKING:
    PlanModelForm = forms.ModelForm[TranslationPlan]
else:
    PlanModelForm = forms.ModelForm


class PlanForm(PlanModelForm):
    """The settings of a plan; those that can no longer change are disabled."""

    class Meta:
        model = TranslationPlan
        fields = plans.SETTINGS

    @property
    def is_final(self) -> bool:
        return len(self.fixed) == len(self.fields)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options | {"label_suffix": "", "prefix": "plan"})
        self.fixed = plans.fixed_settings(self.instance)
        for name, field in self.fields.items():
            field.disabled = name in self.fixed
            attributes = bounds(TranslationPlan._meta.get_field(name))
            if isinstance(field, forms.FloatField):
                attributes["step"] = "any"  # type: ignore[assignment]
            field.widget.attrs |= attributes
