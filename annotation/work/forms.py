"""Answers of the pages of work."""

import re

from django import forms
from django.utils.dateparse import parse_datetime

from annotation.models import Skip

# Longer than any sitting: such a figure comes from a clock that was changed meanwhile.
MAX_SECONDS = 24 * 60 * 60


class AnswerForm(forms.Form):
    """The item that is answered, and the time that its page was in view."""

    item = forms.UUIDField()
    seconds = forms.FloatField(required=False, min_value=0)

    def clean_seconds(self) -> float | None:
        seconds: float | None = self.cleaned_data["seconds"]
        return None if seconds is None else min(seconds, MAX_SECONDS)


class CorrectionForm(AnswerForm):
    """A corrector's answer; `text` counts only for a fix."""

    action = forms.CharField(max_length=10)
    text = forms.CharField(required=False)

    def clean_text(self) -> str:
        """One line: a text area may bring line breaks along."""
        return re.sub(r"[\t\r\n]+", " ", self.cleaned_data["text"])


class JudgmentForm(AnswerForm):
    """A judge's answer."""

    label = forms.IntegerField(min_value=0, max_value=99)
    highlighted = forms.NullBooleanField(required=False)


class SkipForm(forms.Form):
    """Why an item is passed over."""

    item = forms.UUIDField()
    reason = forms.ChoiceField(choices=Skip.Reason)
    note = forms.CharField(required=False, max_length=500)


class UndoForm(forms.Form):
    """The item in view when undo was pressed; none at the end of the queue."""

    item = forms.UUIDField(required=False)


class NoticeForm(forms.Form):
    """The page on which a notice stands, and the time of the last one that has been read there."""

    task = forms.ChoiceField(choices=[("judge", "judge"), ("correct", "correct")])
    until = forms.CharField(required=False)

    def clean_until(self) -> str:
        """A time, as text: it is kept in a session."""
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
