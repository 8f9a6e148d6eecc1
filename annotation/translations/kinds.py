"""The kinds of work of a translation study: translate, and validate (PAWS-X 2)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db.models import Exists, OuterRef, Q
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from annotation.errors import NeedsConfirmation, NotStorable, Refused
from annotation.glossary import selectors as glossary
from annotation.models import (
    Item,
    Membership,
    Project,
    Slot,
    TranslatedPair,
    Translation,
    TranslationPlan,
    Validation,
)
from annotation.translations.selectors import readiness
from annotation.translations.services import plans, validation
from annotation.translations.stats.checks import most_characters
from annotation.translations.stats.placeholders import is_placeholder
from annotation.translations.stats.word_errors import unit_of
from annotation.work.contract import (
    ACTIONS,
    FixForm,
    Fixing,
    Kind,
    Shown,
    Simulated,
    on_one_line,
)
from generation.nlp.text import RefusedText, check, folded
from generation.nlp.words import has_spaces, words

# What is sent with a text that equals the source and that its author confirms.
ANYWAY = "translate_anyway"
UNCHANGED = gettext_lazy(
    "Not saved yet: this is the same as the source. Save it anyway, or keep editing."
)
IS_UNCHANGED_RIGHT = gettext_lazy(
    "This is the same as the source. Save it if that is the right translation."
)
TOO_SHORT = gettext_lazy(
    "Not saved yet: this is much shorter than the source. Save it anyway, or keep editing."
)
IS_SHORT_RIGHT = gettext_lazy("This is much shorter than the source. Is something missing?")
TOO_LONG = gettext_lazy(
    "Not saved yet: this is much longer than the source. Save it anyway, or keep editing."
)
IS_LONG_RIGHT = gettext_lazy("This is much longer than the source. Is something added?")
PLACEHOLDER = gettext_lazy(
    "“%(text)s” is no translation. Translate the sentence, or say why it can’t be translated."
)
Action = Translation.Action
Look = Validation.Action
REASONS: dict[str, str | Promise] = {
    action.value: action.label for action in Action if action != Action.TRANSLATE
}
# Longer than any reason that someone types in.
LONGEST_NOTE = 500


class TranslationForm(FixForm):
    """A translation, or a reason with a note."""

    note = forms.CharField(required=False, max_length=LONGEST_NOTE)

    def clean_note(self) -> str:
        return on_one_line(self.cleaned_data["note"]).strip()


@dataclass(frozen=True, slots=True)
class ToTranslate(Shown):
    """A sentence to translate into the language `target`."""

    target: str


class KindOfStudy(Kind):
    """What both have in common."""

    templates = "annotation/translations"
    of_candidates = False


class Translate(KindOfStudy):
    """Translate one sentence alone, or say why it cannot be translated.

    Each distinct sentence of a release is translated once, without its pair.
    """

    name = Translation.KIND
    title = gettext_lazy("Translate sentences")
    list_title = gettext_lazy("Translations")
    items = gettext_lazy("sentences")
    answers = gettext_noop("translations")
    offer = gettext_lazy("You translate sentences, one at a time.")
    too_few, stuck = readiness.TEXTS[Translation.KIND]
    not_duplicated = gettext_lazy("Create another translation from the page of the release.")
    form = TranslationForm
    outcomes = {
        "translated": (Action.TRANSLATE.label, Q(action=Action.TRANSLATE)),
        "given_up": (gettext_lazy("not translated"), Q(action__in=list(REASONS))),
    }
    reads = ("item__sentence1__corpus", "item__project__translation_plan")
    chapters = ("Translating",)
    bars_accounts = True
    revises = False

    def simulate(self, person: Simulated, item: Item) -> dict[str, Any]:
        text = person.translation(source_of(item))
        if text is None:
            return {"action": Action.AMBIGUOUS}
        return {"action": Action.TRANSLATE, "text": text}

    def sentences(self, item: Item) -> tuple[str, ...]:
        return (source_of(item),)

    def languages(self, item: Item) -> tuple[str, ...]:
        return (item.project.translation_plan.source_language,)

    def written_in(self, item: Item) -> str:
        return str(item.project.translation_plan.language)

    def shown_item(self, item: Item) -> ToTranslate:
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
        text = check_translation(answer.get("text", ""), source)
        if action != ANYWAY:
            _ask_about(text, source, slot.item.project.translation_plan)
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
        plans.hold_plan(item.project_id)

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

    def barred_items(self, membership: Membership) -> Q:
        """Match sentences whose partner in a pair the person has, under any of their accounts."""
        if not membership.project.translation_plan.keeps_partners_apart:
            return Q(pk=None)
        person = membership.user.person_key
        pairs = TranslatedPair.objects
        first = pairs.filter(item1=OuterRef("item"), item2__slots__person=person)
        second = pairs.filter(item2=OuterRef("item"), item1__slots__person=person)
        return Q(Exists(first)) | Q(Exists(second))

    def people_in(self, project: Project) -> int:
        return 2 if project.translation_plan.keeps_partners_apart else 1

    def kept_apart(self, project: Project, items: Collection[int]) -> Iterable[tuple[int, int]]:
        """Return the pairs of a study that gives the sentences of each to different people."""
        if not project.translation_plan.keeps_partners_apart:
            return ()
        pairs = TranslatedPair.objects.filter(Q(item1__in=items) | Q(item2__in=items))
        return pairs.values_list("item1_id", "item2_id")


@dataclass(frozen=True, slots=True)
class ToValidate(Shown):
    """A sentence and its translation into the language `target`; errors are counted in `unit`."""

    target: str
    translation: str
    unit: str


class Validate(Fixing, KindOfStudy):
    """Accept, fix or reject another person's translation; a fix becomes the final text.

    Another person replaces a rejected translation. A text that no person of the project wrote is
    compared with its source in the same way, and nothing follows from the answer (partial
    paraphrases 5.2).
    """

    name = Validation.KIND
    title = gettext_lazy("Validate translations")
    list_title = gettext_lazy("Validations")
    items = gettext_lazy("translations")
    chapters = ("Validating", "Comparing")
    answers = gettext_noop("validations")
    offer = gettext_lazy("You check translations of other people, and fix them if needed.")
    too_few, stuck = readiness.TEXTS[Validation.KIND]
    not_duplicated = gettext_lazy("A project that only compares sentences can’t be duplicated.")
    outcomes = {
        "accepted": (ACTIONS[Look.ACCEPT], Q(action=Look.ACCEPT)),
        "fixed": (ACTIONS[Look.FIX], Q(action=Look.FIX)),
        "rejected": (ACTIONS[Look.REJECT], Q(action=Look.REJECT)),
    }
    reads = (
        *("item__sentence1__corpus", "item__sentence2"),
        *("item__origin", "item__project__translation_plan"),
    )

    def list_title_in(self, project: Project) -> str | Promise:
        return self.list_title if project.translates else gettext_lazy("Comparisons")

    def title_in(self, project: Project) -> str | Promise:
        return self.title if project.translates else gettext_lazy("Compare sentences")

    def simulate(self, person: Simulated, item: Item) -> dict[str, Any]:
        """Fix what differs from the right translation, if they notice it."""
        right = person.wording(source_of(item)).right
        if text_of(item) == right or person.random.random() > person.accuracy:
            return {"action": Look.ACCEPT}
        return {"action": Look.FIX, "text": right}

    def sentences(self, item: Item) -> tuple[str, ...]:
        return (source_of(item), text_of(item))

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

    def shown_item(self, item: Item) -> ToValidate:
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
        if action not in Look.values:
            raise Refused(_("Accept, fix or reject the translation."))
        if action != Look.FIX:
            return {"action": action, "text": ""}
        fixed = check_translation(answer.get("text", ""), source_of(slot.item))
        if folded(fixed) == folded(before):
            return {"action": Look.ACCEPT, "text": ""}
        return {"action": Look.FIX, "text": fixed}

    def lock(self, item: Item) -> None:
        """Lock the slots of the sentence: those who translate lock these before a validation."""
        plans.hold_plan(item.project_id)
        if item.origin is not None:
            slots = Slot.objects.filter(item=item.origin.item_id).order_by("number")
            list(slots.select_for_update(of=("self",)).values_list("pk"))

    def follow(self, slot: Slot, others: Sequence[Slot]) -> None:
        if slot.item.origin_id is not None:
            validation.follow_validation(slot)

    def withdraw(self, slot: Slot) -> bool:
        """Take the next translation's slot back, unless a person has it."""
        if slot.item.origin_id is None:
            return True
        if slot.item.project.translation_plan.delivered_at:
            return False
        return slot.action != Look.REJECT or validation.unfollow_validation(slot)


def source_of(item: Item) -> str:
    """Return the sentence to translate, which a constraint requires."""
    assert item.sentence1 is not None  # noqa: S101
    return item.sentence1.text


def _ask_about(text: str, source: str, plan: TranslationPlan) -> None:
    """Raise NeedsConfirmation for a text that is its source, or in words far from its length."""
    if folded(text) == folded(source):
        raise NeedsConfirmation(UNCHANGED, IS_UNCHANGED_RIGHT)
    if has_spaces(plan.source_language) != has_spaces(plan.language):
        return  # their words are not of one size
    before, after = len(words(source)), len(words(text))
    if 3 * after < before:
        raise NeedsConfirmation(TOO_SHORT, IS_SHORT_RIGHT)
    if after > 3 * before:
        raise NeedsConfirmation(TOO_LONG, IS_LONG_RIGHT)


def check_translation(text: str, source: str) -> str:
    """Return a translation as it is stored. Raises Refused."""
    try:
        storable = check(text, max_characters=most_characters(source))
    except RefusedText as refusal:
        raise NotStorable(refusal) from refusal
    if is_placeholder(storable):
        raise Refused(PLACEHOLDER % {"text": storable})
    return storable


def text_of(item: Item) -> str:
    """Return the text to validate: that of its slot, or else its second sentence."""
    text = item.origin or item.sentence2
    assert text is not None  # noqa: S101 a constraint requires one of them
    return text.text
