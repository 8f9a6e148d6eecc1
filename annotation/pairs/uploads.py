"""Uploads of labelled lines by managers: the form, its messages, and storing the lines."""

from codecs import BOM_UTF8
from collections.abc import Callable
from io import BytesIO
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from annotation.access.gates import Request
from annotation.errors import Refused
from generation.records import Fault, Format, Report, UnreadableFile

# Reasons for refusal that apply to lines of any kind.
REASONS: dict[str, Any] = {
    Fault.WRONG_COLUMNS: _("Wrong number of columns."),
    Fault.BAD_JSON: _("It is not JSON."),
    Fault.BROKEN_UTF8: _("The line is not UTF-8."),
    Fault.LINE_TOO_LONG: _("The line is too long."),
}


class LabelledFile(forms.FileField):
    """A file of at most `most` bytes; larger files are imported by a command."""

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


class LabelledFileForm(forms.Form):
    """A form for lines of one kind, with its messages and the report on the last upload.

    `added` and `duplicates` take a `count`. `reasons` explain refused lines; `otherwise` applies to
    any other reason.
    """

    added: ClassVar[Any]
    duplicates: ClassVar[Any]
    reasons: ClassVar[dict[str, Any]]
    otherwise: ClassVar[Any]
    report: Report | None = None

    def data_of(self) -> bytes:
        """Return the content of the file."""
        content: bytes = self.cleaned_data["file"].read()
        return content

    def stream_of(self) -> tuple[BytesIO, Format]:
        """Return the stream and its format, from the file name or else the first character."""
        data, file = self.data_of(), self.cleaned_data["file"]
        is_json = data.removeprefix(BOM_UTF8).lstrip().startswith(b"{")
        if is_json or (file and file.name.endswith(".jsonl")):
            return BytesIO(data), Format.JSONL
        return BytesIO(data), Format.TSV

    @property
    def refused(self) -> int:
        """The number of refused lines."""
        return self.report.refused.total() if self.report else 0

    def refusals(self) -> list[tuple[int, Any]]:
        """Return the first refused lines, each with its reason in words."""
        first = self.report.first_refusals if self.report else []
        return [(each.line, self.reasons.get(each.reason, self.otherwise)) for each in first]


def store(request: Request, form: LabelledFileForm, add: Callable[[], Report]) -> bool:
    """Store uploaded lines with `add` and report the result; return whether nothing needs fixing.

    Otherwise the form shows the errors: its own, those of the file, or the refused lines.
    """
    if not form.is_valid():
        return False
    try:
        form.report = report = add()
    except (UnreadableFile, Refused) as error:
        form.add_error(None, str(error))
        return False
    if report.added:
        messages.success(request, form.added % {"count": report.added})
    if report.duplicates:
        messages.info(request, form.duplicates % {"count": report.duplicates})
    return not report.refused
