"""Forms for questions about annotators: to set them up, and to answer them."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from annotation.errors import in_words
from annotation.models import AnnotatorQuestion
from annotation.models.questions import MOST_CHOICE, MOST_TEXT, MOST_TITLE
from annotation.quality.forms import TextLine
from annotation.questions import ready
from annotation.questions.services import MOST_CHOICES
from common.forms import ProseField
from generation.nlp.text import RefusedText, check

RATHER_NOT = _("I’d rather not say")
# The value of RATHER_NOT; others are places of choices.
NONE = "none"
# More choices are a menu.
MOST_BUTTONS = 10


class ChoicesField(ProseField):
    """Choices, one on each line."""

    def clean(self, value: Any) -> list[str]:
        lines = [" ".join(line.split()) for line in str(super().clean(value)).splitlines()]
        return [_checked(line) for line in lines if line]


def _checked(line: str) -> str:
    try:
        return check(line, max_characters=MOST_CHOICE)
    except RefusedText as refused:
        raise ValidationError(
            _("“%(text)s” can’t be saved: %(reason)s."),
            params={"text": line[:MOST_CHOICE], "reason": in_words(refused)},
        ) from refused


class QuestionForm(forms.Form):
    """A question of the study's own, or a ready-made one to adapt."""

    title = TextLine(
        label=_("Title"),
        most=MOST_TITLE,
        help_text=_("A word or two, such as “Age”. Releases use it as the name."),
    )
    text = TextLine(label=_("Question"), most=MOST_TEXT)
    choices = ChoicesField(
        label=_("Choices"),
        rows=6,
        required=True,
        max_length=MOST_CHOICES * (MOST_CHOICE + 2),
        help_text=_("One on each line. People can always choose “I’d rather not say”."),
    )

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, label_suffix="", **options)
        for name in ("title", "text"):
            self.fields[name].widget.attrs["rows"] = 1

    @classmethod
    def showing(cls, question: AnnotatorQuestion) -> "QuestionForm":
        texts = {"title": question.title, "text": question.text}
        return cls(initial=texts | {"choices": "\n".join(question.choices)})


class ReadyForm(forms.Form):
    """Ready-made questions to pick."""

    ready = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple)

    def __init__(self, data: Any = None, *, offered: Sequence[str]) -> None:
        super().__init__(data)
        self.fields["ready"].choices = [(key, ready.READY[key].title) for key in offered]  # type: ignore[attr-defined]
        self.fields["ready"].error_messages["required"] = _("Choose at least one question.")


class ReplyForm(forms.Form):
    """A person's replies. Nothing is selected until they have replied."""

    version = forms.CharField(widget=forms.HiddenInput, max_length=64)
    publishes = forms.BooleanField(
        label=_("My answers may be published with the dataset, under a random name."),
        required=False,
    )

    def __init__(
        self,
        data: Any = None,
        *,
        questions: Sequence[AnnotatorQuestion],
        replies: Mapping[int, int | None],
        **options: Any,
    ) -> None:
        super().__init__(data, label_suffix="", **options)
        self.questions = questions
        for question in questions:
            name = self.name_of(question)
            self.fields[name] = _reply_field(question)
            if question.pk in replies:
                choice = replies[question.pk]
                self.initial[name] = NONE if choice is None else str(choice)

    @staticmethod
    def name_of(question: AnnotatorQuestion) -> str:
        return f"question_{question.number}"

    @property
    def asked(self) -> list[forms.BoundField]:
        return [self[self.name_of(question)] for question in self.questions]

    @property
    def replies(self) -> dict[int, int | None]:
        """Return the valid replies as `services.reply` takes them."""
        values = {
            question.pk: self.cleaned_data[self.name_of(question)] for question in self.questions
        }
        return {key: None if value == NONE else int(value) for key, value in values.items()}


def _reply_field(question: AnnotatorQuestion) -> forms.ChoiceField:
    texts = ready.shown(question)
    choices: list[tuple[str, Any]] = [
        (str(place), text) for place, text in enumerate(texts.choices)
    ]
    is_menu = len(choices) > MOST_BUTTONS
    if is_menu:
        choices.sort(
            key=lambda choice: (choice[1] == str(ready.ANOTHER_LANGUAGE), ready.sort_key(choice[1]))
        )
        choices.insert(0, ("", _("Choose…")))
    return forms.ChoiceField(
        label=texts.text,
        choices=[*choices, (NONE, RATHER_NOT)],
        widget=forms.Select if is_menu else forms.RadioSelect,
        error_messages={"required": _("Choose an answer, or “I’d rather not say”.")},
    )
