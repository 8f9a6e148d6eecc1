"""Hidden pairs with their known answers, as a file or as lines pasted from a spreadsheet."""

from io import BytesIO

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.forms.qualification import MAX_BYTES, LinesForm
from annotation.forms.qualification import REASONS as REASONS_OF_PAIRS
from annotation.known_lines import REQUIRED
from annotation.services.known_pairs import OTHER_LABEL
from generation.records import Fault, Format

HEADER = "\t".join(REQUIRED) + "\n"
# Why a line gives no pair: generation.nlp.text, generation.records, known_lines.
REASONS = REASONS_OF_PAIRS | {
    Fault.IDENTICAL: _("Both sentences are the same."),
    Fault.BAD_JSON: _("It is not JSON."),
    OTHER_LABEL: _("The pair is there already, with another answer."),
}
OTHERWISE = _("It has not the shape of a pair.")


class KnownPairsForm(LinesForm):
    """Which format it is, its first character tells."""

    field_order = ("file", "lines")
    file = forms.FileField(
        label=_("A file: TSV or JSON Lines (UTF-8)"),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".tsv,.txt,.jsonl"}),
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
        data = self.data_of()
        is_json = data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")
        return BytesIO(data), Format.JSONL if is_json else Format.TSV
