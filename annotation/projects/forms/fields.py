"""Fields that several manager forms use."""

from typing import Any

from django import forms

MAX_PROSE = 100_000


class ProseField(forms.CharField):
    """Multi-line text with line ends normalized to LF: browsers send CRLF."""

    widget = forms.Textarea

    def __init__(self, *, rows: int = 5, required: bool = False, **options: Any) -> None:
        widget = forms.Textarea(attrs={"rows": rows, "dir": "auto"})
        super().__init__(widget=widget, max_length=MAX_PROSE, required=required, **options)

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        return text.replace("\r\n", "\n").replace("\r", "\n")


def number(
    label: Any, help_text: Any, *, least: int, most: int, required: bool = True
) -> forms.IntegerField:
    """Return a field for a bounded integer."""
    return forms.IntegerField(
        label=label, help_text=help_text, min_value=least, max_value=most, required=required
    )
