"""Forms of the work pages, except those of answers (contract.py)."""

from django import forms

from annotation.models import Skip
from annotation.work.kinds import KINDS


class SkipForm(forms.Form):
    """The reason for skipping an item."""

    item = forms.UUIDField()
    reason = forms.ChoiceField(choices=Skip.Reason)
    note = forms.CharField(required=False, max_length=500)


class UndoForm(forms.Form):
    """The item in view when undo was pressed; empty at the end of the queue.

    `answer` is the item of an earlier answer to change instead; `change` says that one is in view.
    """

    item = forms.UUIDField(required=False)
    answer = forms.UUIDField(required=False)
    change = forms.BooleanField(required=False)


class ChangeForm(forms.Form):
    """The item of an earlier answer that a page shows for a change."""

    change = forms.UUIDField()


class TextForm(forms.Form):
    """A text for the item in view that is not sent yet."""

    item = forms.UUIDField()
    text = forms.CharField(required=False)


class WordsForm(forms.Form):
    """Words to search for."""

    words = forms.CharField(max_length=100)


class KindForm(forms.Form):
    """The kind of work whose page sends something."""

    kind = forms.ChoiceField(choices=[(name, name) for name in KINDS])


class NoticeForm(KindForm):
    """The page that shows a warning, and the time of the last warning read there."""

    until = forms.DateTimeField(required=False)
