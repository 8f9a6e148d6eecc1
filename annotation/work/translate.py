"""Translate one sentence alone, or say why it cannot be translated (PAWS-X 2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db.models import Exists, OuterRef, Q
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from annotation.errors import NeedsConfirmation, NotStorable, Refused
from annotation.glossary import selectors as glossary
from annotation.models import Item, Membership, Project, Slot, TranslatedPair, Translation
from annotation.translations.selectors import blocked
from annotation.translations.services import plans, validation
from annotation.translations.stats.checks import most_characters
from annotation.translations.stats.placeholders import placeholder
from annotation.work import one_person
from annotation.work.contract import AnswerForm, Kind, Shown, Simulated, on_one_line
from generation.nlp.text import RefusedText, check, folded

# What is sent with a text that equals the source and that its author confirms.
ANYWAY = "translate_anyway"
UNCHANGED = gettext_lazy(
    "Not saved yet: this is the same as the source. Save it anyway, or keep editing."
)
PLACEHOLDER = gettext_lazy(
    "“%(text)s” is no translation. Translate the sentence, or say why it can’t be translated."
)
Action = Translation.Action
REASONS: dict[str, str | Promise] = {
    action.value: action.label for action in Action if action != Action.TRANSLATE
}
# Longer than any reason that someone types in.
LONGEST_NOTE = 500


class TranslationForm(AnswerForm):
    """A translation, or a reason with a note."""

    action = forms.CharField(max_length=20)
    text = forms.CharField(required=False)
    note = forms.CharField(required=False, max_length=LONGEST_NOTE)

    def clean_text(self) -> str:
        return on_one_line(self.cleaned_data["text"])

    def clean_note(self) -> str:
        return on_one_line(self.cleaned_data["note"]).strip()


@dataclass(frozen=True, slots=True)
class ToTranslate(Shown):
    """A sentence to translate into the language `target`."""

    target: str


class Translate(Kind):
    """Each distinct sentence of a release is translated once, without its pair."""

    name = Translation.KIND
    title = gettext_lazy("Translate sentences")
    items = gettext_lazy("sentences")
    answers = gettext_noop("translations")
    offer = gettext_lazy("You translate sentences, one at a time.")
    no_one, too_few = blocked.TEXTS[Translation.KIND]
    not_duplicated = gettext_lazy("Create another translation from the page of the release.")
    form = TranslationForm
    outcomes = {
        "translated": (Action.TRANSLATE.label, Q(action=Action.TRANSLATE)),
        "given_up": (gettext_lazy("not translated"), Q(action__in=list(REASONS))),
    }
    reads = ("item__sentence1__corpus", "item__project__translation_plan")
    bars_accounts = True
    of_candidates = False
    revises = False

    def simulate(self, person: Simulated, item: Item) -> dict[str, Any]:
        text = person.translation(source_of(item))
        if text is None:
            return {"action": Action.AMBIGUOUS}
        return {"action": Action.TRANSLATE, "text": text}

    def sentences(self, item: Item) -> tuple[str, ...]:
        return (source_of(item),)

    def language(self, item: Item) -> str:
        assert item.sentence1 is not None  # noqa: S101 a constraint requires it
        return item.sentence1.corpus.language

    def languages(self, item: Item) -> tuple[str, ...]:
        return (item.project.translation_plan.source_language,)

    def written_in(self, item: Item) -> str:
        return str(item.project.translation_plan.language)

    def shown(self, item: Item) -> ToTranslate:
        plan = item.project.translation_plan
        return ToTranslate(
            item.public_id, self.sentences(item), plan.source_language, target=plan.language
        )

    def columns(self, slot: Slot, answer: Mapping[str, Any]) -> dict[str, Any]:
        action = answer["action"]
        if action in REASONS:
            note = str(answer.get("note", ""))
            if action == Action.OTHER and not note:
                raise Refused(_("Describe briefly why the sentence can’t be translated."))
            return {"action": action, "text": note}
        if action not in (Action.TRANSLATE, ANYWAY):
            raise Refused(_("Translate the sentence, or say why it can’t be translated."))
        source = source_of(slot.item)
        text = checked(answer.get("text", ""), source)
        if folded(text) == folded(source) and action != ANYWAY:
            raise NeedsConfirmation(UNCHANGED)
        return {"action": Action.TRANSLATE, "text": text}

    def context(
        self, project: Project, keys: Mapping[str, str], shown: Shown | None
    ) -> dict[str, Any]:
        return {"reasons": REASONS, "terms": glossary.terms_of(project, shown)}

    def name_of(self, slot: Slot) -> str | Promise:
        return Action(slot.action).label

    def is_note(self, slot: Slot) -> bool:
        return slot.action in REASONS

    def lock(self, item: Item) -> None:
        plans.hold(item.project_id)

    def follow(self, slot: Slot, others: Sequence[Slot]) -> None:
        validation.follow_translation(slot)
        validation.top_up_at_the_end(slot.project)

    def draft(self, posted: Mapping[str, str]) -> str | None:
        return posted.get("text", "")

    def withdraw(self, slot: Slot) -> bool:
        """Take what followed back, unless a person has the next slot or the validation."""
        if slot.item.project.translation_plan.delivered_at:
            return False
        is_alone = validation.ask_no_other(slot.item, after=slot.number)
        return is_alone and validation.take_down(slot)

    def barred(self, membership: Membership) -> Q:
        """Match sentences whose partner in a pair the person has, under any of their accounts."""
        if not membership.project.translation_plan.keeps_partners_apart:
            return Q(pk=None)
        accounts = one_person.accounts_of(membership.user)
        pairs = TranslatedPair.objects
        first = pairs.filter(item1=OuterRef("item"), item2__slots__annotator__in=accounts)
        second = pairs.filter(item2=OuterRef("item"), item1__slots__annotator__in=accounts)
        return Q(Exists(first)) | Q(Exists(second))


def source_of(item: Item) -> str:
    """Return the sentence to translate, which a constraint requires."""
    assert item.sentence1 is not None  # noqa: S101
    return item.sentence1.text


def checked(text: str, source: str) -> str:
    """Return a translation as it is stored. Raises Refused."""
    try:
        found = check(text, max_characters=most_characters(source))
    except RefusedText as refusal:
        raise NotStorable(refusal) from refusal
    if placeholder(found):
        raise Refused(PLACEHOLDER % {"text": found})
    return found
