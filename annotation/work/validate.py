"""Validate another person's translation: accept, fix or reject it (PAWS-X 2).

A text that no person of the project wrote is compared with its source in the same way, and nothing
follows from the answer (partial paraphrases 5.2).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from annotation.errors import Refused
from annotation.glossary import selectors as glossary
from annotation.models import Item, Project, Slot, Validation
from annotation.translations.selectors import blocked
from annotation.translations.services import plans, validation
from annotation.translations.stats.word_errors import unit_of
from annotation.work.contract import AnswerForm, Kind, Shown, Simulated, on_one_line
from annotation.work.correct import ACTIONS
from annotation.work.translate import checked, source_of
from generation.nlp.text import folded

Action = Validation.Action


class ValidationForm(AnswerForm):
    """A validation; `text` is used for a fix only."""

    action = forms.CharField(max_length=10)
    text = forms.CharField(required=False)

    def clean_text(self) -> str:
        return on_one_line(self.cleaned_data["text"])


@dataclass(frozen=True, slots=True)
class ToValidate(Shown):
    """A sentence and its translation into the language `target`; errors are counted in `unit`."""

    target: str
    translation: str
    unit: str


class Validate(Kind):
    """A fix becomes the final text; another person replaces a rejected translation."""

    name = Validation.KIND
    title = gettext_lazy("Validate translations")
    items = gettext_lazy("translations")
    answers = gettext_noop("validations")
    offer = gettext_lazy("You check translations of other people, and fix them if needed.")
    no_one, too_few = blocked.TEXTS[Validation.KIND]
    not_duplicated = gettext_lazy("A project that only compares sentences can’t be duplicated.")
    form = ValidationForm
    of_candidates = False
    outcomes = {
        "accepted": (ACTIONS[Action.ACCEPT], Q(action=Action.ACCEPT)),
        "fixed": (ACTIONS[Action.FIX], Q(action=Action.FIX)),
        "rejected": (ACTIONS[Action.REJECT], Q(action=Action.REJECT)),
    }
    reads = (
        *("item__sentence1__corpus", "item__sentence2"),
        *("item__origin", "item__project__translation_plan"),
    )

    def title_in(self, project: Project) -> str | Promise:
        return self.title if project.translates else gettext_lazy("Compare sentences")

    def simulate(self, person: Simulated, item: Item) -> dict[str, Any]:
        """Fix what differs from the right translation, if they notice it."""
        right = person.wording(source_of(item)).right
        if text_of(item) == right or person.random.random() > person.accuracy:
            return {"action": Action.ACCEPT}
        return {"action": Action.FIX, "text": right}

    def sentences(self, item: Item) -> tuple[str, ...]:
        return (source_of(item), text_of(item))

    def language(self, item: Item) -> str:
        assert item.sentence1 is not None  # noqa: S101 a constraint requires it
        return item.sentence1.corpus.language

    def languages(self, item: Item) -> tuple[str, ...]:
        return (self.language(item), self.written_in(item))

    def written_in(self, item: Item) -> str:
        """Return the language of the plan; a text without a translator is in that of its source."""
        if item.origin_id is None:
            return self.language(item)
        return str(item.project.translation_plan.language)

    def context(
        self, project: Project, keys: Mapping[str, str], shown: Shown | None
    ) -> dict[str, Any]:
        return {"terms": glossary.terms_of(project, shown)}

    def shown(self, item: Item) -> ToValidate:
        return ToValidate(
            item.public_id,
            (source_of(item),),
            self.language(item),
            target=self.written_in(item),
            translation=text_of(item),
            unit=unit_of(self.written_in(item)),
        )

    def columns(self, slot: Slot, answer: Mapping[str, Any]) -> dict[str, Any]:
        """Return action and text; a fix that changes nothing visible is an accept."""
        action, before = answer["action"], text_of(slot.item)
        if action not in Action.values:
            raise Refused(_("Accept, fix or reject the translation."))
        if action != Action.FIX:
            return {"action": action, "text": ""}
        fixed = checked(answer.get("text", ""), source_of(slot.item))
        if folded(fixed) == folded(before):
            return {"action": Action.ACCEPT, "text": ""}
        return {"action": Action.FIX, "text": fixed}

    def name_of(self, slot: Slot) -> str | Promise:
        return ACTIONS[slot.action]

    def lock(self, item: Item) -> None:
        """Lock the slots of the sentence: those who translate lock these before a validation."""
        plans.hold(item.project_id)
        if item.origin is not None:
            slots = Slot.objects.filter(item=item.origin.item_id).order_by("number")
            list(slots.select_for_update(of=("self",)).values_list("pk"))

    def follow(self, slot: Slot, others: Sequence[Slot]) -> None:
        if slot.item.origin_id is not None:
            validation.follow_validation(slot)

    def outcome_of(self, slot: Slot, answer: Mapping[str, Any]) -> str | Promise:
        if slot.action == Action.ACCEPT != answer["action"]:
            return _("accepted, as nothing was changed")
        return self.name_of(slot)

    def draft(self, posted: Mapping[str, str]) -> str | None:
        return posted.get("text", "") if posted.get("action") == Action.FIX else None

    def withdraw(self, slot: Slot) -> bool:
        """Take the next translation's slot back, unless a person has it."""
        if slot.item.origin_id is None:
            return True
        if slot.item.project.translation_plan.delivered_at:
            return False
        return slot.action != Action.REJECT or validation.unfollow_validation(slot)


def text_of(item: Item) -> str:
    """Return the text to validate: that of its slot, or else its second sentence."""
    text = item.origin or item.sentence2
    assert text is not None  # noqa: S101 a constraint requires one of them
    return text.text
