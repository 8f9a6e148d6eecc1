"""Forms and their fields that know no domain."""

from typing import TYPE_CHECKING, Any

from django import forms

MAX_PROSE = 100_000

if TYPE_CHECKING:
    from django.forms import ModelForm as ModelForm
else:

    class ModelForm(forms.ModelForm):
        """Takes its model in brackets, which only type checkers read."""

        def __class_getitem__(cls, _model):
            return cls


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

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(self.to_python(initial), data)


class PercentField(forms.FloatField):
    """A share between 0 and 1, shown and entered in percent."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=0, max_value=100, **options)

    def prepare_value(self, value: Any) -> Any:
        return f"{100 * value:.10g}" if isinstance(value, int | float) else value

    def clean(self, value: Any) -> float | None:
        # Of a disabled field, the value is the initial share.
        percent = super().clean(self.prepare_value(value))
        return None if percent is None else round(percent / 100, 10)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(self.prepare_value(initial), data)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return super().widget_attrs(widget) | {"step": "any"}
