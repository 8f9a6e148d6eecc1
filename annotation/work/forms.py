"""Forms of the work pages, except those of answers (contract.py)."""

from django import forms
from django.utils.dateparse import parse_datetime

from annotation.models import Skip
from annotation.work.kinds import KINDS


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

    kind = forms.ChoiceField(choices=[(name, name) for name in KINDS])
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
