"""The form field of a label scheme: a row for each label, then level, rule and border."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.models.scheme_field import parse_scheme
from annotation.projects.labels import SHIPPED_SCHEMES, shown, shown_name
from annotation.stats.labels import (
    LONGEST_NAME,
    MOST,
    SENTENCES,
    Label,
    Level,
    Rule,
    Scheme,
    may_have_border,
)

LEVELS = {
    Level.NOMINAL: gettext_lazy("names without an order"),
    Level.ORDINAL: gettext_lazy("in an order"),
    Level.INTERVAL: gettext_lazy("in an order with equal steps"),
}
RULES = {
    Rule.SIDE: gettext_lazy("the side with more votes: below the border, or from it up"),
    Rule.MOST: gettext_lazy("the most frequent label, of three or more"),
    Rule.MEAN: gettext_lazy("the mean of the values"),
    Rule.NONE: gettext_lazy("none: all answers are kept as they are"),
}
BORDER, LEVEL, RULE, DIRECTED, CAPTIONS = "border", "level", "rule", "directed", "captions"


class SchemeWidget(forms.Widget):
    """The inputs of a scheme, each named NAME-PART; its value is a Scheme, or what was sent."""

    use_fieldset = True

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        if name in data:  # the protocol of a card that was chosen
            return data[name]
        return {
            "labels": [
                {
                    "value": data.get(f"{name}-value-{row}", "").strip(),
                    "name": data.get(f"{name}-name-{row}", "").strip(),
                }
                for row in range(MOST)
            ],
            LEVEL: data.get(f"{name}-{LEVEL}", ""),
            RULE: data.get(f"{name}-{RULE}", ""),
            BORDER: data.get(f"{name}-{BORDER}", "").strip(),
            DIRECTED: bool(data.get(f"{name}-{DIRECTED}")),
            CAPTIONS: [
                data.get(f"{name}-caption-{place}", "").strip() for place in range(SENTENCES)
            ],
        }

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return name not in data and f"{name}-{LEVEL}" not in data

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        context = {
            "name": name,
            "attrs": self.build_attrs(self.attrs, attrs),
            "value": entered(value),
            "levels": LEVELS.items(),
            "rules": RULES.items(),
            "longest": LONGEST_NAME,
        }
        return render_to_string("annotation/setup/parts/scheme.html", context)


def entered(value: Any) -> Mapping[str, Any]:
    """Return the contents of the inputs for a scheme, or for what was sent."""
    if not isinstance(value, Scheme):
        return value or {"labels": [{}] * MOST, RULE: Rule.MOST}
    rows: list[dict[str, Any]] = [
        {"value": label.value, "name": shown_name(label)} for label in value.labels
    ]
    captions = [shown(caption) for caption in value.captions]
    contents = {BORDER: "", **value.to_dict(), CAPTIONS: captions}
    return contents | {"labels": [*rows, *[{}] * (MOST - len(rows))]}


class SchemeInput(forms.Field):
    """A scheme that people enter. Its errors say what is wrong and how to correct it."""

    widget = SchemeWidget
    default_error_messages = {"required": gettext_lazy("Enter two to eleven labels.")}

    def to_python(self, value: Any) -> Scheme | None:
        if isinstance(value, Scheme) or not value:
            return value or None
        rows = [row for row in value["labels"] if row["value"] or row["name"]]
        if value[LEVEL] == Level.NOMINAL:
            rows = [{**row, "value": row["value"] or str(n)} for n, row in enumerate(rows)]
        labels = [
            {"value": _whole_number(row["value"]), "name": row["name"] or row["value"]}
            for row in rows
        ]
        # The field is hidden where there can be none, and may still hold that of other labels.
        has_border = value[BORDER] and may_have_border(value[LEVEL], value[RULE], len(labels))
        values = value | {
            "labels": labels,
            BORDER: _whole_number(value[BORDER]) if has_border else None,
            CAPTIONS: value[CAPTIONS] if value[DIRECTED] and any(value[CAPTIONS]) else [],
        }
        return self._with_own_names(parse_scheme(values))

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.to_python(data) != initial)
        except forms.ValidationError:
            return True

    def _with_own_names(self, scheme: Scheme) -> Scheme:
        """Return the scheme with labels and captions as shipped where only shown ones were sent."""
        for shipped in SHIPPED_SCHEMES:
            if scheme.labels == tuple(
                Label(label.value, shown_name(label)) for label in shipped.labels
            ):
                scheme = replace(scheme, labels=shipped.labels)
            if scheme.captions == tuple(map(shown, shipped.captions)):
                scheme = replace(scheme, captions=shipped.captions)
        return scheme


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        message = _("“%(text)s” is no whole number. Give each label a value such as 0, 1 or 2.")
        raise forms.ValidationError(message % {"text": text}) from None
