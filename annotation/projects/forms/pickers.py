"""Fields that find a language or a licence by any of its names; `combo.js` shows what fits."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.template.loader import render_to_string
from django.urls import reverse_lazy
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from common import languages, licences

# What readers of a dataset may do, in a sentence: those that managers choose most.
USUAL = {
    "CC-BY-SA-4.0": _("Share and change it, name you, keep this licence."),
    "CC-BY-4.0": _("Share and change it, name you."),
    "CC0-1.0": _("No conditions."),
}


class ComboInput(forms.TextInput):
    """A text to choose from a list that the server finds; without scripts it is typed."""

    def __init__(self, route: str) -> None:
        attrs = {"data-options": reverse_lazy(route), "autocomplete": "off", "spellcheck": "false"}
        super().__init__(attrs)


class LanguageField(forms.CharField):
    """The tag of a language, shown and understood by its name too."""

    def __init__(self, **options: Any) -> None:
        help_text = _("Its name, in any language that we know, or its tag, such as pt-BR.")
        widget = ComboInput("find_language")
        super().__init__(widget=widget, max_length=35, help_text=help_text, **options)

    def prepare_value(self, value: Any) -> Any:
        """Return the name of a tag, or the tag if its name is understood as another one."""
        if not languages.TAG.fullmatch(value or ""):
            return value
        name = languages.name_of(value)
        try:
            return name if languages.understand(name) == value else value
        except ValueError:
            return value

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        return understand_language(text) if text else ""


class LicenceInput(ComboInput):
    def __init__(self) -> None:
        super().__init__("find_licence")


class LicenceCards(forms.Widget):
    """Cards of the usual licences, those of the corpora first, and a text for another."""

    ANOTHER = "another"
    use_fieldset = True
    # The names of the corpora under a licence, by its identifier.
    corpora: Mapping[str, list[str]] = MappingProxyType({})

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        identifiers = list(dict.fromkeys([*self.corpora, *USUAL]))
        is_another = bool(value) and value not in identifiers
        context = {
            "name": name,
            "id": (attrs or {}).get("id", ""),
            "cards": [(key, licences.title(key), _note_of(key)) for key in identifiers],
            "value": self.ANOTHER if is_another else value,
            "another": self.ANOTHER,
            "text": licences.title(value) if is_another else "",
            "sources": [
                (name, licences.title(key), licences.asks_for_itself(key))
                for key, names in self.corpora.items()
                for name in names
            ],
        }
        return render_to_string("parts/licences.html", context)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        value = data.get(name)
        return data.get(f"{name}_text") if value == self.ANOTHER else value

    def id_for_label(self, id_: str) -> str:
        return ""


def _note_of(identifier: str) -> str | Promise:
    return USUAL.get(identifier) or licences.SUGGESTED.get(identifier, "")


def understand_language(text: str) -> str:
    """Return the tag of a language. Raises ValidationError."""
    try:
        return languages.understand(text)
    except ValueError as error:
        if names := str(error):
            raise ValidationError(_("Choose one: %(names)s."), params={"names": names}) from error
        refusal = _("We know no language “%(text)s”. Write its tag, such as de or pt-BR.")
        raise ValidationError(refusal, params={"text": text}) from error


def understand_licence(text: str) -> str:
    """Return the SPDX identifier of a licence. Raises ValidationError."""
    try:
        return licences.spdx(text)
    except ValueError as error:
        refusal = _(
            "“%(text)s” is no licence that we know. Choose one of the list, or write its SPDX "
            "identifier, such as CC-BY-4.0."
        )
        raise ValidationError(refusal, params={"text": text}) from error
