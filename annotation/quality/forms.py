"""Forms about people's quality: interventions, gold pairs and the qualification set."""

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from annotation.models import Intervention
from annotation.pairs import uploads
from annotation.pairs.labelled_lines import GOLD_PAIR, MAX_EXPLANATION, GoldPair, LabelFault
from annotation.pairs.uploads import LabelledFile, LabelledFileForm
from common.forms import ProseField
from generation.nlp.text import RefusedText, check
from generation.readers import MAX_CHARACTERS
from generation.records import Fault

MOST_REASON = Intervention._meta.get_field("reason").max_length
HEADER = "\t".join(GOLD_PAIR) + "\n"
HEADER_WITH_EXPLANATION = "\t".join((*GOLD_PAIR, "explanation")) + "\n"
MAX_BYTES = 1_000_000
# Why a line or a field is rejected.
NO_TEXT = _("It holds characters that are no text.")
REASONS = uploads.REASONS | {
    "empty": _("A sentence is empty."),
    "too_long": _("A sentence or the explanation is too long."),
    "nul": NO_TEXT,
    "surrogate": NO_TEXT,
    "control_character": NO_TEXT,
    "direction_control": _("It holds an invisible character that changes text direction."),
    "noncharacter": NO_TEXT,
    "line_break": _("It holds a line break."),
    "tab": _("It holds a tab."),
    LabelFault.BAD_LABEL: _("The answer is not on this project’s scale."),
}


class StepForm(forms.Form):
    """The reason for an intervention, which the annotator can read."""

    reason = ProseField(
        label=_("Why"),
        help_text=_("The annotator reads this text. It stays on record."),
        rows=3,
        required=True,
        max_length=MOST_REASON,
    )


class SearchForm(forms.Form):
    """Part of an account's name."""

    q = forms.CharField(label=_("Name of the other account"), max_length=150, required=False)


class OtherForm(forms.Form):
    """The selected account."""

    other = forms.UUIDField()


class TextLine(forms.CharField):
    """One line of text that is valid in a pair."""

    def __init__(self, *, most: int, **options: Any) -> None:
        widget = forms.Textarea(attrs={"rows": 2, "dir": "auto"})
        super().__init__(widget=widget, max_length=most, **options)

    def clean(self, value: Any) -> str:
        text: str = super().clean(value)
        try:
            return text and check(" ".join(text.split()), max_characters=self.max_length or 0)
        except RefusedText as refused:
            raise forms.ValidationError(REASONS[refused.reason]) from refused


class PairForm(forms.Form):
    """One pair with its known answer."""

    sentence1 = TextLine(label=_("First sentence"), most=MAX_CHARACTERS)
    sentence2 = TextLine(label=_("Second sentence"), most=MAX_CHARACTERS)
    label = forms.TypedChoiceField(label=_("Known answer"), coerce=int)
    explanation = TextLine(
        label=_("Explanation"),
        most=MAX_EXPLANATION,
        required=False,
        help_text=_("Shown when an attempt is over."),
    )

    def __init__(self, *arguments: Any, answers: list[tuple[int, str]], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["label"].choices = answers  # type: ignore[attr-defined]

    def pair(self) -> GoldPair:
        """Return the pair for qualification.add."""
        return GoldPair(**self.cleaned_data)


class LinesForm(forms.Form):
    """Many pairs: a file, or lines pasted from a spreadsheet."""

    file = LabelledFile(
        label=_("A file of tab-separated lines (UTF-8)"),
        widget=forms.FileInput(attrs={"accept": ".tsv,.txt"}),
        most=MAX_BYTES,
        too_large=_("The file is too large for a qualification set."),
        required=False,
    )
    lines = forms.CharField(
        label=_("or lines pasted here"),
        required=False,
        strip=False,
        max_length=MAX_BYTES,
        initial=HEADER_WITH_EXPLANATION,
        widget=forms.Textarea(attrs={"rows": 6, "dir": "auto", "spellcheck": "false"}),
    )

    def data_of(self) -> bytes:
        """Return the content of the file, or else the pasted lines, as bytes."""
        file = self.cleaned_data["file"]
        if file is not None:
            content: bytes = file.read()
            return content
        lines: str = self.cleaned_data["lines"]
        return lines.encode("utf-8", "surrogatepass")


class GoldPairsForm(LinesForm, LabelledFileForm):
    """Gold pairs as TSV or JSON Lines."""

    added = ngettext_lazy(
        "%(count)s gold pair was added.", "%(count)s gold pairs were added.", "count"
    )
    duplicates = ngettext_lazy(
        "%(count)s pair was there already.", "%(count)s pairs were there already.", "count"
    )
    reasons: ClassVar[dict[str, Any]] = REASONS | {
        Fault.IDENTICAL: _("Both sentences are the same."),
        LabelFault.OF_STUDY: _("The study itself has this pair."),
        LabelFault.OTHER_LABEL: _("The pair is there already, with another answer."),
    }
    otherwise = _("Invalid pair.")
    file = LabelledFile(
        most=MAX_BYTES,
        too_large=_("The file is too large: use manage.py import_gold_pairs."),
        required=False,
    )
