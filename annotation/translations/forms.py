"""Forms of a translation study."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from annotation.models import TranslationPlan
from annotation.projects.forms.projects import bounds
from annotation.translations.services import plans
from common.forms import ModelForm, PercentField

SHARE = _("Translations to validate, in percent")
SHARE_HELP = _("Translators are not told which ones.")


class PlanForm(ModelForm[TranslationPlan]):
    """The settings of a plan; those that can no longer change are disabled."""

    validated_share = PercentField(label=SHARE, help_text=SHARE_HELP)
    most_error = PercentField(
        label=_("Word error rate to stay below, in percent"),
        help_text=_("It holds for the whole project and for each translator."),
    )

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
            if not isinstance(field, PercentField):
                field.widget.attrs |= bounds(TranslationPlan._meta.get_field(name))
