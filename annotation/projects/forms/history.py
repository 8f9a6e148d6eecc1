"""Filters of a project's history."""

import uuid
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.audited_acts import Act
from annotation.models import Project
from annotation.projects.forms.fields import PageForm
from annotation.projects.selectors import history


class HistoryForm(PageForm):
    """Filters by act and by person."""

    act = forms.ChoiceField(
        choices=[("", _("everything")), *Act.choices], label=_("What"), required=False
    )
    by = forms.TypedChoiceField(
        label=_("By whom"), coerce=uuid.UUID, empty_value=None, required=False
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = history.actors(project).values_list("public_id", "username")
        named = [(str(public_id), name) for public_id, name in people]
        self.fields["by"].choices = [("", _("anybody")), *named]  # type: ignore[attr-defined]

    def wanted(self) -> dict[str, Any]:
        """Return arguments for `selectors.history.chosen`."""
        return {"act": self.cleaned_data["act"], "by": self.cleaned_data["by"]}
