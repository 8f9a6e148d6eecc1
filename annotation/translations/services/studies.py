"""What enters a translation study: sentences and pairs at the start, translations made elsewhere.

Or texts that people only compare with their sources, which needs no plan.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import Refused
from annotation.models import (
    Duty,
    Item,
    Membership,
    Project,
    Slot,
    TranslatedPair,
    Translation,
    TranslationPlan,
    Validation,
)
from annotation.translations.kinds import check_translation, source_of
from annotation.translations.services import validation
from annotation.work import one_person, queue
from common import bulk
from common.draws import draw
from generation.models import Sentence
from generation.nlp.text import pair_key
from generation.services.sentences import digest_of

KINDS = [Translation.KIND, Validation.KIND]
# Of a study without translators.
ONLY_VALIDATES = [Validation.KIND]
IMPORTED_FIELDS = (
    *("annotator", "person", "action", "text"),
    *("submitted_at", "serial", "claimed_at", "lease_until"),
)
SLOTS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class PairToTranslate:
    """A pair of a release; the id is its public id, the sentences are in released order."""

    public_id: UUID
    sentence1: Sentence
    sentence2: Sentence


@transaction.atomic
def open_sentences(
    project: Project, pairs: Sequence[PairToTranslate], **settings: Any
) -> TranslationPlan:
    """Create the plan of a new project, and put the distinct sentences of the pairs in its queue.

    `settings` are those of the plan. The order is drawn from the seed of the project, so the two
    sentences of a pair do not follow each other (PAWS-X 2).
    """
    plan = TranslationPlan(project=project, **settings)
    plan.full_clean(exclude=["project"])
    plan.save()
    distinct = {
        sentence.text: sentence for pair in pairs for sentence in (pair.sentence1, pair.sentence2)
    }
    in_order = sorted(distinct.values(), key=lambda sentence: _order_key(project, sentence))
    items = _create_items(project, in_order)
    rows: list[tuple[Any, ...]] = [
        (pair.public_id, items[pair.sentence1.text], items[pair.sentence2.text]) for pair in pairs
    ]
    bulk.insert(
        TranslatedPair, rows, fields=("public_id", "item1_id", "item2_id"), project_id=project.pk
    )
    return plan


@transaction.atomic
def open_texts(project: Project, texts: Sequence[tuple[Sentence, Sentence]]) -> None:
    """Put texts in the queue of a new project: one person compares each with its source.

    Each is (source, text), in the language of the source. The same two texts are one item.
    """
    distinct = {pair_key(source.text, text.text): (source, text) for source, text in texts}
    keys = bulk.keys(Item, len(distinct))
    rows = [
        (key, source.pk, text.pk, both)
        for key, (both, (source, text)) in zip(keys, distinct.items(), strict=True)
    ]
    fields = ("id", "sentence1_id", "sentence2_id", "texts_key")
    bulk.insert(Item, rows, fields=fields, project_id=project.pk, kind=Validation.KIND)
    queue.open_slots(project, Validation.KIND, keys)


def _create_items(project: Project, sentences: Sequence[Sentence]) -> dict[str, int]:
    """Create the items of sentences, and return their keys by text."""
    item_keys = bulk.keys(Item, len(sentences))
    rows = [
        (key, sentence.pk, digest_of(sentence.text))
        for key, sentence in zip(item_keys, sentences, strict=True)
    ]
    fields = ("id", "sentence1_id", "texts_key")
    bulk.insert(Item, rows, fields=fields, project_id=project.pk, kind=Translation.KIND)
    queue.open_slots(project, Translation.KIND, item_keys)
    return {sentence.text: key for key, sentence in zip(item_keys, sentences, strict=True)}


def _order_key(project: Project, sentence: Sentence) -> tuple[int, str]:
    return draw(project.seed, "order", sentence.text), sentence.text


@dataclass(frozen=True, slots=True)
class Stored:
    """How many sentences were translated, and how many of these wait for validation.

    `left` were not stored: they are not among the sentences of the project, or have a translation,
    or someone is at work on them.
    """

    added: int
    to_validate: int
    left: int


@transaction.atomic
def store_translations(project: Project, texts: Mapping[str, str], *, translator: User) -> Stored:
    """Store a translation for each source text that still needs one.

    They are drawn for validation like all others. One account may translate both sentences of a
    pair here: what was seen together elsewhere is not known. Raises Refused if the project is
    archived, delivered or no translation study, the account does not translate in it, or a text
    cannot be stored.
    """
    duty = _translating_duty(project, translator)
    person = one_person.hold_person(translator)
    texts_by_digest = {digest_of(source): text for source, text in texts.items()}
    slots = list(_free_slots(duty, person, texts_by_digest))
    for serial, slot in enumerate(slots, duty.total + 1):
        slot.annotator, slot.person_id = translator, person
        slot.action, slot.text = Translation.Action.TRANSLATE, _text(slot.item, texts_by_digest)
        slot.submitted_at, slot.serial = timezone.now(), serial
        slot.claimed_at = slot.lease_until = None
    Slot.objects.bulk_update(slots, IMPORTED_FIELDS, batch_size=SLOTS_AT_ONCE)
    to_validate = [slot for slot in slots if validation.is_drawn(slot)]
    who = str(translator.public_id)
    audit.record(Act.TRANSLATIONS_IMPORTED, by=None, on=project, rows=len(slots), translator=who)
    return Stored(len(slots), validation.put_up(to_validate), len(texts) - len(slots))


def _translating_duty(project: Project, translator: User) -> Duty:
    """Return what the account does in the project. Raises Refused."""
    plan = getattr(project, "translation_plan", None)
    if plan is None or plan.delivered_at or project.archived_at:
        text = _("%(project)s takes no translations: it is archived, delivered or no such study.")
        raise Refused(text % {"project": project})
    membership = Membership.objects.filter(project=project, user=translator).first()
    if membership is None or not membership.duties.filter(kind=Translation.KIND).exists():
        text = _("%(person)s does not translate in %(project)s. Add the account as an annotator.")
        raise Refused(text % {"person": translator, "project": project})
    return membership.duty(Translation.KIND)


def _free_slots(duty: Duty, person: int, digests: Collection[UUID]) -> QuerySet[Slot]:
    """Return, locked, the unclaimed slots of sentences that the person has had no part in."""
    free = Translation.objects.unanswered().filter(
        bulk.among("item__texts_key", digests),
        one_person.is_new_to(person),
        project=duty.membership.project_id,
        annotator=None,
    )
    related = ("item__sentence1", "project__translation_plan")
    return free.select_related(*related).order_by("item", "number").select_for_update(of=("self",))


def _text(item: Item, by_digest: Mapping[UUID, str]) -> str:
    assert item.texts_key is not None  # noqa: S101 by it the item was found
    return check_translation(by_digest[item.texts_key], source_of(item))
