"""Files of labelled lines that managers bring: the field, how it is read, and what is refused."""

from codecs import BOM_UTF8
from io import BytesIO
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from generation.records import Fault, Format

# Why a line gives nothing, whatever it was to give.
REASONS: dict[str, Any] = {
    Fault.WRONG_COLUMNS: _("It has not as many columns as the first line."),
    Fault.BAD_JSON: _("It is not JSON."),
    Fault.BROKEN_UTF8: _("The line is not UTF-8."),
    Fault.LINE_TOO_LONG: _("The line is too long."),
}


class LabelledFile(forms.FileField):
    """A file of at most so many bytes; for larger ones there is a command."""

    def __init__(self, *, most: int, too_large: Any, **options: Any) -> None:
        options.setdefault("label", _("A file: TSV or JSON Lines (UTF-8)"))
        options.setdefault("widget", forms.FileInput(attrs={"accept": ".tsv,.txt,.jsonl"}))
        super().__init__(**options)
        self.most, self.too_large = most, too_large

    def clean(self, data: Any, initial: Any = None) -> "UploadedFile[bytes] | None":
        file: UploadedFile[bytes] | None = super().clean(data, initial)
        if file and (file.size or 0) > self.most:
            raise forms.ValidationError(self.too_large)
        return file


def stream_of(data: bytes, *, name: str = "") -> tuple[BytesIO, Format]:
    """What is read, and how: the name of its file tells, or else its first character."""
    is_json = name.endswith(".jsonl") or data.removeprefix(BOM_UTF8).lstrip().startswith(b"{")
    return BytesIO(data), Format.JSONL if is_json else Format.TSV
