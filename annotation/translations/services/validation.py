"""What follows from a translation and from its validation (PAWS-X 2).

A sentence is translated once. If a person finds it untranslatable, a second one gets it, as most
sentences that one person gives up are translated by another; it is untranslatable if both give it
up. A rejected translation is followed by another one, which is always validated. Managers put up
more translations for validation than those that are drawn.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from django.db import transaction
from django.db.models import Count, Q, QuerySet

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.models import Item, Project, Recusal, Slot, Translation, TranslationPlan, Validation
from annotation.translations.selectors.results import GIVE_UP
from annotation.translations.services import plans
from annotation.translations.stats.word_errors import place_in_draw
from annotation.work import one_person, queue
from common import bulk

Reason = Recusal.Reason
Slots: TypeAlias = QuerySet[Slot]
IS_PUT_UP = Q(results__kind=Validation.KIND)


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
        assert slot.annotator_id is not None  # noqa: S101 a constraint requires it of answers
        one_person.recuse([(sentence.pk, slot.annotator_id)], Reason.VALIDATED)
        ask_another(sentence)


def unfollow_validation(slot: Slot) -> bool:
    """Undo what followed from a rejection; False if a person has the next slot."""
    translation = translation_of(slot)
    if not ask_no_other(translation.item, after=translation.number):
        return False
    recusals = translation.item.recusals.filter(reason=Reason.VALIDATED)
    recusals.filter(annotator=slot.annotator_id).delete()
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
    return place_drawn(slot.project.seed, slot.item) < plan.validated_share


def place_drawn(seed: int, sentence: Item) -> float:
    """Return the place of a sentence in the draw for validation, from 0 to 1."""
    return place_in_draw(seed, str(sentence.public_id))


def put_up(translations: Sequence[Slot]) -> int:
    """Make an item to validate of each translation that has none; return their number.

    Those who translated the sentence, or gave it up, never validate it. The plan is held or locked.
    """
    items = Item.objects.filter(kind=Validation.KIND, origin__in=[slot.pk for slot in translations])
    put_up_before = set(items.values_list("origin", flat=True))
    new = [slot for slot in translations if slot.pk not in put_up_before]
    if not new:
        return 0
    keys = bulk.keys(Item, len(new))
    rows = [(key, slot.pk, slot.item.sentence1_id) for key, slot in zip(keys, new, strict=True)]
    project, columns = new[0].project, ("id", "origin_id", "sentence1_id")
    bulk.insert(Item, rows, fields=columns, project_id=project.pk, kind=Validation.KIND)
    _recuse_translators({slot.item_id: key for key, slot in zip(keys, new, strict=True)})
    queue.open_slots(project, Validation.KIND, keys)
    return len(new)


def _recuse_translators(items: Mapping[int, int]) -> None:
    """Recuse all who had a sentence from the item that validates it; `items` are by sentence."""
    slots_had = Slot.objects.filter(item__in=items, annotator__isnull=False)
    translators = slots_had.values_list("item", "annotator_id")
    recused = ((items[sentence], account) for sentence, account in translators)
    one_person.recuse(recused, Reason.TRANSLATED)


def take_down(translation: Slot) -> bool:
    """Delete the item to validate of a translation; False if a person has it or has skipped it."""
    item = Item.objects.filter(kind=Validation.KIND, origin=translation).first()
    return item is None or queue.remove(item)


def translation_of(validation: Slot) -> Slot:
    """Return the translation that a slot validates, which a constraint requires."""
    origin = validation.item.origin
    assert origin is not None  # noqa: S101
    return origin


@transaction.atomic
def widen(project: Project, translator: User, *, by: User | None = None) -> int:
    """Put up all translations of a person, now and from now on; return how many are new.

    Raises Refused after delivery.
    """
    plan = plans.lock_undelivered(project)
    accounts = one_person.accounts_of(translator)
    is_new = plan.widened.filter(pk__in=accounts).count() < len(accounts)
    plan.widened.add(*accounts)
    number = put_up(list(_slots_not_put_up(project).filter(annotator__in=accounts)))
    if is_new or number:
        audit.record(
            Act.TRANSLATOR_WIDENED, by=by, on=translator, project=project, translations=number
        )
    return number


@transaction.atomic
def top_up(project: Project, *, by: User | None = None) -> int:
    """Put up enough translations of each person; return how many are new.

    Everyone then has at least `least_validated` that are validated or wait for it, or all of them.
    Those with the lowest draws come first. Raises Refused after delivery.
    """
    plan = plans.lock_undelivered(project)
    number = sum(
        put_up(_lowest(project, translator, lacking))
        for translator, lacking in _translators_lacking(project, plan.least_validated)
    )
    if number:
        audit.record(Act.VALIDATION_TOPPED_UP, by=by, on=project, translations=number)
    return number


def top_up_at_the_end(project: Project) -> None:
    """Top up once the transaction is stored, if it answered the last sentence.

    Later, because of two simultaneous last answers neither sees the other one before it is stored.
    """
    transaction.on_commit(lambda: _top_up_if_translated(project))


def _top_up_if_translated(project: Project) -> None:
    plan = project.translation_plan
    if plan.delivered_at is None and not _open(project).exists():
        top_up(project)


def _open(project: Project) -> Slots:
    return Translation.objects.filter(project=project, submitted_at=None)


def _translators_lacking(project: Project, least: int) -> list[tuple[int, int]]:
    """Return translators with how many more of their translations have to be put up."""
    counts = (
        _text_slots(project)
        .values_list("annotator")
        .annotate(all=Count("pk"), put_up=Count("pk", filter=IS_PUT_UP))
        .order_by("annotator")
    )
    needed = ((translator, min(least, total) - put_up) for translator, total, put_up in counts)
    return [(translator, lacking) for translator, lacking in needed if lacking > 0]


def _lowest(project: Project, translator: int, number: int) -> Sequence[Slot]:
    """Return the translations of a person with the lowest draws that are not put up."""
    slots = list(_slots_not_put_up(project).filter(annotator=translator))
    slots.sort(key=lambda slot: (place_drawn(project.seed, slot.item), slot.pk))
    return slots[:number]


def _slots_not_put_up(project: Project) -> Slots:
    slots = _text_slots(project).exclude(pk__in=_text_slots(project).filter(IS_PUT_UP).values("pk"))
    return slots.select_related("item", "project").order_by("item", "number")


def _text_slots(project: Project) -> Slots:
    return Translation.objects.filter(project=project, action=Translation.Action.TRANSLATE)
