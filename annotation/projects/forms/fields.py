"""Fields that several manager forms use."""

from typing import TYPE_CHECKING, Any

from django import forms

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

MAX_PROSE = 100_000


class ProseField(forms.CharField):
    """Multi-line text with line ends normalized to LF: browsers send CRLF."""

    widget = forms.Textarea

    def __init__(self, *, rows: int = 5, **options: Any) -> None:
        widget = forms.Textarea(attrs={"rows": rows, "dir": "auto"})
        super().__init__(widget=widget, max_length=MAX_PROSE, required=False, **options)

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        return text.replace("\r\n", "\n").replace("\r", "\n")


def number(
    label: "_StrPromise", help_text: "_StrPromise", *, least: int, most: int, required: bool = True
) -> forms.IntegerField:
    """Return a field for a bounded integer."""
    return forms.IntegerField(
        label=label, help_text=help_text, min_value=least, max_value=most, required=required
    )
