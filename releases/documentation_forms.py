"""The form of what people declare about a dataset: a field for each of Documentation."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from common.forms import ProseField
from releases.dataset.documentation import (
    CHECKED,
    MOST_CHARACTERS,
    MOST_ENTRIES,
    MOST_OF_TEXT,
    QUESTIONS,
    Documentation,
    Question,
    parse_documentation,
    parse_entries,
)
from releases.models import Release
from releases.selectors.proposals import proposed_documentation
from releases.selectors.releases import carried_over_from


class EntriesField(ProseField):
    """A list, with an entry on each line."""

    def clean(self, value: Any) -> list[str]:
        text: str = super().clean(value)
        try:
            return [*parse_entries(text.splitlines())]
        except ValueError as error:
            limits = {"lines": MOST_ENTRIES, "characters": f"{MOST_CHARACTERS:,}"}
            refusal = _("Enter at most %(lines)s lines of at most %(characters)s characters.")
            raise ValidationError(refusal % limits) from error


class DocumentationForm(forms.Form):
    """The documentation of a draft, or of a version that is not drafted yet.

    `carried_over_from` is the version before, if the documentation is unchanged since.
    """

    def __init__(
        self,
        sent: Mapping[str, Any] | None,
        documentation: Documentation,
        project: Project,
        *,
        draft: Release | None = None,
    ) -> None:
        values = documentation.to_dict().items()
        initial = {name: "\n".join(v) if isinstance(v, list) else v for name, v in values}
        super().__init__(sent, initial=initial, prefix="documentation", label_suffix="")
        for question in QUESTIONS:
            self.fields[question.name] = _field(question)
        self.checked = [_(question.title) for question in QUESTIONS if question.name in CHECKED]
        self.answered = len(initial)
        self.carried_over_from = carried_over_from(documentation, project, draft=draft)
        for name, text in proposed_documentation(project).items():
            if initial.get(name) != text:
                self.fields[name].proposal = text  # type: ignore[attr-defined]

    def documentation(self) -> Documentation:
        """Return what was entered, once it is valid."""
        return parse_documentation(self.cleaned_data)


def _field(question: Question) -> ProseField:
    options: dict[str, Any] = {"label": _(question.title), "rows": 2}
    about = _(question.about)
    if not question.is_list:
        return ProseField(help_text=about, max_length=MOST_OF_TEXT, **options)
    return EntriesField(help_text=_("%s One entry per line.") % about, **options)
