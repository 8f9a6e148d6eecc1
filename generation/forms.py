"""The settings of a method as form fields: their declarations, and the models installed here."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from common.forms import PercentField, ProseField
from generation import installed_endpoints, model_catalogue, usage_figures
from generation.endpoints.chat import is_name
from generation.methods.contract import GenerationMethod
from generation.model_catalogue import packaged_translator
from generation.model_store import EMBEDDED, models_folder, names_here
from generation.models import Spender
from generation.nlp.adapters import spacy_pipelines
from generation.nlp.adapters.model_files import Kind, kind_of
from generation.nlp.prompts import LONGEST
from generation.nlp.settings import Field, Role
from generation.services.limits import MILLION

LONGEST_TEXT = 200
ROWS = 12


class LimitsForm(forms.Form):
    """New limits of work that asks models on other servers; one that is empty stays as it is."""

    most_tokens = forms.IntegerField(
        min_value=1, required=False, label=gettext_lazy("Maximum tokens")
    )
    most_cost = forms.FloatField(min_value=0, required=False, label=gettext_lazy("Maximum cost"))

    @classmethod
    def from_spender(cls, spender: Spender) -> Self:
        """Return an unbound form with the limits of work; the one that is reached is doubled."""
        tokens, cost = spender.most_tokens or 0, (spender.most_cost or 0) / MILLION
        if usage_figures.is_cost_nearer(spender):
            cost *= 2
        else:
            tokens *= 2
        initial = {"most_tokens": tokens, "most_cost": cost or None}
        form = cls(initial=initial, label_suffix="", auto_id=f"id_%s_{spender.public_id}")
        form.fields["most_cost"].label = _("Maximum cost in %(currency)s") % spender.usage
        if "currency" not in spender.usage:
            del form.fields["most_cost"]
        return form


class SettingsForm(forms.Form):
    """All settings of a method; `values` are those shown first, defaults where missing.

    `endpoints_of` are the id and the name of the project whose endpoints may be chosen; without
    them, only those that every project may use.
    """

    def __init__(
        self,
        *args: Any,
        method: GenerationMethod,
        values: Mapping[str, Any] | None = None,
        endpoints_of: Sequence[str] = (),
        **options: Any,
    ) -> None:
        super().__init__(*args, **options | {"label_suffix": ""})
        self.method, self.endpoints_of = method, endpoints_of
        for setting in self._declared_fields:
            field = _form_field(setting, endpoints_of)
            value = (values or {}).get(setting.name, setting.default)
            field.initial = list(map(str, value)) if isinstance(value, tuple) else value
            if setting.role is Role.CHAT:
                field.initial = value or next(iter(chat_models_for(endpoints_of)), "")
            self.fields[setting.name] = field

    @property
    def _declared_fields(self) -> tuple[Field, ...]:
        return (*self.method.fields, *self.method.models)

    @property
    def own(self) -> list[forms.BoundField]:
        return [self[field.name] for field in self.method.fields]

    @property
    def models(self) -> list[forms.BoundField]:
        return [self[field.name] for field in self.method.models if field.role is not Role.CHAT]

    @property
    def chat_models(self) -> list[forms.BoundField]:
        """The models behind endpoints that must be chosen."""
        return [self[field.name] for field in self.method.models if field.role is Role.CHAT]

    @property
    def missing(self) -> list[str]:
        choices: dict[str, Any] = self.fields
        return [
            field.default
            for field in self.method.models
            if field.role not in (None, Role.CHAT) and not choices[field.name].choices
        ]

    @property
    def needs_endpoint(self) -> bool:
        """Whether the method asks a model behind an endpoint, and there is none to choose."""
        return bool(self.chat_models) and not chat_models_for(self.endpoints_of)

    @property
    def packaged(self) -> list[str]:
        """Models of a preset, which do instead of missing ones and need no Hub."""
        names = [name for preset in self.method.presets for name in preset.settings.values()]
        return [name for name in names if packaged_translator(str(name))]

    @property
    def settings(self) -> dict[str, Any]:
        return {field.name: self.cleaned_data[field.name] for field in self._declared_fields}


def chat_models_for(endpoints_of: Sequence[str]) -> dict[str, str]:
    """Return what forms show for each model behind an endpoint, by its name.

    They are those that a project may use, by its id and name.
    """
    models = installed_endpoints.endpoints().models_for(*endpoints_of)
    return {
        model.name: " · ".join(filter(None, [model.name, model.endpoint.note])) for model in models
    }


def missing_models(method: GenerationMethod, settings: Mapping[str, Any]) -> list[str]:
    """Return the models among these settings of a method that are not installed.

    Those behind endpoints do not count.
    """
    roles = [
        field
        for field in method.models
        if field.role not in (None, Role.CHAT) and field.name in settings
    ]
    return [
        settings[field.name]
        for field in roles
        if not is_name(settings[field.name]) and settings[field.name] not in names_of_setting(field)
    ]


def _form_field(setting: Field, endpoints_of: Sequence[str]) -> forms.Field:
    texts: dict[str, Any] = {
        "label": gettext_lazy(setting.label),
        "help_text": gettext_lazy(setting.help) if setting.help else "",
    }
    if setting.role is Role.CHAT:
        return _chat_model_field(endpoints_of, texts)
    if setting.role is not None:
        return _model_field(setting, endpoints_of, texts)
    if setting.choices:
        return _choice_field(setting, texts)
    if isinstance(setting.default, bool):
        return forms.BooleanField(required=False, **texts)
    if setting.long:
        return ProseField(rows=ROWS, required=True, strip=False, max_length=LONGEST, **texts)
    if isinstance(setting.default, str):
        return forms.CharField(required=False, strip=False, max_length=LONGEST_TEXT, **texts)
    return _number_field(setting, texts)


def _model_field(setting: Field, endpoints_of: Sequence[str], texts: dict[str, Any]) -> forms.Field:
    names = names_of_setting(setting)
    labels = {"": _("none"), EMBEDDED: _("built in")}
    if setting.role is Role.TRANSLATOR:
        chat_models = chat_models_for(endpoints_of)
        names, labels = [*names, *chat_models], labels | chat_models
    choices = [(name, labels.get(name, name)) for name in names]
    errors = {
        "required": _("No model for this is installed. Ask an administrator to install one."),
        "invalid_choice": _("The model “%(value)s” is not installed. Choose another one."),
    }
    return forms.ChoiceField(
        choices=choices, required=not setting.optional, error_messages=errors, **texts
    )


def _chat_model_field(endpoints_of: Sequence[str], texts: dict[str, Any]) -> forms.Field:
    names = chat_models_for(endpoints_of)
    errors = {
        "required": _("Choose a model. If there is none, ask an administrator to add one."),
        "invalid_choice": _("This project may not use the model “%(value)s”. Choose another one."),
    }
    return forms.ChoiceField(choices=[*names.items()], error_messages=errors, **texts)


def _choice_field(setting: Field, texts: dict[str, Any]) -> forms.Field:
    choices = [(str(value), gettext_lazy(name)) for value, name in setting.choices.items()]
    if isinstance(setting.default, str):
        return forms.ChoiceField(choices=choices, **texts)
    widget = forms.CheckboxSelectMultiple
    return forms.MultipleChoiceField(choices=choices, widget=widget, **texts)


def _number_field(declared: Field, texts: dict[str, Any]) -> forms.Field:
    if declared.is_share:
        return PercentField(**texts)
    lowest, highest = declared.bounds or (None, None)
    if isinstance(declared.default, int):
        return forms.IntegerField(min_value=lowest, max_value=highest, **texts)  # type: ignore[arg-type]
    return forms.FloatField(min_value=lowest, max_value=highest, **texts)


def names_of_setting(field: Field) -> list[str]:
    """Return the names that a setting of a model here may have, sorted: none, embedded, others."""
    if field.role is Role.TRANSLATOR:
        return sorted(_models_of_role(field.role))
    none = [""] if field.optional else []
    embedded = [EMBEDDED] if field.default == EMBEDDED else []
    return [*none, *embedded, *sorted(_models_of_role(field.role))]


def _models_of_role(role: Role | None) -> set[str]:
    if role is Role.TAGGER:
        names_in_catalogue = (model.name for model in model_catalogue.MODELS)
        return {
            *filter(spacy_pipelines.is_installed, names_in_catalogue),
            *_models_of_kind(Kind.SPACY),
        }
    are_translators = role is Role.TRANSLATOR
    names = {
        name for name in _models_of_kind(Kind.TRANSFORMERS) if _translates(name) == are_translators
    }
    return names | {*filter(packaged_translator, names_here())} if are_translators else names


def _models_of_kind(kind: Kind) -> Iterator[str]:
    for name in names_here():
        if kind_of([path.name for path in (models_folder() / name).iterdir()]) is kind:
            yield name


def _translates(name: str) -> bool:
    """Whether a model reads one text and writes another, as translators do."""
    try:
        configuration = json.loads((models_folder() / name / "config.json").read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(configuration, dict) and bool(configuration.get("is_encoder_decoder"))
