"""Filters as menus: the options of a field, the chosen one, and how many rows each has."""

from collections.abc import Mapping
from dataclasses import dataclass

from django import forms
from django.forms import BoundField
from django.utils.functional import Promise
from django.utils.translation import gettext as _

Text = str | Promise


@dataclass(frozen=True, slots=True)
class Option:
    """An option; its value is empty if it filters nothing. Numbers come when a pick is opened."""

    value: str
    text: Text
    is_chosen: bool
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Pick:
    """The options of a filter."""

    name: str
    title: Text
    options: list[Option]

    @property
    def chosen(self) -> Text:
        """The option that is chosen; empty if it filters nothing."""
        chosen = (option.text for option in self.options if option.is_chosen and option.value)
        return next(chosen, "")

    def with_numbers(self, numbers: Mapping[str, int]) -> "Pick":
        """Return the pick with numbers; without the options that nothing matches."""
        options = [
            Option(option.value, option.text, option.is_chosen, numbers.get(option.value, 0))
            for option in self.options
            if numbers.get(option.value) or option.is_chosen or not option.value
        ]
        return Pick(self.name, self.title, options)

    def with_further(self, texts: Mapping[str, Text]) -> "Pick":
        """Return the pick with the options that it lacks."""
        values = {option.value for option in self.options}
        further = [Option(value, texts[value], False) for value in texts if value not in values]
        return Pick(self.name, self.title, [*self.options, *further])


def pick_of(field: BoundField) -> Pick:
    """Return the pick of a choice, or of a box that is checked or not."""
    value = field.value()
    if isinstance(field.field, forms.BooleanField):
        choices = [("", _("without gold pairs")), ("on", _("gold pairs alone"))]
        value = "on" if value else ""
    else:
        choices = list(field.field.widget.choices)
    usual = choices[0][0]  # holds by itself, so it has no value
    options = [
        Option("" if name == usual else name, text, name == (value or usual))
        for name, text in choices
    ]
    return Pick(field.name, field.label, options)
