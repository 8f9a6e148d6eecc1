"""Puts up more translations for validation than those that were drawn (PAWS-X 2)."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Count, Q

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.models import Project, Slot, Translation, Validation
from annotation.translations.services import opinions, plans
from annotation.work import one_person

IS_PUT_UP = Q(results__kind=Validation.KIND)


@transaction.atomic
def widen(project: Project, translator: User, *, by: User | None = None) -> int:
    """Put up all translations of a person, now and from now on; return how many are new.

    Raises Refused after delivery.
    """
    plan = plans.lock_undelivered(project)
    accounts = one_person.accounts_of(translator)
    is_new = plan.widened.filter(pk__in=accounts).count() < len(accounts)
    plan.widened.add(*accounts)
    number = opinions.put_up(list(_not_put_up(project).filter(annotator__in=accounts)))
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
        opinions.put_up(_lowest(project, translator, lacking))
        for translator, lacking in _lacking(project, plan.least_validated)
    )
    if number:
        audit.record(Act.VALIDATION_TOPPED_UP, by=by, on=project, translations=number)
    return number


def top_up_at_the_end(project: Project) -> None:
    """Top up once the transaction is stored, if it answered the last sentence.

    Later, because of two last answers at once neither sees the other one before it is stored.
    """
    transaction.on_commit(lambda: _top_up_if_translated(project))


def _top_up_if_translated(project: Project) -> None:
    plan = project.translation_plan
    if plan.delivered_at is None and not _open(project).exists():
        top_up(project)


def _open(project: Project) -> "opinions.Slots":
    return Translation.objects.filter(project=project, submitted_at=None)


def _lacking(project: Project, least: int) -> list[tuple[int, int]]:
    """Return translators with how many more of their translations have to be put up."""
    counted = (
        _translated(project)
        .values_list("annotator")
        .annotate(all=Count("pk"), put_up=Count("pk", filter=IS_PUT_UP))
        .order_by("annotator")
    )
    needed = ((who, min(least, all_of) - put_up) for who, all_of, put_up in counted)
    return [(who, lacking) for who, lacking in needed if lacking > 0]


def _lowest(project: Project, translator: int, number: int) -> Sequence[Slot]:
    """Return the translations of a person with the lowest draws that are not put up."""
    found = list(_not_put_up(project).filter(annotator=translator))
    found.sort(key=lambda slot: (opinions.drawn_at(project.seed, slot.item), slot.pk))
    return found[:number]


def _not_put_up(project: Project) -> "opinions.Slots":
    own = _translated(project).exclude(pk__in=_translated(project).filter(IS_PUT_UP).values("pk"))
    return own.select_related("item", "project").order_by("item", "number")


def _translated(project: Project) -> "opinions.Slots":
    return Translation.objects.filter(project=project, action=Translation.Action.TRANSLATE)
