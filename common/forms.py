"""Form fields that know no domain."""

from typing import Any

from django import forms

MAX_PROSE = 100_000


class ProseField(forms.CharField):
    """Multi-line text with line ends normalized to LF: browsers send CRLF."""

    widget = forms.Textarea

    def __init__(self, *, rows: int = 5, required: bool = False, **options: Any) -> None:
        options.setdefault("max_length", MAX_PROSE)
        widget = forms.Textarea(attrs={"rows": rows, "dir": "auto"})
        super().__init__(widget=widget, required=required, **options)

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        return text.replace("\r\n", "\n").replace("\r", "\n")
