"""The form to select a model."""

from django import forms

from annotation.projects.forms.filters import PageForm


class VisitForm(PageForm):
    """The model whose disagreements are shown; by default, the latest."""

    model = forms.UUIDField(required=False)
