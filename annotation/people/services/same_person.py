"""Several accounts of one person: no two of them may judge the same pair."""

from collections import defaultdict
from collections.abc import Collection, Mapping

from django.db import transaction
from django.db.models import Q

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.models import Consensus, Duty, Recusal, SentencePair, Slot
from annotation.work import queue

SAME_PERSON = Recusal.Reason.SAME_PERSON


@transaction.atomic
def mark(account: User, other: User, *, by: User | None = None) -> list[SentencePair]:
    """Mark two accounts as the same person, along with accounts already linked to either.

    From then on, in every project, none of them gets a pair that another has or had; conflicting
    items in progress return to the queue. Returns the pairs that two of them have answered: a
    manager may exclude one set of these answers. Raises ValueError if the accounts are the same.
    """
    if account == other:
        raise ValueError("an account is the same person as itself without being marked")
    accounts = _accounts_of(account) | _accounts_of(other)
    main = account.main_account_id or account.pk
    User.objects.filter(pk__in=accounts - {main}).update(main_account=main)
    User.objects.filter(pk=main).update(main_account=None)
    _take_back(accounts)
    _recuse(accounts)
    audit.record(Act.SAME_PERSON, by=by, on=account, other=other.public_id)
    return list(
        SentencePair.objects.filter(pk__in=_shared(accounts), gold_label=None).order_by("pk")
    )


@transaction.atomic
def separate(account: User, *, by: User | None = None) -> None:
    """Unlink an account from the other accounts of its group, which stay linked.

    The account may then get pairs that the others have had.
    """
    rest = sorted(_accounts_of(account) - {account.pk})
    User.objects.filter(pk=account.pk).update(main_account=None)
    for main in rest[:1]:
        User.objects.filter(pk__in=rest).exclude(pk=main).update(main_account=main)
        User.objects.filter(pk=main).update(main_account=None)
    # The others may now get its open pairs; decided ones have no open slots, and are append-only.
    decided = Consensus.objects.values("pair")
    Slot.objects.filter(annotator=account).exclude(item__in=decided).update(person=None)
    everybody = [account.pk, *rest]
    Recusal.objects.filter(annotator__in=everybody, reason=SAME_PERSON).delete()
    _recuse(rest)
    # Their queue places may be beyond pairs that they may now get.
    Duty.objects.filter(membership__user__in=everybody).update(looked_behind_at=None)
    audit.record(Act.SEPARATED, by=by, on=account)


def _accounts_of(account: User) -> set[int]:
    """Lock and return all accounts of a person, in key order, which serializes markings."""
    account.refresh_from_db(fields=["main_account"])
    main = account.main_account_id or account.pk
    theirs = User.objects.filter(Q(pk=main) | Q(main_account=main)).order_by("pk")
    return set(theirs.select_for_update(no_key=True).values_list("pk", flat=True))


def _slots_of(accounts: Collection[int]) -> Mapping[int, set[int]]:
    """Map each item to the accounts that have a slot of it."""
    people: defaultdict[int, set[int]] = defaultdict(set)
    slots = Slot.objects.filter(annotator__in=accounts).values_list("item", "annotator")
    for item, annotator in slots.iterator():
        if annotator is not None:
            people[item].add(annotator)
    return people


def _shared(accounts: Collection[int]) -> set[int]:
    return {pair for pair, people in _slots_of(accounts).items() if len(people) > 1}


def _take_back(accounts: Collection[int]) -> None:
    """Release open slots of pairs on which another of the accounts has a slot."""
    shared = _shared(accounts)
    held = Slot.objects.filter(annotator__in=accounts).unanswered().order_by("item", "number")
    rows = held.select_for_update().values_list("pk", "item")
    queue.give_back(Slot.objects.filter(pk__in=[key for key, item in rows if item in shared]))


def _recuse(accounts: Collection[int]) -> None:
    """Recuse accounts from pairs that another one has a slot on or must not judge."""
    known: defaultdict[int, set[int]] = defaultdict(set, _slots_of(accounts))
    recused = Recusal.objects.filter(annotator__in=accounts).exclude(reason=SAME_PERSON)
    for item, annotator in recused.values_list("item", "annotator"):
        known[item].add(annotator)
    Recusal.objects.bulk_create(
        (
            Recusal(item_id=item, annotator_id=annotator, reason=SAME_PERSON)
            for item, people in known.items()
            for annotator in set(accounts) - people
        ),
        batch_size=2000,
        ignore_conflicts=True,
    )
