"""A model's labels as a file, and which guest is looked at."""

from io import BytesIO
from pathlib import Path
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from annotation.forms.dashboard import PageForm
from annotation.guest_lines import GuestFault
from generation.records import Fault, Format

MAX_BYTES = 20_000_000
# Why a line gives no label: generation.records, guest_lines.
REASONS: dict[str, Any] = {
    GuestFault.BAD_PAIR: _("The pair is no id such as the files of a release have."),
    GuestFault.BAD_LABEL: _("The label is none of this project’s scale."),
    GuestFault.BAD_SCORE: _("The score is no number from 0 to 1."),
    GuestFault.UNKNOWN_PAIR: _("This project has no such pair."),
    GuestFault.OTHERWISE_BEFORE: _("The guest has said something else of this pair."),
    Fault.WRONG_COLUMNS: _("It has not as many columns as the first line."),
    Fault.BAD_JSON: _("It is not JSON."),
    Fault.BROKEN_UTF8: _("The line is not UTF-8."),
    Fault.LINE_TOO_LONG: _("The line is too long."),
}
OTHERWISE = _("It has not the shape of a label.")


class GuestForm(forms.Form):
    """Who says it, and the file; its name, or its first character, tells the format."""

    name = forms.CharField(
        label=_("Name of the model"),
        max_length=200,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )
    revision = forms.CharField(
        label=_("Its revision"),
        max_length=200,
        required=False,
        help_text=_("A version, a date or a digest: each revision is a guest of its own."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    note = forms.CharField(
        label=_("How it was asked"),
        max_length=500,
        required=False,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )
    file = forms.FileField(
        label=_("A file: TSV or JSON Lines (UTF-8)"),
        widget=forms.FileInput(attrs={"accept": ".tsv,.txt,.jsonl"}),
    )

    def clean_file(self) -> "UploadedFile[bytes]":
        file: UploadedFile[bytes] = self.cleaned_data["file"]
        if (file.size or 0) > MAX_BYTES:
            raise forms.ValidationError(_("The file is too large: use manage.py import_guest."))
        return file

    def stream_of(self) -> tuple[BytesIO, Format]:
        """What is read, and how."""
        file = self.cleaned_data["file"]
        data: bytes = file.read()
        is_json = Path(file.name or "").suffix == ".jsonl" or data.lstrip()[:1] == b"{"
        return BytesIO(data), Format.JSONL if is_json else Format.TSV


class VisitForm(PageForm):
    """Whose parted pairs are shown: the latest guest's, where none is asked for."""

    guest = forms.UUIDField(required=False)
