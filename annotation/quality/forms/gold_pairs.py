"""Form for gold pairs, as a file or as lines pasted from a spreadsheet."""

from io import BytesIO
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from annotation.pairs.labelled_lines import LabelFault
from annotation.pairs.uploads import LabelledFile, LabelledFileForm, stream_of
from annotation.quality.forms.qualification import MAX_BYTES, REASONS, LinesForm
from annotation.quality.gold_lines import REQUIRED
from generation.records import Fault, Format

HEADER = "\t".join(REQUIRED) + "\n"


class GoldPairsForm(LabelledFileForm, LinesForm):
    """Gold pairs as TSV or JSON Lines."""

    added = ngettext_lazy(
        "%(count)s gold pair was added.", "%(count)s gold pairs were added.", "count"
    )
    duplicates = ngettext_lazy(
        "%(count)s pair was there already.", "%(count)s pairs were there already.", "count"
    )
    reasons: ClassVar[dict[str, Any]] = REASONS | {
        Fault.IDENTICAL: _("Both sentences are the same."),
        LabelFault.OTHER_LABEL: _("The pair is there already, with another answer."),
    }
    otherwise = _("Invalid pair.")
    file = LabelledFile(
        most=MAX_BYTES,
        too_large=_("The file is too large: use manage.py import_gold_pairs."),
        required=False,
    )

    def stream_of(self) -> tuple[BytesIO, Format]:
        """Return the data and its format."""
        file = self.cleaned_data["file"]
        return stream_of(self.data_of(), name=file.name if file else "")
