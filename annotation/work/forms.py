"""Forms for the answers on work pages."""

import re

from django import forms
from django.utils.dateparse import parse_datetime

from annotation.models import Skip

# Longer than any session of work: a larger value means that a clock was changed.
MAX_SECONDS = 24 * 60 * 60


class AnswerForm(forms.Form):
    """The answered item and the seconds that its page was in view."""

    item = forms.UUIDField()
    seconds = forms.FloatField(required=False, min_value=0)

    def clean_seconds(self) -> float | None:
        seconds: float | None = self.cleaned_data["seconds"]
        return None if seconds is None else min(seconds, MAX_SECONDS)


class CorrectionForm(AnswerForm):
    """A correction; `text` is used for a fix only."""

    action = forms.CharField(max_length=10)
    text = forms.CharField(required=False)

    def clean_text(self) -> str:
        """Return the text on one line; a text area may add line breaks."""
        return re.sub(r"[\t\r\n]+", " ", self.cleaned_data["text"])


class JudgmentForm(AnswerForm):
    """A judgment."""

    label = forms.IntegerField(min_value=0, max_value=99)
    highlighted = forms.NullBooleanField(required=False)


class SkipForm(forms.Form):
    """The reason for skipping an item."""

    item = forms.UUIDField()
    reason = forms.ChoiceField(choices=Skip.Reason)
    note = forms.CharField(required=False, max_length=500)


class UndoForm(forms.Form):
    """The item in view when undo was pressed; empty at the end of the queue."""

    item = forms.UUIDField(required=False)


class NoticeForm(forms.Form):
    """The page that shows a warning, and the time of the last warning read there."""

    task = forms.ChoiceField(choices=[("judge", "judge"), ("correct", "correct")])
    until = forms.CharField(required=False)

    def clean_until(self) -> str:
        """Return the time as text, because a session stores it."""
        moment: str = self.cleaned_data["until"]
        if moment and not _is_moment(moment):
            raise forms.ValidationError("This is not a time.")
        return moment


def _is_moment(text: str) -> bool:
    try:
        found = parse_datetime(text)
    except ValueError:
        return False
    return found is not None and found.tzinfo is not None
