"""What follows from a translation and from its validation (PAWS-X 2).

A sentence is translated once. Whoever finds it untranslatable is followed by a second translator,
as most sentences that one person gives up are translated by another. Two who give up decide it. A
rejected translation is followed by another one, which is always validated.
"""

from collections.abc import Iterable

from accounts.models import User
from annotation.models import Item, Recusal, Slot, Translation, TranslationPlan, Validation
from annotation.translations.selectors.results import GIVE_UP
from annotation.work import queue
from common.draws import draw

Reason = Recusal.Reason


def follow_translation(slot: Slot) -> None:
    """Put a translation up for validation if it is drawn; ask another person if there is none."""
    if slot.action != Translation.Action.TRANSLATE:
        ask_another(slot.item)
    elif is_drawn(slot):
        put_up([slot])


def follow_validation(slot: Slot) -> None:
    """Ask for another translation of a rejected one."""
    if slot.action == Validation.Action.REJECT:
        sentence = translation_of(slot).item
        _recuse(sentence, [slot.annotator], Reason.VALIDATED)
        ask_another(sentence)


def unfollow_validation(slot: Slot) -> bool:
    """Undo what followed from a rejection; False if a person has the next slot."""
    translation = translation_of(slot)
    if not ask_no_other(translation.item, after=translation.number):
        return False
    accounts = queue.accounts_of(slot.annotator) if slot.annotator else []
    reasons = (Reason.VALIDATED, Reason.SAME_PERSON)
    translation.item.recusals.filter(annotator__in=accounts, reason__in=reasons).delete()
    return True


def ask_another(sentence: Item) -> None:
    """Add a slot for another translator, unless enough people have given the sentence up."""
    given_up = sentence.slots.answered().exclude(action=Translation.Action.TRANSLATE)
    if given_up.count() >= GIVE_UP:
        return
    sentence.slot_count += 1
    sentence.save(update_fields=["slot_count"])
    Slot.objects.create(
        project_id=sentence.project_id,
        kind=sentence.kind,
        item=sentence,
        number=sentence.slot_count,
    )
    queue.enter(sentence.project, [sentence])


def ask_no_other(sentence: Item, *, after: int) -> bool:
    """Remove the free slots of a sentence after a number; False if a person has one of them.

    The slots of the sentence are locked.
    """
    later = sentence.slots.filter(number__gt=after)
    if later.filter(annotator__isnull=False).exists():
        return False
    later.delete()
    sentence.slot_count = after
    sentence.save(update_fields=["slot_count"])
    return True


def is_drawn(slot: Slot) -> bool:
    """Return whether a translation is validated: by a draw for its sentence from the seed.

    So is every translation of a sentence after a rejected one, and of a person who is widened.
    """
    plan: TranslationPlan = slot.project.translation_plan
    if slot.item.recusals.filter(reason=Reason.VALIDATED).exists():
        return True
    if plan.widened.filter(slots=slot).exists():
        return True
    return drawn_at(slot.project.seed, slot.item) < plan.validated_share


def drawn_at(seed: int, sentence: Item) -> float:
    """Return where a sentence stands in the draw for validation, from 0 to 1."""
    return draw(seed, "validate", str(sentence.public_id)) / 2**64


def put_up(translations: Iterable[Slot]) -> int:
    """Make an item to validate of each translation that has none; return their number.

    Those who translated the sentence, or gave it up, never validate it.
    """
    made = []
    for slot in translations:
        sentence = slot.item
        item, is_new = Item.objects.get_or_create(
            kind="validate",
            origin=slot,
            defaults={"project_id": slot.project_id, "sentence1_id": sentence.sentence1_id},
        )
        if is_new:
            made.append(item.pk)
            known = User.objects.filter(slots__item=sentence)
            _recuse(item, known, Reason.TRANSLATED)
    if made:
        queue.open_slots(slot.project, "validate", made)
    return len(made)


def take_down(translation: Slot) -> bool:
    """Delete the item to validate of a translation; False if a person has it or has skipped it."""
    item = Item.objects.filter(kind="validate", origin=translation).first()
    return item is None or queue.remove(item)


def translation_of(validation: Slot) -> Slot:
    """Return the translation that a slot validates, which a constraint requires."""
    origin = validation.item.origin
    assert origin is not None  # noqa: S101
    return origin


def _recuse(item: Item, people: Iterable[User | None], reason: str) -> None:
    """Recuse people, with all their accounts, from an item."""
    for person in filter(None, people):
        Recusal.objects.bulk_create(
            (
                Recusal(
                    item=item,
                    annotator_id=account,
                    reason=reason if account == person.pk else Reason.SAME_PERSON,
                )
                for account in queue.accounts_of(person)
            ),
            ignore_conflicts=True,
        )
