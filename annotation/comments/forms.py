"""Forms for comments, and the filter of their list."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models.comments import MOST_COMMENT
from annotation.projects.forms.filters import PageForm
from common.forms import ProseField

STATES = {"": _("open"), "closed": _("closed"), "all": _("open and closed")}
STEPS = ("reply", "reply-and-close", "close", "reopen")


class CommentForm(forms.Form):
    """The text of a comment."""

    text = ProseField(label=_("Comment"), rows=3, max_length=MOST_COMMENT)


class NoteForm(CommentForm):
    """A note for the managers, and the item that it is about."""

    item = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["text"].label = _("Your note")


class ItemForm(forms.Form):
    """The item that a note is to be about; none for the one in progress."""

    item = forms.UUIDField(required=False)


class ReplyForm(CommentForm):
    """What a manager does with a thread; replies have a text."""

    step = forms.ChoiceField(choices=[(step, step) for step in STEPS])


class ThreadsForm(PageForm):
    """The filter of the list of comments."""

    state = forms.ChoiceField(label=_("State"), choices=list(STATES.items()), required=False)
