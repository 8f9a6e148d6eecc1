"""Fields that several manager forms use."""

from typing import Any

from django import forms

from common.keyset import Key

MAX_PROSE = 100_000
# A primary key or a margin; 19 digits may exceed the range of a column.
KEY = r"^-?\d{1,18}(\.-?\d{1,18})?$"


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


class KeyField(forms.RegexField):
    """The position of a page: integers separated by points."""

    def __init__(self) -> None:
        super().__init__(KEY, required=False, widget=forms.HiddenInput)

    def clean(self, value: Any) -> Key | None:
        text = super().clean(value)
        return tuple(map(int, text.split("."))) if text else None


class PageForm(forms.Form):
    """The position of a page in a table."""

    after = KeyField()
    before = KeyField()

    def place(self, columns: int) -> dict[str, Key | None]:
        """Return both keys; a key without a number for each column becomes None."""
        keys = {name: self.cleaned_data[name] for name in ("after", "before")}
        return {
            name: key if key is None or len(key) == columns else None for name, key in keys.items()
        }


def number(
    label: Any, help_text: Any, *, least: int, most: int, required: bool = True
) -> forms.IntegerField:
    """Return a field for a bounded integer."""
    return forms.IntegerField(
        label=label, help_text=help_text, min_value=least, max_value=most, required=required
    )
