"""Hidden pairs with their known answers, as a file or as lines pasted from a spreadsheet."""

from io import BytesIO

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.forms.labelled_files import LabelledFile, stream_of
from annotation.forms.qualification import MAX_BYTES, LinesForm
from annotation.forms.qualification import REASONS as REASONS_OF_PAIRS
from annotation.known_lines import REQUIRED
from annotation.labelled_lines import LabelFault
from generation.records import Fault, Format

HEADER = "\t".join(REQUIRED) + "\n"
# Why a line gives no pair.
REASONS = REASONS_OF_PAIRS | {
    Fault.IDENTICAL: _("Both sentences are the same."),
    LabelFault.OTHER_LABEL: _("The pair is there already, with another answer."),
}
OTHERWISE = _("It has not the shape of a pair.")


class KnownPairsForm(LinesForm):
    """Hidden pairs as TSV or as JSON Lines."""

    field_order = ("file", "lines")
    file = LabelledFile(
        most=MAX_BYTES,
        too_large=_("The file is too large: use manage.py import_known_pairs."),
        required=False,
    )
    lines = forms.CharField(
        label=_("or lines pasted here"),
        required=False,
        strip=False,
        max_length=MAX_BYTES,
        initial=HEADER,
        widget=forms.Textarea(attrs={"rows": 5, "dir": "auto", "spellcheck": "false"}),
    )

    def stream_of(self) -> tuple[BytesIO, Format]:
        """What is read, and how."""
        file = self.cleaned_data["file"]
        return stream_of(self.data_of(), name=file.name if file else "")
