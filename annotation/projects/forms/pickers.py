"""Fields that find a language or a licence by any of its names; `combo.js` shows what fits."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy as _

from common import languages, licences


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
        return languages.name_of(value) if languages.TAG.fullmatch(value or "") else value

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        return understand_language(text) if text else ""


class LicenceInput(ComboInput):
    def __init__(self) -> None:
        super().__init__("find_licence")


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
