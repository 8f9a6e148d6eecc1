"""Stores translations made elsewhere as answers of an account in the name of their translators."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import Refused
from annotation.models import Duty, Item, Membership, Project, Slot, Translation
from annotation.translations.services import validation
from annotation.work import one_person
from annotation.work.translate import checked, source_of
from common import bulk
from generation.services.sentences import digest_of

FIELDS = (
    *("annotator", "person", "action", "text"),
    *("submitted_at", "serial", "claimed_at", "lease_until"),
)
SLOTS_AT_ONCE = 500


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
def store(
    project: Project, texts: Mapping[str, str], *, translator: User, by: User | None = None
) -> Stored:
    """Store a translation for each source text that still needs one.

    They are drawn for validation like all others. One account may translate both sentences of a
    pair here: what was seen together elsewhere is not known. Raises Refused if the project is
    archived, delivered or no translation study, the account does not translate in it, or a text
    cannot be stored.
    """
    duty = _duty(project, translator)
    one_person.hold_person(translator)
    wanted = {digest_of(source): text for source, text in texts.items()}
    slots, person = list(_free_slots(duty, wanted)), one_person.main_account(translator)
    for serial, slot in enumerate(slots, duty.total + 1):
        slot.annotator, slot.person_id = translator, person
        slot.action, slot.text = Translation.Action.TRANSLATE, _text(slot.item, wanted)
        slot.submitted_at, slot.serial = timezone.now(), serial
        slot.claimed_at = slot.lease_until = None
    Slot.objects.bulk_update(slots, FIELDS, batch_size=SLOTS_AT_ONCE)
    drawn = [slot for slot in slots if validation.is_drawn(slot)]
    who = str(translator.public_id)
    audit.record(Act.TRANSLATIONS_IMPORTED, by=by, on=project, rows=len(slots), translator=who)
    return Stored(len(slots), validation.put_up(drawn), len(texts) - len(slots))


def _duty(project: Project, translator: User) -> Duty:
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


def _free_slots(duty: Duty, wanted: Collection[UUID]) -> QuerySet[Slot]:
    """Return, locked, the unclaimed slots of sentences that the person has had no part in."""
    free = Translation.objects.unanswered().filter(
        bulk.among("item__texts_key", wanted),
        one_person.not_theirs(duty.membership.user),
        project=duty.membership.project_id,
        annotator=None,
    )
    related = ("item__sentence1", "project__translation_plan")
    return free.select_related(*related).order_by("item", "number").select_for_update(of=("self",))


def _text(item: Item, wanted: Mapping[UUID, str]) -> str:
    assert item.texts_key is not None  # noqa: S101 by it the item was found
    return checked(wanted[item.texts_key], source_of(item))
