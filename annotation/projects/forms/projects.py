"""Forms for a project and its settings; labels, help and bounds are those of the model's fields."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.functional import cached_property
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from annotation.models import Project
from annotation.models.crowd import most_answers
from annotation.projects import settings
from annotation.projects.forms.scheme import SchemeInput
from annotation.projects.labels import label_names, listed
from annotation.projects.services import projects
from annotation.runs.method_names import JUDGED_METHODS, METHOD_NAMES
from annotation.runs.selectors.runs import methods_in
from annotation.stats.labels import Scheme
from annotation.work import judge, kinds
from common.forms import ModelForm, ProseField

MANY, MOST_CRITERION, MOST_EXAMPLE = 1_000_000, 200, 1_000
# Settings with a field for each kind of work or label, and the beginning of the fields' names.
LOOKS = ("criterion", "example", "key", "colour")
EXPANDED = {"limits": ("limit_",), "label_looks": tuple(f"{name}_" for name in LOOKS)}
CRITERION_HELP = _("Shown next to the button of this label.")
EXAMPLE_HELP = _(
    "An example pair for this label, which annotators can open beside the pair: both sentences and "
    "the reason, each on its own line."
)
KEY_HELP = _("A letter, digit or sign that chooses this label. Leave empty for the usual key.")
# The settings of a study where votes do not decide: they are not asked for.
NO_VOTES = {"consensus_min_votes": 1, "decides_early": False, "judgments_at_most": None}
# In a pane of their own: texts with a preview, and what is about questions.
SHOWN_APART = ("guidelines", "consent", *settings.QUESTIONS)


def field_like(name: str, form_class: type[forms.Field], **options: Any) -> Any:
    """Return a form field with the label and help text of a setting."""
    field: Any = Project._meta.get_field(name)
    return form_class(
        label=field.verbose_name, help_text=field.help_text, required=not field.blank, **options
    )


class ProjectForm(ModelForm[Project]):
    """Name and protocol of a new project; contradictions are shown next to their field."""

    scheme = field_like("scheme", SchemeInput)
    corrected_methods = field_like(
        "corrected_methods",
        forms.MultipleChoiceField,
        choices=[(name, METHOD_NAMES[name]) for name in JUDGED_METHODS],
        widget=forms.CheckboxSelectMultiple,
    )

    class Meta:
        model = Project
        fields: tuple[str, ...] = ("name", *settings.PROTOCOL)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options | {"label_suffix": ""})
        for name, field in self.fields.items():
            limits = bounds(Project._meta.get_field(name))
            field.widget.attrs |= limits
            if "min" in limits:  # rather than the type's own, which is 0
                others = [rule for rule in field.validators if type(rule) is not MinValueValidator]
                field.validators = [*others, MinValueValidator(limits["min"])]

    def clean(self) -> dict[str, Any]:
        """Ask for no votes where they do not decide."""
        values: dict[str, Any] = super().clean() or self.cleaned_data
        scheme = values.get("scheme")
        if scheme and not scheme.decides:
            for name in NO_VOTES:
                self.errors.pop(name, None)
            values |= {name: value for name, value in NO_VOTES.items() if name in self.fields}
        return values

    @property
    def protocol(self) -> list[forms.BoundField]:
        return [self[name] for name in settings.PROTOCOL]


class ExampleField(ProseField):
    """Both sentences of a pair and the reason for its label, on three lines."""

    def clean(self, value: Any) -> str:
        lines = [line.strip() for line in str(super().clean(value)).splitlines() if line.strip()]
        if lines and len(lines) != 3:
            raise forms.ValidationError(
                gettext("Enter three lines: the first sentence, the second one and the reason.")
            )
        return "\n".join(lines)


class SettingsForm(ProjectForm):
    """The settings of a page; the protocol is disabled once there are candidates or pairs."""

    description = field_like("description", ProseField, rows=3)
    guidelines = field_like("guidelines", ProseField, rows=14)
    consent = field_like("consent", ProseField, rows=8)
    reason_labels = field_like(
        "reason_labels",
        forms.TypedMultipleChoiceField,
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
    )

    class Meta(ProjectForm.Meta):
        fields = tuple(name for name in settings.SETTINGS if name not in EXPANDED)

    def __init__(self, *args: Any, page: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self.page, self.names = page, settings.in_effect(self.instance, page)
        self.template = f"annotation/setup/parts/{page}_settings.html"
        for name in {*self.fields} - {*self.names}:
            del self.fields[name]
        if "reason_labels" in self.names:
            scheme = self.instance.scheme
            labels = zip(scheme.values, label_names(scheme), strict=True)
            self.fields["reason_labels"].choices = list(labels)  # type: ignore[attr-defined]
        if "limits" in self.names:
            self._add_limits()
        if "label_looks" in self.names:
            self._add_labels()
        if self.is_fixed:
            for field in self.fields.values():
                field.disabled = True
            self._offer_methods()

    @cached_property
    def is_fixed(self) -> bool:
        """Whether these settings apply to existing pairs."""
        is_stored = self.instance.pk is not None
        return is_stored and self.names == settings.PROTOCOL and self.instance.items.exists()

    def _offer_methods(self) -> None:
        """Leave out methods that do not occur, once the protocol is locked."""
        shown = methods_in(self.instance) | {*self.instance.corrected_methods}
        choices = [(name, METHOD_NAMES[name]) for name in JUDGED_METHODS if name in shown]
        self.fields["corrected_methods"].choices = choices  # type: ignore[attr-defined]

    def _add_limits(self) -> None:
        for kind in kinds.of_project(self.instance):
            limit = field_like("limits", forms.IntegerField, min_value=1, max_value=MANY)
            limit.label = format_lazy("{} ({})", limit.label, kind.title_in(self.instance))
            limit.initial = self.instance.limits.get(kind.name)
            self.fields[f"limit_{kind.name}"] = limit

    def _add_labels(self) -> None:
        for number, choice in enumerate(judge.choices(self.instance)):
            texts = self.instance.label_looks.get(str(choice.value), {})
            # Once for all labels.
            helps = ("", "", "") if number else (CRITERION_HELP, EXAMPLE_HELP, KEY_HELP)
            criterion = forms.CharField(
                label=format_lazy("{}: {}", _("Criterion"), choice.name),
                help_text=helps[0],
                required=False,
                max_length=MOST_CRITERION,
                initial=texts.get("criterion", ""),
            )
            criterion.widget.attrs["placeholder"] = choice.criterion
            self.fields[f"criterion_{choice.value}"] = criterion
            self.fields[f"example_{choice.value}"] = ExampleField(
                label=format_lazy("{}: {}", _("Example"), choice.name),
                help_text=helps[1],
                max_length=MOST_EXAMPLE,
                initial=texts.get("example", ""),
            )
            key = forms.CharField(
                label=format_lazy("{}: {}", _("Key"), choice.name),
                help_text=helps[2],
                required=False,
                max_length=1,
                initial=texts.get("key", ""),
            )
            key.widget.attrs |= {"size": 2, "autocomplete": "off", "autocapitalize": "none"}
            key.widget.attrs["placeholder"] = choice.shown_key
            self.fields[f"key_{choice.value}"] = key
            self.fields[f"colour_{choice.value}"] = forms.ChoiceField(
                label=format_lazy("{}: {}", _("Colour"), choice.name),
                choices=[*judge.COLOURS.items()],
                required=False,
                initial=texts.get("colour", ""),
            )

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        if "limits" in self.names:
            values["limits"] = self._fields_with_prefix("limit_")
        if "label_looks" in self.names:
            values["label_looks"] = self._looks()
            for value, reason in judge.key_problems(self.instance, values["label_looks"]).items():
                self.add_error(f"key_{value}", reason)
        for name, reason in contradictions(self.instance, values).items():
            self.add_error(self._field_of_setting(name), reason)
        return values

    def validate_unique(self) -> None:
        if "name" in self.changed_data:
            super().validate_unique()

    def _field_of_setting(self, name: str) -> str:
        """The changed field of a setting with several."""
        beginning = EXPANDED.get(name, (name,))
        return next((field for field in self.changed_data if field.startswith(beginning)), name)

    @property
    def rows(self) -> list[forms.BoundField]:
        """The fields that are a row of the page's first pane."""
        prefixes = (*SHOWN_APART, *EXPANDED["label_looks"], *settings.REASONS)
        return [self[name] for name in self.fields if not name.startswith(prefixes)]

    @property
    def reason_rows(self) -> list[forms.BoundField]:
        return [self[name] for name in settings.REASONS if name in self.fields]

    @property
    def labels(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith(EXPANDED["label_looks"])]

    def settings(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in self.names}

    def stamp(self, project: Project) -> str:
        return projects.stamp(project)

    def store(self, project: Project, *, by: User, read: str) -> list[str]:
        """Return the names of the settings that changed. Raises what `projects.change` does."""
        return projects.change(project, self.settings(), by=by, read=read)

    def newer_values(self, project: Project, names: Collection[str]) -> dict[str, str]:
        """Return values that another person saved in the meantime, as the form shows them."""
        return {
            str(Project._meta.get_field(name).verbose_name): self._in_words(name, project)  # type: ignore[union-attr]
            for name in names
        }

    def _in_words(self, name: str, project: Project) -> str:
        value = getattr(project, name)
        choices = dict(getattr(self.fields.get(name), "choices", []))
        if isinstance(value, Scheme):
            return listed(value)
        if isinstance(value, dict):
            return ", ".join(f"{key}: {item}" for key, item in value.items()) or "–"
        if isinstance(value, list):
            return ", ".join(str(choices.get(item, item)) for item in value) or "–"
        if isinstance(value, bool):
            return gettext("yes") if value else gettext("no")
        return str(choices.get(value, value)) if value not in (None, "") else "–"

    def _looks(self) -> dict[str, dict[str, str]]:
        """The texts of each label that has any, by its value."""
        looks = defaultdict[str, dict[str, str]](dict)
        for name in LOOKS:
            for value, text in self._fields_with_prefix(f"{name}_").items():
                looks[value][name] = text.lower() if name == "key" else text
        return dict(looks)

    def _fields_with_prefix(self, prefix: str) -> dict[str, Any]:
        """The filled fields with a prefix, by the rest of their names."""
        return {
            name.removeprefix(prefix): value
            for name, value in self.cleaned_data.items()
            if name.startswith(prefix) and value not in (None, "")
        }


def contradictions(project: Project, values: Mapping[str, Any]) -> dict[str, str]:
    """Return settings in `values` that conflict with other things of the project, with reasons."""
    reasons: dict[str, str] = {}
    if project.pk is None:
        return reasons
    pairs, scheme = project.qualification_pairs, values.get("scheme")
    if values.get("asks_qualification") and not pairs.exists():
        reasons["asks_qualification"] = gettext(
            "The qualification set is empty. Add pairs to it first."
        )
    if scheme not in (None, project.scheme) and pairs.filter(label__gte=scheme.size).exists():
        reasons["scheme"] = gettext(
            "The qualification set has pairs with labels that are gone. Change those first."
        )
    limits = values.get("limits", project.limits)
    if limits != project.limits and (reason := _strands_participants(project, limits)):
        reasons["limits"] = reason
    return reasons


def _strands_participants(project: Project, limits: Mapping[str, int]) -> str:
    """Return why participants of an open recruiting link could not complete the study."""
    links = project.recruitments.filter(revoked_at=None, expires_at__gt=timezone.now())
    for link in links.filter(least_answers__isnull=False).order_by("-least_answers"):
        most, least = most_answers(limits, link.kinds), link.least_answers
        if most is not None and least is not None and most < least:
            text = gettext(
                "Participants of an open recruiting link need %(least)s answers to complete the "
                "study, and could give only %(most)s. Raise the limit, or revoke that link first."
            )
            sizes = {"least": least, "most": most}
            return text % {name: number_format(n, force_grouping=True) for name, n in sizes.items()}
    return ""


def bounds(field: Any) -> dict[str, int]:
    """Return the bounds of a model field, as attributes of its input."""
    names = {MinValueValidator: "min", MaxValueValidator: "max"}
    validators = getattr(field, "_validators", [])
    return {names[type(bound)]: bound.limit_value for bound in validators if type(bound) in names}
